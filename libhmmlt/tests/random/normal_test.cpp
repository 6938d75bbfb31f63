#include "hmmlt/random/normal.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("normal: right law in the bulk and in the tail") {
    Stream rng({.seed = 20});
    const auto draws = testing::sample(1000000, [&] { return draw_normal(-3.0, 2.0, rng); });
    CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return testing::normal_cdf((x + 3.0) / 2.0); }) > level);
    // beyond 3.5 standard deviations the ziggurat uses another algorithm
    const auto tail = testing::sample(1000000, [&] { return draw_standard_normal(rng) > 3.6 ? 1.0 : 0.0; });
    const double p = testing::normal_cdf(-3.6);
    CHECK(testing::z_test(tail, p, std::sqrt(p * (1.0 - p))) > level);
}

TEST_CASE("normal: a standard deviation of 0 gives the mean") {
    Stream rng({.seed = 21});
    CHECK(draw_normal(1.5, 0.0, rng) == 1.5);
}

TEST_CASE("normal: bad arguments are named") {
    Stream rng({.seed = 22});
    CHECK_THROWS_WITH_AS(draw_normal(0.0, -1.0, rng), "draw_normal: sd must be non-negative and finite, found -1",
                         std::domain_error);
    CHECK_THROWS_AS(draw_normal(std::numeric_limits<double>::quiet_NaN(), 1.0, rng), std::domain_error);
}
