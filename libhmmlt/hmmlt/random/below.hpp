// A uniform index: one of n items, each as likely as the others.
#pragma once

#include <cstddef>

#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

// Uniform on 0 .. n - 1, n >= 1: a uniform of 52 bits times n never rounds up to n.
inline std::size_t draw_below(std::size_t n, Stream& rng) {
    return static_cast<std::size_t>(draw_uniform(rng) * static_cast<double>(n));
}

}  // namespace hmmlt
