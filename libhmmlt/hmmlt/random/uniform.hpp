// Uniform draws on the open unit interval: neither 0 nor 1 can occur, so log(u) and log1p(-u) are always finite.
#pragma once

#include <bit>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// U(0, 1) made of 64 random bits: on the grid (i + 1/2) / 2^52, i = 0 .. 2^52 - 1, every point of which is an exact
// double. The bits go into the significand of a number in [1, 2).
inline double uniform_of(std::uint64_t bits) {
    return std::bit_cast<double>(bits >> 12 | std::uint64_t{1023} << 52) - (1.0 - 0x1p-53);
}

inline double draw_uniform(Stream& rng) {
    return uniform_of(rng());
}

}  // namespace hmmlt
