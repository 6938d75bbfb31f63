// Poisson draws from rate 0 to 1e300, singly or as a whole sparse row. Counts are doubles: failed jumps of 1e18 are
// met, and no integer type would hold them safely.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// N ~ Poisson(mean), an integer-valued double. Up to 1e12 by inversion or Boost.Random's rejection; beyond, the
// quantile below, rounded: any probability is then wrong by O(1/mean) < 1e-12.
double draw_poisson(double mean, Stream& rng);

// The quantile of Poisson(mean) at the normal quantile z, with the first skewness term: its error is O(1 / sqrt(mean)).
double poisson_quantile(double mean, double z);

struct CellCount {
    std::uint32_t index;
    double count;

    bool operator==(const CellCount&) const = default;
};

// Independent N_k ~ Poisson(means_k) for a row of cells; only the non-zero ones are returned, in order of index, in
// `cells`. Cells with large means are drawn one by one; for all others the total is drawn and then allocated, at a cost
// of one pass over the row plus the arrivals. The law is the same.
void draw_poisson_row(std::span<const double> means, std::vector<CellCount>& cells, Stream& rng);

}  // namespace hmmlt
