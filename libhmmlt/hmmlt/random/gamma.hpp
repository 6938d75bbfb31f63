// Gamma draws for every shape we meet: 1e-300 (a weight alpha beta_k of a state nobody visits) to 1e18 (failed jumps
// from a bad start). Small shapes live in log space, where nothing underflows.
#pragma once

#include <span>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// Shapes below this have logarithms that overflow, and are refused.
inline constexpr double smallest_gamma_shape = 1e-300;

// log X, X ~ Gamma(shape, rate 1). Below shape 1 by docs/model.md (75).
double draw_log_gamma(double shape, Stream& rng);

// The same for many cells at once, in vector registers, and so five times as fast or more. A shape below the smallest,
// or 0, is an exact zero: its log_x is -infinity.                                          docs/model.md (75), (117)
void draw_log_gammas(std::span<const double> shapes, std::span<double> log_x, Stream& rng);

// X ~ Gamma(shape, rate); 0 or infinity where X is below the smallest or above the largest double.
double draw_gamma(double shape, double rate, Stream& rng);

}  // namespace hmmlt
