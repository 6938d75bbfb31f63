// Exact draws from any log-concave density on an interval: adaptive rejection sampling with tangents
// (Gilks and Wild, Applied Statistics 41, 1992).
#pragma once

#include <functional>
#include <limits>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// The logarithm of a density, up to a constant, and its derivative, at one point.
struct LogDensity {
    double value;
    double slope;
};

// The support, an open interval; either end may be infinite.
struct Interval {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
};

// X with density proportional to exp(log_density(x).value) on the interval. `start` is a point inside, ideally near the
// bulk; from it the sampler finds for itself a point on each unbounded side where the density falls. Throws
// std::domain_error where the density is not finite inside the interval (-infinity in a far tail is taken for the 0 it
// is), not log-concave, not integrable (a slope below 1e-150 counts as none), or larger than 1e14 in its bulk, where a
// log density has no digits left.
double draw_log_concave(const std::function<LogDensity(double)>& log_density, Interval support, double start,
                        Stream& rng);

}  // namespace hmmlt
