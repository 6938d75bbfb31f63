// Marsaglia and Tsang's method (ACM TOMS 26, 2000) on Boost's normal draws. Boost's own gamma distribution is not used:
// its acceptance test cancels, and from shape 1e15 on its law is visibly wrong (tests/random/gamma_test.cpp shows
// ours). The cells of a vector take their first attempt together; the few that it does not settle go on one by one.
#include "hmmlt/random/gamma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/vector_math.hpp"
#include "hmmlt/math/vector_sine_cosine.hpp"
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
struct Attempt {
    double d;
    double x;   // standard normal
    double cx;  // x / sqrt(9 d)
    double v;   // (1 + c x)^3 - 1

    Attempt(double shape, double normal)
        : d(shape - 1.0 / 3.0), x(normal), cx(normal / std::sqrt(9.0 * d)), v(cx * (3.0 + cx * (3.0 + cx))) {}

    double value() const { return d + d * v; }
    // Accepted without a logarithm, for the most part; u ~ U(0, 1).
    bool surely_accepted(double u) const { return cx > -1.0 && u < 1.0 - 0.0331 * (x * x) * (x * x); }
    bool accepted(double u) const {
        return cx > -1.0 && (surely_accepted(u) || vector_log(u) < 0.5 * (x * x) + d * (vector_log1p(v) - v));
    }
};

double draw_gamma_from_one(double shape, Stream& rng) {
    for (;;) {
        const Attempt attempt(shape, draw_standard_normal(rng));
        if (attempt.cx <= -1.0) continue;
        if (attempt.accepted(draw_uniform(rng))) return attempt.value();
    }
}

// One attempt for each of up to `size` cells. Arrays, because loops over arrays become vector code.
class Attempts {
  public:
    static constexpr std::size_t size = 128;

    explicit Attempts(Stream& rng) {
        rng.fill(bits_);
        for (std::size_t i = 0; i < size; ++i) u_[i] = uniform_of(bits_[size + i]);
        for (std::size_t i = 0; i < size; ++i) log_boost_[i] = vector_log(uniform_of(bits_[2 * size + i]));
        // Box and Muller's normals, in pairs
        for (std::size_t i = 0; i < half; ++i) {
            const double radius = std::sqrt(-2.0 * vector_log(uniform_of(bits_[i])));
            const auto [sine, cosine] = vector_sine_cosine(uniform_of(bits_[half + i]));
            x_[i] = radius * sine;
            x_[half + i] = radius * cosine;
        }
    }

    // log X of every cell as if its attempt were accepted; settled(i) says whether it surely is, of a finite shape.
    void draw(std::span<const double> shapes, std::span<double> log_x) {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const bool small = shapes[i] < 1.0;
            const Attempt attempt(small ? shapes[i] + 1.0 : shapes[i], x_[i]);
            settled_[i] = attempt.surely_accepted(u_[i]) && shapes[i] <= std::numeric_limits<double>::max() ? 1 : 0;
            log_x[i] = vector_log(attempt.value()) + (small ? log_boost_[i] / shapes[i] : 0.0);
        }
    }
    bool settled(std::size_t i) const { return settled_[i] != 0; }

    // log X of a cell that is not settled; if_accepted is what draw() gave it.
    double settle(std::size_t i, double shape, double if_accepted, Stream& rng) const {
        const bool small = shape < 1.0;
        const double from_one = small ? shape + 1.0 : shape;
        if (Attempt(from_one, x_[i]).accepted(u_[i])) return if_accepted;
        return std::log(draw_gamma_from_one(from_one, rng)) + (small ? log_boost_[i] / shape : 0.0);
    }

  private:
    static constexpr std::size_t half = size / 2;

    std::array<std::uint64_t, 3 * size> bits_;
    std::array<double, size> x_;
    std::array<double, size> u_;
    std::array<double, size> log_boost_;
    std::array<std::int64_t, size> settled_;
};

}  // namespace

double draw_log_gamma(double shape, Stream& rng) {
    check_shape("draw_log_gamma", shape);
    if (shape >= 1.0) return std::log(draw_gamma_from_one(shape, rng));
    const double log_of_next = std::log(draw_gamma_from_one(shape + 1.0, rng));
    return log_of_next + std::log(draw_uniform(rng)) / shape;
}

namespace {

// Laws that are cheap have paths of their own, worth it where few cells have another shape.
template <typename Cheap>
bool most(std::span<const double> shapes, std::size_t others_one_in, const Cheap& cheap) {
    std::size_t n_cheap = 0;
    for (const double shape : shapes) n_cheap += cheap(shape) ? 1U : 0U;
    return others_one_in * n_cheap >= (others_one_in - 1) * shapes.size();
}

// Shape 1 is the exponential law: a Dirichlet prior of 1 per symbol makes most cells so.
bool is_one(double shape) {
    return shape == 1.0;
}

// Below this Ahrens and Dieter's GS (Computing 12, 1974) settles nine of ten cells with one logarithm and one
// exponential: rates into states that few visit, symbols that no step of a state has shown.
constexpr double largest_small_shape = 0.125;

bool is_small(double shape) {
    return shape >= smallest_gamma_shape && shape <= largest_small_shape;
}

// Of one cell, `draw` if its shape is no exact zero.
template <typename Draw>
double log_gamma_or_zero(double shape, const Draw& draw) {
    check_nonnegative_finite("draw_log_gammas", "shapes", shape);
    return shape < smallest_gamma_shape ? minus_infinity : draw();
}

void draw_mostly_ones(std::span<const double> shapes, std::span<double> log_x, Stream& rng) {
    std::array<std::uint64_t, Attempts::size> bits;
    rng.fill(std::span(bits).first(shapes.size()));
    for (std::size_t i = 0; i < shapes.size(); ++i) log_x[i] = vector_log(-vector_log(uniform_of(bits[i])));
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (shapes[i] != 1.0) log_x[i] = log_gamma_or_zero(shapes[i], [&] { return draw_log_gamma(shapes[i], rng); });
}

// docs/model.md (117)
void draw_mostly_small(std::span<const double> shapes, std::span<double> log_x, Stream& rng) {
    constexpr std::size_t size = Attempts::size;
    constexpr double one_over_e = 0.36787944117144232160;
    std::array<std::uint64_t, 2 * size> bits;
    std::array<std::int64_t, size> settled;
    rng.fill(bits);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const double p = (1.0 + one_over_e * shapes[i]) * uniform_of(bits[i]);
        log_x[i] = vector_log(p) / shapes[i];
        // 1 - X <= e^-X
        settled[i] = p <= 1.0 && uniform_of(bits[size + i]) <= 1.0 - vector_exp(log_x[i]) ? 1 : 0;
    }
    const auto settle = [&](std::size_t i) {
        const double a = shapes[i];
        const double u = uniform_of(bits[i]);
        const double log_accept = vector_log(uniform_of(bits[size + i]));
        const double b = 1.0 + one_over_e * a;
        if (b * u <= 1.0) return log_accept <= -vector_exp(log_x[i]) ? log_x[i] : draw_log_gamma(a, rng);
        const double log_tail = vector_log(vector_log(a / (b * (1.0 - u))));
        return log_accept <= (a - 1.0) * log_tail ? log_tail : draw_log_gamma(a, rng);
    };
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!is_small(shapes[i]))
            log_x[i] = log_gamma_or_zero(shapes[i], [&] { return draw_log_gamma(shapes[i], rng); });
        else if (settled[i] == 0)
            log_x[i] = settle(i);
    }
}

void draw_any(std::span<const double> shapes, std::span<double> log_x, Stream& rng) {
    Attempts attempts(rng);
    attempts.draw(shapes, log_x);
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (!attempts.settled(i) || shapes[i] < smallest_gamma_shape)
            log_x[i] = log_gamma_or_zero(shapes[i], [&] { return attempts.settle(i, shapes[i], log_x[i], rng); });
}

}  // namespace

void draw_log_gammas(std::span<const double> shapes, std::span<double> log_x, Stream& rng) {
    check_size("draw_log_gammas", "log_x", log_x.size(), shapes.size());
    for (; !shapes.empty();) {
        const std::size_t n = std::min(Attempts::size, shapes.size());
        if (most(shapes.first(n), 8, is_one))
            draw_mostly_ones(shapes.first(n), log_x.first(n), rng);
        else if (most(shapes.first(n), 16, is_small))
            draw_mostly_small(shapes.first(n), log_x.first(n), rng);
        else
            draw_any(shapes.first(n), log_x.first(n), rng);
        shapes = shapes.subspan(n);
        log_x = log_x.subspan(n);
    }
}

double draw_gamma(double shape, double rate, Stream& rng) {
    check_shape("draw_gamma", shape);
    check_positive_finite("draw_gamma", "rate", rate);
    if (shape >= 1.0) return draw_gamma_from_one(shape, rng) / rate;
    return std::exp(draw_log_gamma(shape, rng) - std::log(rate));
}

}  // namespace hmmlt
