// Gamma draws for every shape we meet: 1e-300 (a weight alpha beta_k of a state nobody visits) to 1e18 (failed jumps
// from a bad start). Small shapes live in log space, where nothing underflows.
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// Shapes below this have logarithms that overflow, and are refused.
inline constexpr double smallest_gamma_shape = 1e-300;

// log X, X ~ Gamma(shape, rate 1). Below shape 1: log Gamma(shape + 1) + log(U) / shape.
double draw_log_gamma(double shape, Stream& rng);

// X ~ Gamma(shape, rate); underflows to 0 where X is below the smallest double.
double draw_gamma(double shape, double rate, Stream& rng);

}  // namespace hmmlt
