// A Beta variable is the share of one of two independent Gamma variables.
#include "hmmlt/random/beta.hpp"

#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

LogBetaDraw draw_log_beta(double a, double b, Stream& rng) {
    check_positive_finite("draw_log_beta", "a", a);
    check_positive_finite("draw_log_beta", "b", b);
    const double log_of_a = draw_log_gamma(a, rng);  // named, so that the order of the two draws is fixed
    const double log_odds = log_of_a - draw_log_gamma(b, rng);
    // -log(1 + e^-x) and -log(1 + e^x), without overflow on either side
    const double small = std::log1p(std::exp(-std::abs(log_odds)));
    if (log_odds >= 0.0) return {-small, -log_odds - small};
    return {log_odds - small, -small};
}

double draw_beta(double a, double b, Stream& rng) {
    return std::exp(draw_log_beta(a, b, rng).log_x);
}

}  // namespace hmmlt
