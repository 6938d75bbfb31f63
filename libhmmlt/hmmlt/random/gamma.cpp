// Marsaglia and Tsang's method (ACM TOMS 26, 2000) on Boost's normal draws. Boost's own gamma distribution is not used:
// its acceptance test cancels, and from shape 1e15 on its law is visibly wrong (tests/random/gamma_test.cpp shows
// ours).
#include "hmmlt/random/gamma.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

void check_shape(const char* function, double shape) {
    check_positive_finite(function, "shape", shape);
    if (shape < smallest_gamma_shape)
        throw std::domain_error(
            fmt::format("{}: shape must be at least {}, found {}", function, smallest_gamma_shape, shape));
}

// Gamma(shape, 1) for shape >= 1, as d (1 + v) with v small for large shapes: the acceptance test is written in v, so
// that it loses no digits however large the shape is.
double draw_gamma_from_one(double shape, Stream& rng) {
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = draw_standard_normal(rng);
        const double cx = c * x;
        if (cx <= -1.0) continue;
        const double v = cx * (3.0 + cx * (3.0 + cx));  // (1 + c x)^3 - 1
        const double u = draw_uniform(rng);
        const double x2 = x * x;
        if (u < 1.0 - 0.0331 * x2 * x2) return d + d * v;
        if (std::log(u) < 0.5 * x2 + d * (std::log1p(v) - v)) return d + d * v;
    }
}

}  // namespace

double draw_log_gamma(double shape, Stream& rng) {
    check_shape("draw_log_gamma", shape);
    if (shape >= 1.0) return std::log(draw_gamma_from_one(shape, rng));
    const double log_of_next = std::log(draw_gamma_from_one(shape + 1.0, rng));
    return log_of_next + std::log(draw_uniform(rng)) / shape;
}

double draw_gamma(double shape, double rate, Stream& rng) {
    check_shape("draw_gamma", shape);
    check_positive_finite("draw_gamma", "rate", rate);
    if (shape >= 1.0) return draw_gamma_from_one(shape, rng) / rate;
    return std::exp(draw_log_gamma(shape, rng) - std::log(rate));
}

}  // namespace hmmlt
