// Uniform draws on the open unit interval: neither 0 nor 1 can occur, so log(u) and log1p(-u) are always finite.
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// U(0, 1), on the grid (i + 1/2) / 2^52, i = 0 .. 2^52 - 1, every point of which is an exact double.
inline double draw_uniform(Stream& rng) {
    return (static_cast<double>(rng() >> 12) + 0.5) * 0x1p-52;
}

}  // namespace hmmlt
