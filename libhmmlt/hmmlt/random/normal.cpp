// A thin layer over Boost.Random, so that its headers stay out of ours.
#include "hmmlt/random/normal.hpp"

#include <boost/random/normal_distribution.hpp>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

double draw_standard_normal(Stream& rng) {
    return boost::random::normal_distribution<double>()(rng);
}

double draw_normal(double mean, double sd, Stream& rng) {
    check_finite("draw_normal", "mean", mean);
    check_nonnegative_finite("draw_normal", "sd", sd);
    return mean + sd * draw_standard_normal(rng);
}

}  // namespace hmmlt
