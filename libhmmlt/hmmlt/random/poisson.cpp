#include "hmmlt/random/poisson.hpp"

#include <boost/random/poisson_distribution.hpp>
#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Boost's acceptance test subtracts numbers of the size of the mean; at 1e15 its law is visibly wrong, at 1e12 it still
// has four digits to spare.
constexpr double largest_exact_mean = 1e12;

// Below this many expected arrivals per cell, allocating arrivals is cheaper than drawing every cell.
constexpr double sparse_arrivals_per_cell = 0.5;

void add_arrival(std::vector<CellCount>& cells, std::uint32_t index) {
    if (cells.empty() || cells.back().index != index) cells.push_back({index, 0.0});
    cells.back().count += 1.0;
}

// The arrivals are n independent points on (0, total); in increasing order they are found in one walk along the row.
void allocate_arrivals(std::span<const double> means, double total, double n_arrivals, std::vector<CellCount>& cells,
                       Stream& rng) {
    std::uint32_t index = 0;
    std::uint32_t last_possible = static_cast<std::uint32_t>(means.size()) - 1;
    while (means[last_possible] == 0.0) --last_possible;
    double upper = means[0];
    double survival = 1.0;  // 1 - the current order statistic of U(0, 1)
    for (double remaining = n_arrivals; remaining > 0.0; remaining -= 1.0) {
        survival *= std::exp(std::log(draw_uniform(rng)) / remaining);
        const double position = total * (1.0 - survival);
        // A sum of many means may round below `total`: what lies beyond it belongs to the last cell that can have any.
        while (position >= upper && index < last_possible) upper += means[++index];
        add_arrival(cells, index);
    }
}

}  // namespace

double draw_poisson(double mean, Stream& rng) {
    check_nonnegative_finite("draw_poisson", "mean", mean);
    if (mean == 0.0) return 0.0;
    if (mean <= largest_exact_mean)
        return static_cast<double>(boost::random::poisson_distribution<std::int64_t, double>(mean)(rng));
    const double z = draw_standard_normal(rng);
    return std::nearbyint(mean + std::sqrt(mean) * z + (z * z - 1.0) / 6.0);
}

void draw_poisson_row(std::span<const double> means, std::vector<CellCount>& cells, Stream& rng) {
    cells.clear();
    double total = 0.0;
    for (const double mean : means) {
        check_nonnegative_finite("draw_poisson_row", "means", mean);
        total += mean;
    }
    if (total == 0.0) return;
    if (total < sparse_arrivals_per_cell * static_cast<double>(means.size())) {
        allocate_arrivals(means, total, draw_poisson(total, rng), cells, rng);
        return;
    }
    for (std::uint32_t index = 0; index < means.size(); ++index) {
        const double count = draw_poisson(means[index], rng);
        if (count > 0.0) cells.push_back({index, count});
    }
}

}  // namespace hmmlt
