// Normalised log densities, for priors and likelihoods.
#pragma once

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "hmmlt/math/priors.hpp"

namespace hmmlt {

inline constexpr double log_two_pi = 1.8378770664093454836;

// Gamma(shape, rate) at x > 0. Boost's lgamma, because the C library's writes a global variable.
inline double log_gamma_density(double x, const GammaPrior& law) {
    return law.shape * std::log(law.rate) - boost::math::lgamma(law.shape) + (law.shape - 1.0) * std::log(x) -
           law.rate * x;
}

// log B(a, b), the normaliser of Beta(a, b)
inline double log_beta_function(const BetaPrior& law) {
    return boost::math::lgamma(law.a) + boost::math::lgamma(law.b) - boost::math::lgamma(law.a + law.b);
}

// Beta(a, b) at x; an exponent of 0 counts as 0 at the edges too, not as 0 times infinity.
inline double log_beta_density(double x, const BetaPrior& law) {
    double log_density = boost::math::lgamma(law.a + law.b) - boost::math::lgamma(law.a) - boost::math::lgamma(law.b);
    if (law.a != 1.0) log_density += (law.a - 1.0) * std::log(x);
    if (law.b != 1.0) log_density += (law.b - 1.0) * std::log1p(-x);
    return log_density;
}

// Exp(rate) at x >= 0
inline double log_exponential_density(double x, const ExponentialPrior& law) {
    return std::log(law.rate) - law.rate * x;
}

// N(mean, 1 / precision) at x
inline double log_normal_density(double x, double mean, double precision) {
    return 0.5 * (std::log(precision) - log_two_pi - precision * (x - mean) * (x - mean));
}

}  // namespace hmmlt
