// beta: the base weights, kept as logarithms.
#pragma once

#include <armadillo>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// beta | mbar, gamma ~ Dirichlet(gamma/J + mbar_.1, ..., gamma/J + mbar_.J)                       docs/model.md (25)
arma::vec base_weight_concentration(const arma::vec& base, double gamma);
void sample_base_weights(const arma::vec& base, double gamma, arma::vec& log_beta, Stream& rng);

}  // namespace hmmlt
