// Log likelihoods of some states only, for draws of z that ask for few of them.
#pragma once

#include <armadillo>

#include "hmmlt/emission/emission.hpp"

namespace hmmlt {

// log p(y_t | z_t = states[k]), states x n_steps, the same numbers as log_likelihood gives. Any emission will do; the
// ones of this library do not compute the other states.                                            docs/model.md (66)
void log_likelihood_of_states(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                              const arma::uvec& states, arma::mat& log_lik);

}  // namespace hmmlt
