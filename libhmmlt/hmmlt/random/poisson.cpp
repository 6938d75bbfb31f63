// Poisson counts: sequential search, Boost's rejection or a normal quantile, by the size of the mean.
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
constexpr double largest_boost_mean = 1e12;

// Cells from this mean on are drawn by themselves; a row of smaller ones shares its arrivals.
constexpr double large_cell = 0.5;

// Sequential search. The sum of probabilities stops growing below 1 by some rounding, so the search ends there: u may
// lie above it.
double invert_small_mean(double mean, Stream& rng) {
    const double u = draw_uniform(rng);
    double count = 0.0;
    double probability = std::exp(-mean);
    for (double below = probability; u > below;) {
        count += 1.0;
        probability *= mean / count;
        const double next = below + probability;
        if (next == below && count > mean) break;
        below = next;
    }
    return count;
}

// The points of a Poisson number of arrivals on (0, total), in increasing order.
class Arrivals {
  public:
    Arrivals(double total, Stream& rng) : total_(total), rng_(rng), remaining_(draw_poisson(total, rng) + 1.0) {
        next();
    }

    bool any_left() const { return remaining_ > 0.0; }
    double position() const { return position_; }
    void next() {
        remaining_ -= 1.0;
        if (!any_left()) return;
        survival_ *= std::exp(std::log(draw_uniform(rng_)) / remaining_);
        position_ = total_ * (1.0 - survival_);
    }

  private:
    double total_;
    Stream& rng_;
    double remaining_;
    double survival_ = 1.0;  // 1 - the current order statistic of U(0, 1)
    double position_ = 0.0;
};

}  // namespace

double draw_poisson(double mean, Stream& rng) {
    check_nonnegative_finite("draw_poisson", "mean", mean);
    if (mean == 0.0) return 0.0;
    if (mean < 10.0) return invert_small_mean(mean, rng);
    if (mean <= largest_boost_mean)
        return static_cast<double>(boost::random::poisson_distribution<std::int64_t, double>(mean)(rng));
    return std::nearbyint(poisson_quantile(mean, draw_standard_normal(rng)));
}

double poisson_quantile(double mean, double z) {
    return mean + std::sqrt(mean) * z + (z * z - 1.0) / 6.0;
}

void draw_poisson_row(std::span<const double> means, std::vector<CellCount>& cells, Stream& rng) {
    cells.clear();
    double shared = 0.0;
    std::uint32_t last_shared = 0;
    for (std::uint32_t index = 0; index < means.size(); ++index) {
        check_nonnegative_finite("draw_poisson_row", "means", means[index]);
        if (means[index] > 0.0 && means[index] < large_cell) {
            shared += means[index];
            last_shared = index;
        }
    }
    Arrivals arrivals(shared, rng);
    double upper = 0.0;
    for (std::uint32_t index = 0; index < means.size(); ++index) {
        double count = 0.0;
        if (means[index] >= large_cell) {
            count = draw_poisson(means[index], rng);
        } else if (means[index] > 0.0) {
            upper += means[index];
            // what rounding leaves beyond the sum of the means belongs to the last cell that can have any
            for (; arrivals.any_left() && (arrivals.position() < upper || index == last_shared); arrivals.next())
                count += 1.0;
        }
        if (count > 0.0) cells.push_back({index, count});
    }
}

}  // namespace hmmlt
