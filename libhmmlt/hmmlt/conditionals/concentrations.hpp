// c, rho and gamma: the concentrations, given the tables.
#pragma once

#include <armadillo>

#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// c | m, u ~ Gamma(a_c + m_.., b_c + sum_j log(1 + u_j)), start row included                      docs/model.md (19)
GammaPrior concentration_law(const GammaPrior& prior, const arma::mat& m, const arma::vec& log_u);
double sample_concentration(const GammaPrior& prior, const arma::mat& m, const arma::vec& log_u, Stream& rng);

// rho | m, w ~ Beta(a_rho + w., b_rho + sum_{j >= 1} (m_j. - w_j)), without the start row         docs/model.md (20)
BetaPrior stickiness_law(const BetaPrior& prior, const arma::mat& m, const arma::vec& w);
double sample_stickiness(const BetaPrior& prior, const arma::mat& m, const arma::vec& w, Stream& rng);

// gamma | r, eta ~ Gamma(a_gamma + r., b_gamma - log eta)                                         docs/model.md (24)
GammaPrior top_concentration_law(const GammaPrior& prior, double r, double log_eta);
double sample_gamma(const GammaPrior& prior, double r, double log_eta, Stream& rng);

}  // namespace hmmlt
