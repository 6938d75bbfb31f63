// Categorical draws from weights that need not be normalised.
#pragma once

#include <cstddef>
#include <span>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// An index with probability proportional to its weight. Weights are finite, non-negative and not all 0.
std::size_t draw_categorical(std::span<const double> weights, Stream& rng);

// The same from log weights; -infinity is weight 0. Their largest may be anything finite.
std::size_t draw_categorical_log(std::span<const double> log_weights, Stream& rng);

}  // namespace hmmlt
