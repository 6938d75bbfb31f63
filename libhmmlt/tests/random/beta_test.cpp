#include "hmmlt/random/beta.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <stdexcept>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("beta: right law for small, moderate and large parameters") {
    Stream rng({.seed = 40});
    for (const auto& [a, b] : {std::pair{1.0, 1.0}, {0.5, 0.5}, {0.05, 3.0}, {3.0, 400.0}, {2e4, 5e4}}) {
        CAPTURE(a);
        CAPTURE(b);
        const auto draws = testing::sample(200000, [&] { return draw_beta(a, b, rng); });
        const auto cdf = [a = a, b = b](double x) { return boost::math::ibeta(a, b, x); };
        CHECK(testing::kolmogorov_smirnov(draws, cdf) > level);
    }
}

TEST_CASE("beta: logarithms stay accurate where x or 1 - x underflows") {
    Stream rng({.seed = 41});
    // Beta(a, 1): log X = log(U) / a, so a log X is minus a standard exponential variable.
    const double a = 1e-8;
    const auto draws = testing::sample(200000, [&] { return -a * draw_log_beta(a, 1.0, rng).log_x; });
    CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return -std::expm1(-x); }) > level);
    // and mirrored
    const auto mirrored = testing::sample(200000, [&] { return -a * draw_log_beta(1.0, a, rng).log_1mx; });
    CHECK(testing::kolmogorov_smirnov(mirrored, [](double x) { return -std::expm1(-x); }) > level);
}

TEST_CASE("beta: the two logarithms belong to one x") {
    Stream rng({.seed = 42});
    for (int i = 0; i < 1000; ++i) {
        const LogBetaDraw draw = draw_log_beta(0.7, 0.2, rng);
        CHECK(std::exp(draw.log_x) + std::exp(draw.log_1mx) == doctest::Approx(1.0).epsilon(1e-14));
    }
}

TEST_CASE("beta: bad arguments are named") {
    Stream rng({.seed = 43});
    CHECK_THROWS_WITH_AS(draw_log_beta(-1.0, 1.0, rng), "draw_log_beta: a must be positive and finite, found -1",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(draw_beta(1.0, 0.0, rng), "draw_log_beta: b must be positive and finite, found 0",
                         std::domain_error);
}
