// Stirling's series of the difference, each of its terms a difference that is taken analytically (expm1, log1p).
#include "hmmlt/math/gamma_ratio.hpp"

#include <cmath>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

namespace {

constexpr double stirling_from = 50.0;

double log_gamma_ratio_stirling(double k, double a) {
    const double log_growth = std::log1p(a / k);  // log((k + a) / k)
    const double inverse = 1.0 / k;
    const double inverse_2 = inverse * inverse;
    const double first = std::expm1(-log_growth) / 12.0;
    const double third = std::expm1(-3.0 * log_growth) / 360.0;
    const double fifth = std::expm1(-5.0 * log_growth) / 1260.0;
    return (k - 0.5) * log_growth + a * (std::log(k + a) - 1.0) +
           inverse * (first - inverse_2 * (third - inverse_2 * fifth));
}

}  // namespace

double log_gamma_ratio(double k, double a) {
    check_positive_finite("log_gamma_ratio", "k", k);
    check_nonnegative_finite("log_gamma_ratio", "a", a);
    double steps = 0.0;  // Gamma(k + a) / Gamma(k) = prod_{i=k}^{49} (1 + a/i)^-1 Gamma(50 + a) / Gamma(50)
    for (; k < stirling_from; k += 1.0) steps += std::log1p(a / k);
    return log_gamma_ratio_stirling(k, a) - steps;
}

}  // namespace hmmlt
