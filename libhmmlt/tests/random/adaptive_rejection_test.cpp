// Adaptive rejection against laws with a known distribution function, on every kind of interval.
#include "hmmlt/random/adaptive_rejection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <stdexcept>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

using Density = std::function<LogDensity(double)>;

Density log_gamma_density(double shape, double rate) {
    return [=](double x) { return LogDensity{(shape - 1.0) * std::log(x) - rate * x, (shape - 1.0) / x - rate}; };
}

}  // namespace

TEST_CASE("adaptive rejection: normal on the whole line, from near and far starts") {
    Stream rng({.seed = 100});
    const Density f = [](double x) { return LogDensity{-0.5 * (x - 7.0) * (x - 7.0) / 9.0, -(x - 7.0) / 9.0}; };
    for (const double start : {7.0, 0.0, -500.0, 1e6}) {
        CAPTURE(start);
        const auto draws = testing::sample(100000, [&] { return draw_log_concave(f, {}, start, rng); });
        CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return testing::normal_cdf((x - 7.0) / 3.0); }) >
              level);
    }
}

TEST_CASE("adaptive rejection: probes that land exactly on a mode or a plateau, with open sides") {
    Stream rng({.seed = 106});
    const Density normal = [](double x) { return LogDensity{-0.5 * x * x, -x}; };
    for (const double start : {0.0, 1.0, 3.0, -1.0}) {
        CAPTURE(start);
        const auto draws = testing::sample(50000, [&] { return draw_log_concave(normal, {}, start, rng); });
        CHECK(testing::kolmogorov_smirnov(draws, testing::normal_cdf) > level);
    }
    const auto cut = testing::sample(50000, [&] { return draw_log_concave(normal, {.upper = 5.0}, 0.0, rng); });
    CHECK(testing::kolmogorov_smirnov(cut, testing::normal_cdf) > level);  // 5 standard deviations cut nothing visible
    const Density log_exponential = [](double x) { return LogDensity{x - std::exp(x), 1.0 - std::exp(x)}; };
    for (const double start : {0.0, 1.0, -30.0}) {
        const auto draws = testing::sample(50000, [&] { return draw_log_concave(log_exponential, {}, start, rng); });
        CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return -std::expm1(-std::exp(x)); }) > level);
    }
    // the logit of Beta(2, 2): a probe from -1.5 lands on 0, where the slope is all but nothing, and far out the log
    // density overflows to NaN
    const Density almost_flat = [](double x) {
        return LogDensity{2.0 * x - 4.0 * (std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)))),
                          2.0 - 4.0 / (1.0 + std::exp(-x)) - (x == 0.0 ? 2e-308 : 0.0)};
    };
    const auto logits = testing::sample(50000, [&] { return draw_log_concave(almost_flat, {}, -1.5, rng); });
    CHECK(testing::kolmogorov_smirnov(logits, [](double x) {
              const double p = 1.0 / (1.0 + std::exp(-x));
              return p * p * (3.0 - 2.0 * p);
          }) > level);
    const Density plateau = [](double x) {
        const double beyond = std::max(0.0, std::abs(x) - 1.0);
        return LogDensity{-beyond, beyond == 0.0 ? 0.0 : (x > 0.0 ? -1.0 : 1.0)};
    };
    const auto flat = testing::sample(50000, [&] { return draw_log_concave(plateau, {}, 0.25, rng); });
    CHECK(testing::kolmogorov_smirnov(flat, [](double x) {  // mass 1 in each tail, 2 in the middle
              if (x < -1.0) return 0.25 * std::exp(x + 1.0);
              if (x > 1.0) return 1.0 - 0.25 * std::exp(1.0 - x);
              return 0.5 + 0.25 * x;
          }) > level);
}

TEST_CASE("adaptive rejection: tails that underflow are the zeros they are") {
    Stream rng({.seed = 107});
    const Density steep = [](double x) { return LogDensity{x - std::exp(x), 1.0 - std::exp(x)}; };
    const auto draws = testing::sample(50000, [&] { return draw_log_concave(steep, {.lower = 0.0}, 1e-9, rng); });
    CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return -std::expm1(1.0 - std::exp(x)); }) > level);
}

TEST_CASE("adaptive rejection: a million draws see errors of a tenth in the acceptance test") {
    Stream rng({.seed = 108});
    const Density normal = [](double x) { return LogDensity{-0.5 * x * x, -x}; };
    const auto draws = testing::sample(1000000, [&] { return draw_log_concave(normal, {}, 0.3, rng); });
    CHECK(testing::kolmogorov_smirnov(draws, testing::normal_cdf) > level);
    std::vector<double> squares;
    for (const double x : draws) squares.push_back(x * x);
    CHECK(testing::z_test(squares, 1.0, std::sqrt(2.0)) > level);
}

TEST_CASE("adaptive rejection: gamma on the half line, exponential included, over many scales") {
    Stream rng({.seed = 101});
    for (const double shape : {1.0, 1.5, 40.0, 1e6})
        for (const double rate : {1e-6, 1.0, 1e8}) {
            CAPTURE(shape);
            CAPTURE(rate);
            const Density f = log_gamma_density(shape, rate);
            const auto draws = testing::sample(50000, [&] { return draw_log_concave(f, {.lower = 0.0}, 1.0, rng); });
            const auto cdf = [&](double x) { return boost::math::gamma_p(shape, rate * x); };
            CHECK(testing::kolmogorov_smirnov(draws, cdf) > level);
        }
}

TEST_CASE("adaptive rejection: bounded intervals: beta, uniform, a steep slope in either direction") {
    Stream rng({.seed = 102});
    const Interval unit{.lower = 0.0, .upper = 1.0};
    const Density beta = [](double x) {
        return LogDensity{1.5 * std::log(x) + 3.0 * std::log1p(-x), 1.5 / x - 3.0 / (1.0 - x)};
    };
    const auto betas = testing::sample(100000, [&] { return draw_log_concave(beta, unit, 0.9, rng); });
    CHECK(testing::kolmogorov_smirnov(betas, [](double x) { return boost::math::ibeta(2.5, 4.0, x); }) > level);

    const Density flat = [](double) { return LogDensity{1e4, 0.0}; };
    const auto uniforms = testing::sample(100000, [&] { return draw_log_concave(flat, unit, 0.5, rng); });
    CHECK(testing::kolmogorov_smirnov(uniforms, [](double x) { return x; }) > level);

    for (const double slope : {1e6, -1e6, 1e-10}) {
        CAPTURE(slope);
        const Density f = [=](double x) { return LogDensity{slope * x, slope}; };
        const auto draws = testing::sample(100000, [&] { return draw_log_concave(f, unit, 0.5, rng); });
        const auto cdf = [=](double x) {
            if (slope > 1.0) return std::exp(slope * (x - 1.0));
            return std::expm1(slope * x) / std::expm1(slope);
        };
        CHECK(testing::kolmogorov_smirnov(draws, cdf) > level);
    }
}

TEST_CASE("adaptive rejection: a density of the shape lambda has, with huge counts") {
    // exp(-b x) (1 - exp(-x))^q: y = exp(-x) is Beta(b, q + 1)
    Stream rng({.seed = 103});
    for (const double q : {0.0, 3.0, 1e5, 1e9}) {
        CAPTURE(q);
        const double b = 20.0;
        const Density f = [=](double x) {
            if (q == 0.0) return LogDensity{-b * x, -b};
            return LogDensity{-b * x + q * std::log(-std::expm1(-x)), -b + q / std::expm1(x)};
        };
        const auto draws = testing::sample(20000, [&] { return draw_log_concave(f, {.lower = 0.0}, 1.5, rng); });
        const auto cdf = [=](double x) { return boost::math::ibetac(b, q + 1.0, std::exp(-x)); };
        CHECK(testing::kolmogorov_smirnov(draws, cdf) > level);
    }
}

TEST_CASE("adaptive rejection: few evaluations are enough") {
    Stream rng({.seed = 104});
    int evaluations = 0;
    const Density f = [&](double x) {
        ++evaluations;
        return log_gamma_density(5.0, 1.0)(x);
    };
    for (int i = 0; i < 1000; ++i) draw_log_concave(f, {.lower = 0.0}, 4.0, rng);
    CHECK(evaluations < 6000);
}

TEST_CASE("adaptive rejection: what it cannot do it refuses") {
    Stream rng({.seed = 105});
    const Density convex = [](double x) { return LogDensity{x * x, 2.0 * x}; };
    CHECK_THROWS_AS(for (int i = 0; i < 100; ++i) draw_log_concave(convex, {.lower = -1.0, .upper = 1.0}, 0.1, rng),
                    std::domain_error);
    const Density two_humps = [](double x) { return LogDensity{std::cos(6.0 * x), -6.0 * std::sin(6.0 * x)}; };
    CHECK_THROWS_AS(for (int i = 0; i < 100; ++i) draw_log_concave(two_humps, {.lower = -2.0, .upper = 2.0}, 0.1, rng),
                    std::domain_error);
    const Density huge = [](double x) { return LogDensity{1e15 - 0.5 * x * x, -x}; };
    CHECK_THROWS_AS(draw_log_concave(huge, {}, 0.5, rng), std::domain_error);
    const Density flat = [](double) { return LogDensity{0.0, 0.0}; };
    CHECK_THROWS_WITH_AS(draw_log_concave(flat, {.lower = 0.0}, 1.0, rng),
                         "draw_log_concave: the density is not integrable", std::domain_error);
    const Density broken = [](double) { return LogDensity{std::nan(""), 0.0}; };
    CHECK_THROWS_WITH_AS(draw_log_concave(broken, {.lower = 0.0}, 1.0, rng),
                         "draw_log_concave: the density is not finite at 1", std::domain_error);
    CHECK_THROWS_WITH_AS(draw_log_concave(flat, {.lower = 0.0, .upper = 1.0}, 1.0, rng),
                         "draw_log_concave: start must be inside (0, 1), found 1", std::domain_error);
    CHECK_THROWS_AS(draw_log_concave(flat, {.lower = 1.0, .upper = 0.0}, 0.5, rng), std::domain_error);
}
