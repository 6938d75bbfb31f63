// Dirichlet draws in log space: with concentrations of 1e-3 and less most weights underflow, and their logarithms are
// what the sampler needs.
#pragma once

#include <span>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// log X, X ~ Dirichlet(concentration); log_x has the size of concentration (n entries, n >= 1). A concentration below
// smallest_gamma_shape makes an exact zero, log_x = -infinity; std::domain_error if all are.
void draw_log_dirichlet(std::span<const double> concentration, std::span<double> log_x, Stream& rng);

// X ~ Dirichlet(concentration); entries below the smallest double are 0, the sum is 1 up to rounding.
void draw_dirichlet(std::span<const double> concentration, std::span<double> x, Stream& rng);

}  // namespace hmmlt
