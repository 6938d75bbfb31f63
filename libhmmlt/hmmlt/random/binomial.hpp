// Binomial draws, also for probabilities so small that 1 - p rounds to 1.
#pragma once

#include <cstdint>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// X ~ Binomial(n, p), n <= 2^53
std::uint64_t draw_binomial(std::uint64_t n, double p, Stream& rng);

}  // namespace hmmlt
