// The number of tables of a Chinese restaurant, in time proportional to the tables, not to the customers.
#pragma once

#include <cstdint>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// CRT(n, a): customers i = 0 .. n-1 open a table with probability a / (a + i), independently; the number of tables.
// n is an integer-valued double >= 0 (1e18 is met); the first customer always opens a table, even where a underflows
// to 0.                                                                             docs/model.md (26)
std::uint64_t draw_crt(double n, double a, Stream& rng);

}  // namespace hmmlt
