// The envelope is the lower boundary of all tangents drawn so far; a rejected point adds its own tangent, so a handful
// of evaluations suffices whatever the density.
#include "hmmlt/random/adaptive_rejection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

constexpr std::size_t max_tangents = 500;
constexpr int max_bisections = 2200;    // enough to cross all doubles by halving and doubling
constexpr double close_to_mode = 10.0;  // log density units
constexpr double negligible = 1e4;      // e^-10000 is 0
// A tangent this flat is the mode: below it, an exponential would reach to where log densities overflow.
constexpr double smallest_slope = 1e-150;
// Where one rounding of the log density is a hundredth or more, differences between points are noise.
constexpr double largest_log_density = 1e14;
constexpr double tolerance = 1e-9;  // relative size of violations that rounding may cause

struct Tangent {
    double x;
    double value;
    double slope;
};

[[noreturn]] void refuse_density(const char* what, double x) {
    throw std::domain_error(fmt::format("draw_log_concave: the density is not {} at {}", what, x));
}

// log of the integral of exp(slope * (x - 0)) over [0, width]; width may be infinite where slope < 0.
double log_exponential_mass(double slope, double width) {
    const double s = slope * width;
    if (std::abs(s) < 1e-8) return std::log(width) + 0.5 * s;
    if (s > 0.0) return s + std::log(-std::expm1(-s) / slope);
    return std::log(std::expm1(s) / slope);
}

class Envelope {
  public:
    Envelope(const std::function<LogDensity(double)>& log_density, Interval support)
        : log_density_(log_density), support_(support) {}

    // Starts the envelope in the bulk of the density: bisects until even the tangent's highest point is close, so that
    // no later difference of log densities cancels, and until the envelope falls on both sides. Only the last points on
    // either side are kept.
    void approach(double start) {
        Interval around = support_;  // the mode lies in here
        double x = start;
        double step = std::max(1.0, std::abs(start));
        for (int n = 0; n < max_bisections; ++n) {
            const Tangent here = evaluate(x);
            const double slope = std::abs(here.slope) < smallest_slope ? 0.0 : here.slope;
            const bool falls_left = std::isfinite(around.lower) || slope > 0.0;
            const bool falls_right = std::isfinite(around.upper) || slope < 0.0;
            const double distance = slope < 0.0 ? x - around.lower : around.upper - x;
            const double rise = slope == 0.0 ? 0.0 : std::abs(slope) * distance;
            if (falls_left && falls_right && rise <= close_to_mode) {
                if (std::abs(here.value) > largest_log_density) refuse_density("small enough to have digits left", x);
                for (const double end : {around.lower, around.upper})
                    if (end != support_.lower && end != support_.upper) add(evaluate(end));
                add(here);
                return;
            }
            if (slope < 0.0) around.upper = x;
            if (slope > 0.0) around.lower = x;
            if (!falls_right || std::isinf(around.upper)) {
                x += step;
            } else if (std::isinf(around.lower)) {
                x -= step;
            } else {
                x = around.lower + 0.5 * (around.upper - around.lower);
            }
            step *= 2.0;
            if (!std::isfinite(x)) throw std::domain_error("draw_log_concave: the density is not integrable");
        }
        refuse_density("log-concave", x);
    }

    double draw(Stream& rng) {
        for (;;) {
            locate_pieces();
            const std::size_t piece = draw_categorical_log(log_mass_, rng);
            const double x = draw_in_piece(piece, draw_uniform(rng));
            const Tangent tangent = tangents_[piece];
            const double ceiling = tangent.value + tangent.slope * (x - tangent.x);
            const double log_u = std::log(draw_uniform(rng));
            if (log_u + ceiling <= squeeze(x)) return x;
            const LogDensity f = log_density_(x);
            if (vanishes_beyond(x, f.value)) continue;
            const Tangent here = finite_tangent(x, f);
            if (here.value > ceiling + tolerance * std::max({1.0, std::abs(here.value), std::abs(tangent.value)}))
                refuse_density("log-concave", x);
            if (log_u + ceiling <= here.value) return x;
            add(here);
        }
    }

  private:
    Tangent evaluate(double x) const { return finite_tangent(x, log_density_(x)); }

    static Tangent finite_tangent(double x, const LogDensity& f) {
        if (!std::isfinite(f.value) || !std::isfinite(f.slope)) refuse_density("finite", x);
        return {x, f.value, f.slope};
    }

    void add(const Tangent& tangent) {
        if (tangents_.size() == max_tangents) refuse_density("log-concave (too many rejections)", tangent.x);
        tangents_.insert(std::lower_bound(tangents_.begin(), tangents_.end(), tangent.x, left_of), tangent);
        check_slopes();
    }

    static bool left_of(const Tangent& tangent, double x) { return tangent.x < x; }

    // Where the density is negligible at a point outside all tangents, it is even less beyond: the support shrinks to
    // there. This keeps tangents of astronomical slope, and log densities of -infinity, out of the envelope.
    bool vanishes_beyond(double x, double value) {
        if (x > tangents_.front().x && x < tangents_.back().x) return false;
        double highest = tangents_.front().value;
        for (const Tangent& tangent : tangents_) highest = std::max(highest, tangent.value);
        if (!(value < highest - negligible)) return false;
        (x > tangents_.front().x ? support_.upper : support_.lower) = x;
        return true;
    }

    void check_slopes() const {
        for (std::size_t i = 1; i < tangents_.size(); ++i) {
            const double before = tangents_[i - 1].slope;
            const double after = tangents_[i].slope;
            if (after > before + tolerance * std::max({1.0, std::abs(before), std::abs(after)}))
                refuse_density("log-concave", tangents_[i].x);
        }
    }

    // Where two neighbouring tangents meet: between their points, up to rounding.
    static double meeting_point(const Tangent& left, const Tangent& right) {
        const double width = right.x - left.x;
        const double turn = left.slope - right.slope;
        const double offset = (right.value - left.value - right.slope * width) / turn;
        if (!(turn > 0.0) || !(offset >= 0.0 && offset <= width)) return left.x + 0.5 * width;
        return left.x + offset;
    }

    void locate_pieces() {
        const std::size_t n = tangents_.size();
        edges_.resize(n + 1);
        log_mass_.resize(n);
        edges_.front() = support_.lower;
        edges_.back() = support_.upper;
        for (std::size_t i = 1; i < n; ++i) edges_[i] = meeting_point(tangents_[i - 1], tangents_[i]);
        for (std::size_t i = 0; i < n; ++i) log_mass_[i] = piece_log_mass(i);
    }

    // A piece that falls to the right is measured from its left edge, one that rises from its right edge mirrored.
    double piece_log_mass(std::size_t i) const {
        const Tangent& t = tangents_[i];
        const double width = edges_[i + 1] - edges_[i];
        if (!(width > 0.0)) return -std::numeric_limits<double>::infinity();
        if (t.slope <= 0.0) return t.value + t.slope * (edges_[i] - t.x) + log_exponential_mass(t.slope, width);
        return t.value + t.slope * (edges_[i + 1] - t.x) + log_exponential_mass(-t.slope, width);
    }

    double draw_in_piece(std::size_t i, double u) const {
        const double steepness = std::abs(tangents_[i].slope);
        const double width = edges_[i + 1] - edges_[i];
        // distance from the higher edge of a truncated exponential variable
        const double span = steepness * width;
        const double distance = span < 1e-8 ? u * width : -std::log1p(u * std::expm1(-span)) / steepness;
        const double x = tangents_[i].slope <= 0.0 ? edges_[i] + distance : edges_[i + 1] - distance;
        // the support is open, and a rounded x may sit on its edge
        const double inside_lower = std::nextafter(support_.lower, support_.upper);
        const double inside_upper = std::nextafter(support_.upper, support_.lower);
        return std::clamp(x, inside_lower, inside_upper);
    }

    // The chord through the two neighbouring points lies below a concave function.
    double squeeze(double x) const {
        const auto right = std::lower_bound(tangents_.begin(), tangents_.end(), x, left_of);
        if (right == tangents_.begin() || right == tangents_.end()) return -std::numeric_limits<double>::infinity();
        const auto left = right - 1;
        const double share = (x - left->x) / (right->x - left->x);
        return left->value + share * (right->value - left->value);
    }

    const std::function<LogDensity(double)>& log_density_;
    Interval support_;
    std::vector<Tangent> tangents_;  // by x
    std::vector<double> edges_;      // of the envelope's pieces; piece i belongs to tangent i
    std::vector<double> log_mass_;
};

}  // namespace

double draw_log_concave(const std::function<LogDensity(double)>& log_density, Interval support, double start,
                        Stream& rng) {
    if (!(support.lower < support.upper))
        throw std::domain_error(
            fmt::format("draw_log_concave: the interval ({}, {}) must not be empty", support.lower, support.upper));
    if (!(start > support.lower && start < support.upper))
        throw std::domain_error(fmt::format("draw_log_concave: start must be inside ({}, {}), found {}", support.lower,
                                            support.upper, start));
    Envelope envelope(log_density, support);
    envelope.approach(start);
    return envelope.draw(rng);
}

}  // namespace hmmlt
