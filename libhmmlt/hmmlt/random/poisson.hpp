// Poisson draws from rate 0 to 1e300, singly or as a whole sparse row. Counts are doubles: failed jumps of 1e18 are
// met, and no integer type would hold them safely.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// N ~ Poisson(mean), an integer-valued double. Exact up to 1e12 (Boost.Random); beyond, the normal quantile with its
// skewness correction, rounded: the law is then wrong by O(1/mean) < 1e-12 in any probability.
double draw_poisson(double mean, Stream& rng);

struct CellCount {
    std::uint32_t index;
    double count;

    bool operator==(const CellCount&) const = default;
};

// Independent N_k ~ Poisson(means_k) for a row of cells; only the non-zero ones are returned, in order of index, in
// `cells`. With few arrivals expected the total is drawn first and then allocated, at a cost of one pass over the row
// plus the arrivals; otherwise cell by cell. Both give the same law.
void draw_poisson_row(std::span<const double> means, std::vector<CellCount>& cells, Stream& rng);

}  // namespace hmmlt
