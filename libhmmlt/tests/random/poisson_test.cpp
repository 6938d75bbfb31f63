#include "hmmlt/random/poisson.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

double poisson_pmf(double mean, double k) {
    return std::exp(-mean + k * std::log(mean) - std::lgamma(k + 1.0));
}

}  // namespace

TEST_CASE("poisson: right law for small and moderate means") {
    Stream rng({.seed = 60});
    for (const double mean : {1e-3, 0.1, 1.0, 9.99, 10.01, 55.0, 1000.0}) {
        CAPTURE(mean);
        const auto draws = testing::sample(500000, [&] { return draw_poisson(mean, rng); });
        const auto n_cells = static_cast<std::size_t>(mean + 10.0 * std::sqrt(mean) + 10.0);
        CHECK(testing::chi_square_of_counts(
                  draws, [&](double k) { return poisson_pmf(mean, k); }, n_cells) > level);
    }
}

TEST_CASE("poisson: huge means, on both sides of the change of algorithm") {
    Stream rng({.seed = 61});
    for (const double mean : {1e9, 0.99e12, 1.01e12, 1e15, 1e18, 1e24}) {
        CAPTURE(mean);
        const auto draws = testing::sample(500000, [&] { return (draw_poisson(mean, rng) - mean) / std::sqrt(mean); });
        CHECK(testing::kolmogorov_smirnov(draws, testing::normal_cdf) > level);
    }
    const double count = draw_poisson(1.5e12, rng);
    CHECK(count == std::floor(count));
}

TEST_CASE("poisson: the quantile of huge means has the right skewness") {
    // At mean 1e4 the exact distribution function is at hand; without the skewness term the error would be 100 times
    // 1/mean.
    for (const double z : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
        CAPTURE(z);
        const double mean = 1e4;
        const double x = poisson_quantile(mean, z);
        // P(N <= k) = gamma_q(k + 1, mean), made continuous at the half points
        const double probability = boost::math::gamma_q(x + 0.5, mean);
        CHECK(std::abs(probability - testing::normal_cdf(z)) < 1.0 / mean);
    }
}

TEST_CASE("poisson: mean 0 gives 0, bad means are named") {
    Stream rng({.seed = 62});
    CHECK(draw_poisson(0.0, rng) == 0.0);
    CHECK_THROWS_WITH_AS(draw_poisson(-1.0, rng), "draw_poisson: mean must be non-negative and finite, found -1",
                         std::domain_error);
    CHECK_THROWS_AS(draw_poisson(std::numeric_limits<double>::quiet_NaN(), rng), std::domain_error);
    CHECK_THROWS_AS(draw_poisson(std::numeric_limits<double>::infinity(), rng), std::domain_error);
}

TEST_CASE("poisson row: every cell has its own law, sparse or dense") {
    const std::vector<double> shares{0.0, 0.3, 0.0, 0.05, 0.6, 0.05, 0.0};
    std::uint64_t seed = 63;
    for (const double total : {0.2, 1.5, 40.0}) {  // all cells share a total; some do; none does
        CAPTURE(total);
        Stream rng({.seed = seed++});
        std::vector<double> means(shares);
        for (double& mean : means) mean *= total;
        std::vector<std::vector<double>> counts(means.size());
        std::vector<double> products;
        std::vector<CellCount> cells;
        for (int i = 0; i < 200000; ++i) {
            draw_poisson_row(means, cells, rng);
            std::vector<double> row(means.size(), 0.0);
            std::uint32_t next = 0;
            for (const CellCount& cell : cells) {
                REQUIRE(cell.index >= next);
                REQUIRE(cell.count > 0.0);
                next = cell.index + 1;
                row[cell.index] = cell.count;
            }
            for (std::size_t k = 0; k < row.size(); ++k) counts[k].push_back(row[k]);
            products.push_back((row[1] - means[1]) * (row[4] - means[4]));
        }
        for (std::size_t k = 0; k < means.size(); ++k) {
            CAPTURE(k);
            if (means[k] == 0.0)
                CHECK(std::accumulate(counts[k].begin(), counts[k].end(), 0.0) == 0.0);
            else
                CHECK(testing::chi_square_of_counts(
                          counts[k], [&](double n) { return poisson_pmf(means[k], n); },
                          static_cast<std::size_t>(means[k] + 10.0 * std::sqrt(means[k]) + 3.0)) > level);
        }
        // cells are independent: their centred product has mean 0 and variance means_1 means_4
        CHECK(testing::z_test(products, 0.0, std::sqrt(means[1] * means[4])) > level);
    }
}

TEST_CASE("poisson row: empty, all zero and bad rows") {
    Stream rng({.seed = 66});
    std::vector<CellCount> cells{{7, 1.0}};
    draw_poisson_row({}, cells, rng);
    CHECK(cells.empty());
    cells = {{7, 1.0}};
    draw_poisson_row(std::vector<double>(5, 0.0), cells, rng);
    CHECK(cells.empty());
    CHECK_THROWS_WITH_AS(draw_poisson_row(std::vector<double>{1.0, -0.5}, cells, rng),
                         "draw_poisson_row: means must be non-negative and finite, found -0.5", std::domain_error);
}
