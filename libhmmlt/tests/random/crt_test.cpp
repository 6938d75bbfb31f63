// Tables of a Chinese restaurant against the exact law (convolution of Bernoulli variables) and against exact moments.
#include "hmmlt/random/crt.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

double draw(double n, double a, Stream& rng) {
    return static_cast<double>(draw_crt(n, a, rng));
}

}  // namespace

TEST_CASE("crt: the exact law, with customers asked one by one and by galloping") {
    Stream rng({.seed = 90});
    for (const int n : {2, 5, 49, 50, 51, 52, 300, 2000})
        for (const double a : {0.01, 0.5, 1.0, 20.0, 300.0}) {
            CAPTURE(n);
            CAPTURE(a);
            const std::vector<double> pmf = testing::crt_pmf(n, a);
            const auto draws = testing::sample(100000, [&] { return draw(n, a, rng); });
            const auto mass = [&](double k) { return pmf[static_cast<std::size_t>(k)]; };
            CHECK(testing::chi_square_of_counts(draws, mass, pmf.size()) > level);
        }
}

TEST_CASE("crt: mean and variance for astronomically many customers") {
    Stream rng({.seed = 91});
    for (const double n : {1e6, 1e12, 1e15, 1e18, 1e25})
        for (const double a : {1e-3, 0.5, 7.0}) {
            CAPTURE(n);
            CAPTURE(a);
            // mean = 1 + a (psi(a + n) - psi(a + 1)); variance = mean - 1 - a^2 (psi'(a + 1) - psi'(a + n))
            const double opened = a * (boost::math::digamma(a + n) - boost::math::digamma(a + 1.0));
            const double variance = opened - a * a * (boost::math::trigamma(a + 1.0) - boost::math::trigamma(a + n));
            const auto draws = testing::sample(50000, [&] { return draw(n, a, rng); });
            CHECK(testing::z_test(draws, 1.0 + opened, std::sqrt(variance)) > level);
            std::vector<double> squares;
            for (const double x : draws) squares.push_back((x - 1.0 - opened) * (x - 1.0 - opened));
            // nearly Poisson: the fourth central moment is close to v + 3 v^2, so this sd is generous by less than 1 %
            CHECK(testing::z_test(squares, variance, std::sqrt(variance + 2.0 * variance * variance)) > level);
        }
}

TEST_CASE("crt: tiny and huge concentrations, no customers") {
    Stream rng({.seed = 92});
    CHECK(draw_crt(0.0, 3.0, rng) == 0);
    CHECK(draw_crt(1.0, 1e-300, rng) == 1);
    CHECK(draw_crt(1e18, 0.0, rng) == 1);  // alpha beta_k underflowed: still one table
    CHECK(draw_crt(1e18, 1e-300, rng) == 1);
    CHECK(draw_crt(1000.0, 1e300, rng) == 1000);
}

TEST_CASE("crt: bad arguments are named") {
    Stream rng({.seed = 93});
    CHECK_THROWS_WITH_AS(draw_crt(2.5, 1.0, rng), "draw_crt: n must be a whole number, found 2.5", std::domain_error);
    CHECK_THROWS_WITH_AS(draw_crt(-1.0, 1.0, rng), "draw_crt: n must be non-negative and finite, found -1",
                         std::domain_error);
    CHECK_THROWS_AS(draw_crt(10.0, -1.0, rng), std::domain_error);
}
