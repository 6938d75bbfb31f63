#include "hmmlt/random/dirichlet.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("dirichlet: each weight has its Beta marginal and all add up to 1") {
    Stream rng({.seed = 50});
    const std::vector<double> concentration{0.02, 0.5, 1.0, 4.0};
    const double total = std::accumulate(concentration.begin(), concentration.end(), 0.0);
    std::vector<std::vector<double>> weights(concentration.size());
    std::vector<double> x(concentration.size());
    for (int i = 0; i < 200000; ++i) {
        draw_dirichlet(concentration, x, rng);
        REQUIRE(std::accumulate(x.begin(), x.end(), 0.0) == doctest::Approx(1.0).epsilon(1e-12));
        for (std::size_t k = 0; k < x.size(); ++k) weights[k].push_back(x[k]);
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
        CAPTURE(k);
        const double a = concentration[k];
        const auto cdf = [a, total](double w) { return boost::math::ibeta(a, total - a, w); };
        CHECK(testing::kolmogorov_smirnov(weights[k], cdf) > level);
    }
}

TEST_CASE("dirichlet: weights are jointly right (negative correlation)") {
    Stream rng({.seed = 51});
    const std::vector<double> concentration{1.0, 2.0, 3.0};
    std::vector<double> x(3);
    // E x_0 x_1 = a_0 a_1 / (A (A + 1)) = 2 / 42; Var from E x_0^2 x_1^2 = a_0(a_0+1) a_1(a_1+1) / (A..A+3)
    const double mean = 2.0 / 42.0;
    const double second = 1.0 * 2.0 * 2.0 * 3.0 / (6.0 * 7.0 * 8.0 * 9.0);
    const auto products = testing::sample(200000, [&] {
        draw_dirichlet(concentration, x, rng);
        return x[0] * x[1];
    });
    CHECK(testing::z_test(products, mean, std::sqrt(second - mean * mean)) > level);
}

TEST_CASE("dirichlet: tiny concentrations give finite logarithms, never NaN") {
    Stream rng({.seed = 52});
    const std::vector<double> concentration(600, 1e-10);
    std::vector<double> log_x(600);
    std::vector<double> winners(600, 0.0);
    for (int i = 0; i < 60000; ++i) {
        draw_log_dirichlet(concentration, log_x, rng);
        double total = 0.0;
        for (std::size_t k = 0; k < log_x.size(); ++k) {
            REQUIRE(std::isfinite(log_x[k]));
            total += std::exp(log_x[k]);
            if (log_x[k] > -0.5) winners[k] += 1.0;
        }
        REQUIRE(total == doctest::Approx(1.0).epsilon(1e-12));
    }
    // one weight takes everything, and each is equally likely to
    CHECK(testing::chi_square(winners, std::vector<double>(600, 100.0)) > level);
}

TEST_CASE("dirichlet: bad arguments are named") {
    Stream rng({.seed = 53});
    std::vector<double> x(2);
    CHECK_THROWS_WITH_AS(draw_dirichlet(std::vector<double>{1.0, 1.0, 1.0}, x, rng),
                         "draw_log_dirichlet: log_x must be of size 3, found 2", std::domain_error);
    CHECK_THROWS_AS(draw_dirichlet(std::vector<double>{1.0, 0.0}, x, rng), std::domain_error);
    CHECK_THROWS_WITH_AS(draw_dirichlet(std::vector<double>{1e-301, 1e-302}, x, rng),
                         "draw_log_dirichlet: one concentration must be at least 1e-300, found none",
                         std::domain_error);
    draw_dirichlet(std::vector<double>{1e-301, 1e-300}, x, rng);
    CHECK(x == std::vector<double>{0.0, 1.0});
    CHECK_THROWS_WITH_AS(draw_dirichlet({}, {}, rng),
                         "draw_log_dirichlet: concentration must be non-empty, found nothing", std::domain_error);
}
