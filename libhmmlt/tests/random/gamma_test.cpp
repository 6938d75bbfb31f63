// Gamma draws over the 28 orders of magnitude of shapes that the sampler meets.
#include "hmmlt/random/gamma.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

// P(X <= exp(log_x)), X ~ Gamma(shape, 1); the leading term of the series where exp(log_x) underflows.
double log_gamma_cdf(double shape, double log_x) {
    if (log_x < -40.0) return std::exp(shape * log_x - std::lgamma(1.0 + shape));
    return boost::math::gamma_p(shape, std::exp(log_x));
}

}  // namespace

TEST_CASE("gamma: log draws have the right law from shape 1e-10 to 1e6") {
    Stream rng({.seed = 30});
    for (const double shape : {1e-10, 1e-6, 1e-3, 0.03, 0.3, 0.999, 1.0, 1.001, 2.5, 30.0, 1e3, 1e6}) {
        CAPTURE(shape);
        const auto draws = testing::sample(200000, [&] { return draw_log_gamma(shape, rng); });
        CHECK(testing::kolmogorov_smirnov(draws, [&](double x) { return log_gamma_cdf(shape, x); }) > level);
    }
}

TEST_CASE("gamma: two million draws see small errors of the constants: mean, variance, distribution") {
    Stream rng({.seed = 35});
    for (const double shape : {0.3, 1.0, 1.7, 6.0}) {
        CAPTURE(shape);
        const auto draws = testing::sample(2000000, [&] { return draw_gamma(shape, 1.0, rng); });
        CHECK(testing::kolmogorov_smirnov(draws, [&](double x) { return boost::math::gamma_p(shape, x); }) > level);
        CHECK(testing::z_test(draws, shape, std::sqrt(shape)) > level);
        std::vector<double> squares;
        for (const double x : draws) squares.push_back((x - shape) * (x - shape));
        // fourth central moment of Gamma(a, 1): 3 a^2 + 6 a
        CHECK(testing::z_test(squares, shape, std::sqrt(2.0 * shape * shape + 6.0 * shape)) > level);
    }
}

TEST_CASE("gamma: draws with a rate have the right law") {
    Stream rng({.seed = 31});
    for (const double shape : {0.1, 1.0, 7.0})
        for (const double rate : {1e-6, 1.0, 1e9}) {
            CAPTURE(shape);
            CAPTURE(rate);
            const auto draws = testing::sample(200000, [&] { return draw_gamma(shape, rate, rng); });
            const auto cdf = [&](double x) { return boost::math::gamma_p(shape, rate * x); };
            CHECK(testing::kolmogorov_smirnov(draws, cdf) > level);
        }
}

TEST_CASE("gamma: huge shapes, where the law is normal to within 1 / sqrt(shape)") {
    Stream rng({.seed = 32});
    for (const double shape : {1e12, 1e14, 1e15, 1e16, 1e18}) {
        CAPTURE(shape);
        const auto draws =
            testing::sample(500000, [&] { return (draw_gamma(shape, 1.0, rng) - shape) / std::sqrt(shape); });
        CHECK(testing::kolmogorov_smirnov(draws, testing::normal_cdf) > level);
    }
}

TEST_CASE("gamma: the smallest shape has finite logarithms") {
    Stream rng({.seed = 33});
    for (int i = 0; i < 1000; ++i) CHECK(std::isfinite(draw_log_gamma(smallest_gamma_shape, rng)));
    CHECK(draw_gamma(1e-12, 1.0, rng) == 0.0);
}

TEST_CASE("gamma: many cells at once have the right laws, each by itself") {
    const std::vector<double> shapes{1e-10, 1e-3, 0.03, 0.3, 0.999, 1.0, 1.001, 1.7, 2.5, 30.0, 1e3, 1e6, 1e15};
    constexpr std::size_t n_draws = 400000;
    std::vector<double> cells;  // every shape at every place of a vector: 13 is odd
    for (std::size_t i = 0; i < n_draws; ++i) cells.insert(cells.end(), shapes.begin(), shapes.end());
    std::vector<double> log_x(cells.size());
    Stream rng({.seed = 36});
    draw_log_gammas(cells, log_x, rng);
    for (std::size_t which = 0; which < shapes.size(); ++which) {
        const double shape = shapes[which];
        CAPTURE(shape);
        std::vector<double> draws(n_draws);
        for (std::size_t i = 0; i < n_draws; ++i) draws[i] = log_x[i * shapes.size() + which];
        if (shape > 1e12) {
            for (double& x : draws) x = std::sqrt(shape) * std::expm1(x - std::log(shape));
            CHECK(testing::kolmogorov_smirnov(draws, testing::normal_cdf) > level);
        } else {
            CHECK(testing::kolmogorov_smirnov(draws, [&](double x) { return log_gamma_cdf(shape, x); }) > level);
        }
    }
}

TEST_CASE("gamma: many cells at once are independent of their neighbours") {
    const std::vector<double> cells(1 << 20, 0.8);
    std::vector<double> log_x(cells.size());
    Stream rng({.seed = 37});
    draw_log_gammas(cells, log_x, rng);
    // ranks in (0, 1); products of those at a lag have mean 1/4 and variance 1/9 - 1/16 if they are independent
    for (double& x : log_x) x = log_gamma_cdf(0.8, x);
    for (const std::size_t lag : {1UL, 2UL, 8UL, 64UL, 128UL, 255UL, 256UL}) {
        CAPTURE(lag);
        std::vector<double> products;
        for (std::size_t i = 0; i + lag < log_x.size(); ++i)
            products.push_back((log_x[i] - 0.5) * (log_x[i + lag] - 0.5));
        CHECK(testing::z_test(products, 0.0, 1.0 / 12.0) > level);
    }
}

TEST_CASE("gamma: many cells at once, most of shape 1, have the right laws") {
    std::vector<double> cells(1 << 20, 1.0);
    for (std::size_t i = 3; i < cells.size(); i += 17) cells[i] = 2.5;
    std::vector<double> log_x(cells.size());
    Stream rng({.seed = 39});
    draw_log_gammas(cells, log_x, rng);
    for (const double shape : {1.0, 2.5}) {
        CAPTURE(shape);
        std::vector<double> draws;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] == shape) draws.push_back(log_x[i]);
        CHECK(testing::kolmogorov_smirnov(draws, [&](double x) { return log_gamma_cdf(shape, x); }) > level);
    }
}

TEST_CASE("gamma: many cells at once, most of small shapes, have the right laws") {
    const std::vector<double> small{1e-10, 3e-4, 0.03, 0.125};
    std::vector<double> cells(3 << 20);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = small[i % small.size()];
    for (std::size_t i = 3; i < cells.size(); i += 41) cells[i] = 2.5;
    for (std::size_t i = 5; i < cells.size(); i += 101) cells[i] = 0.0;
    std::vector<double> log_x(cells.size());
    Stream rng({.seed = 40});
    draw_log_gammas(cells, log_x, rng);
    for (const double shape : {1e-10, 3e-4, 0.03, 0.125, 2.5}) {
        CAPTURE(shape);
        std::vector<double> draws;
        std::vector<double> tail;  // above 1, where small shapes have few draws, and a branch of their own
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] == shape) draws.push_back(log_x[i]);
        for (const double x : draws)
            if (x > 0.0) tail.push_back(x);
        CHECK(testing::kolmogorov_smirnov(draws, [&](double x) { return log_gamma_cdf(shape, x); }) > level);
        if (shape < 0.01) continue;
        const double above_1 = boost::math::gamma_q(shape, 1.0);
        CHECK(testing::kolmogorov_smirnov(
                  tail, [&](double x) { return 1.0 - boost::math::gamma_q(shape, std::exp(x)) / above_1; }) > level);
        std::vector<double> is_above;
        for (const double x : draws) is_above.push_back(x > 0.0 ? 1.0 : 0.0);
        CHECK(testing::z_test(is_above, above_1, std::sqrt(above_1 * (1.0 - above_1))) > level);
    }
    for (std::size_t i = 5; i < cells.size(); i += 101) CHECK(log_x[i] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("gamma: many cells at once: exact zeros, odd sizes, bad shapes") {
    Stream rng({.seed = 38});
    const std::vector<double> shapes{0.0, 1e-301, 1e-300, 2.0};
    std::vector<double> log_x(4);
    draw_log_gammas(shapes, log_x, rng);
    CHECK(log_x[0] == -std::numeric_limits<double>::infinity());
    CHECK(log_x[1] == -std::numeric_limits<double>::infinity());
    CHECK(std::isfinite(log_x[2]));
    CHECK(std::isfinite(log_x[3]));
    draw_log_gammas({}, {}, rng);
    const std::vector<double> bad{1.0, std::nan("")};
    CHECK_THROWS_WITH_AS(draw_log_gammas(bad, std::span(log_x).first(2), rng),
                         "draw_log_gammas: shapes must be non-negative and finite, found nan", std::domain_error);
    const std::vector<double> no_numbers{2.0, std::numeric_limits<double>::infinity(), 3.0};
    for (int i = 0; i < 100; ++i)  // whatever the first attempt says
        CHECK_THROWS_AS(draw_log_gammas(no_numbers, std::span(log_x).first(3), rng), std::domain_error);
}

TEST_CASE("gamma: bad arguments are named") {
    Stream rng({.seed = 34});
    CHECK_THROWS_WITH_AS(draw_gamma(0.0, 1.0, rng), "draw_gamma: shape must be positive and finite, found 0",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(draw_gamma(1.0, 0.0, rng), "draw_gamma: rate must be positive and finite, found 0",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(draw_log_gamma(1e-301, rng), "draw_log_gamma: shape must be at least 1e-300, found 1e-301",
                         std::domain_error);
    CHECK_THROWS_AS(draw_log_gamma(std::numeric_limits<double>::infinity(), rng), std::domain_error);
}
