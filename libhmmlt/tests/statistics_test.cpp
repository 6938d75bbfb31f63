// The referees must be able to say no: laws that are slightly wrong are rejected at the level the tests use.
#include "statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/poisson.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("statistics: the Kolmogorov-Smirnov test accepts the right law and rejects one that is 3 % too wide") {
    Stream rng({.seed = 11});
    const auto right = testing::sample(200000, [&] { return draw_standard_normal(rng); });
    const auto wide = testing::sample(200000, [&] { return draw_normal(0.0, 1.03, rng); });
    CHECK(testing::kolmogorov_smirnov(right, testing::normal_cdf) > 1e-3);
    CHECK(testing::kolmogorov_smirnov(wide, testing::normal_cdf) < level);
}

TEST_CASE("statistics: the Kolmogorov-Smirnov test skips only draws that cannot be the farthest from the law") {
    Stream rng({.seed = 13});
    for (const std::size_t n : {1U, 2U, 3U, 10U, 1000U, 50000U})
        for (const double sd : {1.0, 1.02, 2.0}) {
            CAPTURE(n);
            CAPTURE(sd);
            auto draws = testing::sample(n, [&] { return draw_normal(0.0, sd, rng); });
            std::size_t n_looks = 0;
            const double p = testing::kolmogorov_smirnov(draws, [&](double x) {
                ++n_looks;
                return testing::normal_cdf(x);
            });
            std::sort(draws.begin(), draws.end());
            double distance = 0.0;  // the definition, draw by draw
            for (std::size_t i = 0; i < n; ++i) {
                const double probability = testing::normal_cdf(draws[i]);
                const double below = static_cast<double>(i) / static_cast<double>(n);
                const double above = static_cast<double>(i + 1) / static_cast<double>(n);
                distance = std::max({distance, probability - below, above - probability});
            }
            CHECK(p == testing::kolmogorov_p_value(n, distance));
            if (n == 50000) CHECK(n_looks < n / 10);
        }
}

TEST_CASE("statistics: the Kolmogorov-Smirnov test refuses draws that are no numbers and a cdf that falls") {
    Stream rng({.seed = 14});
    auto draws = testing::sample(10000, [&] { return draw_normal(0.0, 1.0, rng); });
    const auto falling = [](double x) { return testing::normal_cdf(x) + (x > 0.1 && x < 1.0 ? -0.3 : 0.0); };
    CHECK_THROWS_AS(testing::kolmogorov_smirnov(draws, falling), std::logic_error);
    draws[1234] = std::numeric_limits<double>::quiet_NaN();  // one among thousands that are skipped
    CHECK_THROWS_AS(testing::kolmogorov_smirnov(draws, testing::normal_cdf), std::logic_error);
    CHECK_THROWS_AS(testing::kolmogorov_smirnov({}, testing::normal_cdf), std::logic_error);
}

TEST_CASE("statistics: the chi-square test accepts the right law and rejects a mean that is 3 % too large") {
    Stream rng({.seed = 12});
    const auto pmf = [](double k) { return std::exp(-3.0 + k * std::log(3.0) - std::lgamma(k + 1.0)); };
    const auto right = testing::sample(200000, [&] { return draw_poisson(3.0, rng); });
    const auto wrong = testing::sample(200000, [&] { return draw_poisson(3.09, rng); });
    CHECK(testing::chi_square_of_counts(right, pmf, 30) > 1e-3);
    CHECK(testing::chi_square_of_counts(wrong, pmf, 30) < level);
    CHECK(testing::z_test(right, 3.0, std::sqrt(3.0)) > 1e-3);
    CHECK(testing::z_test(wrong, 3.0, std::sqrt(3.0)) < level);
}

TEST_CASE("statistics: a test that could not fail is refused") {
    CHECK_THROWS_AS(testing::chi_square({100.0}, {100.0}), std::logic_error);
    CHECK_THROWS_AS(testing::chi_square({50.0, 50.0}, {50.0, 60.0}), std::logic_error);
}
