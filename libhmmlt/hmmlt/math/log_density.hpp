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

// N(mean, 1 / precision) at x
inline double log_normal_density(double x, double mean, double precision) {
    return 0.5 * (std::log(precision) - log_two_pi - precision * (x - mean) * (x - mean));
}

}  // namespace hmmlt
