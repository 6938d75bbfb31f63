#include "hmmlt/random/binomial.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <stdexcept>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("binomial: right law for few and many trials, both tails") {
    Stream rng({.seed = 70});
    for (const std::uint64_t n : {1ul, 7ul, 100ul, 5000ul})
        for (const double p : {0.001, 0.3, 0.5, 0.9}) {
            CAPTURE(n);
            CAPTURE(p);
            const auto draws = testing::sample(500000, [&] { return static_cast<double>(draw_binomial(n, p, rng)); });
            const boost::math::binomial law(static_cast<double>(n), p);
            // the highest count is left to the last cell
            const auto pmf = [&](double k) { return boost::math::pdf(law, k); };
            CHECK(testing::chi_square_of_counts(draws, pmf, n + 1) > level);
        }
}

TEST_CASE("binomial: probabilities that vanish beside 1") {
    // 1 - p is not a double: an algorithm that forms it draws from another law
    Stream rng({.seed = 71});
    const auto draws = testing::sample(
        500000, [&] { return static_cast<double>(draw_binomial(std::uint64_t{1} << 53, 2.4 * 0x1p-53, rng)); });
    const auto poisson = [](double k) { return std::exp(-2.4 + k * std::log(2.4) - std::lgamma(k + 1.0)); };
    CHECK(testing::chi_square_of_counts(draws, poisson, 25) > level);
}

TEST_CASE("binomial: certain outcomes and bad arguments") {
    Stream rng({.seed = 72});
    CHECK(draw_binomial(0, 0.5, rng) == 0);
    CHECK(draw_binomial(10, 0.0, rng) == 0);
    CHECK(draw_binomial(10, 1.0, rng) == 10);
    CHECK_THROWS_WITH_AS(draw_binomial(10, 1.5, rng), "draw_binomial: p must be in [0, 1], found 1.5",
                         std::domain_error);
    CHECK_THROWS_AS(draw_binomial((std::uint64_t{1} << 53) + 1, 0.5, rng), std::domain_error);
}
