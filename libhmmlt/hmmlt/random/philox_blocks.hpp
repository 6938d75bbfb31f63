// Many blocks of Philox at once, in the lanes of vector registers: the same numbers as one by one, several times as
// fast.
#pragma once

#include <cstdint>
#include <span>

#include "hmmlt/random/philox.hpp"

namespace hmmlt {

// The blocks of the counters (first + i, counter[1], counter[2], counter[3]), i = 0 .. out.size() / 2 - 1, each as two
// 64-bit numbers: words (0, 1), then words (2, 3). out.size() must be even.
void philox_blocks(PhiloxCounter counter, PhiloxKey key, std::span<std::uint64_t> out);

}  // namespace hmmlt
