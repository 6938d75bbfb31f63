// The log density of everything but the auxiliary variables: referee of the tests, and a trace of how a chain moves.
#pragma once

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// docs/model.md (72); pi, beta and categorical theta with respect to d log x.
double log_joint(const Model& model, const State& state, const Observations& observations);

// Its parts that the transition variables touch.
double log_density_of_concentrations(const Model& model, const State& state);  // gamma, c, rho, lambda, bit transitions
double log_density_of_base_weights(double gamma, const arma::vec& log_beta);
double log_density_of_rates(const arma::mat& a, const arma::mat& log_pi);  // docs/model.md (73)
double log_density_of_states(const arma::mat& n, const arma::mat& log_pi, const arma::mat& log_phi);  // (10)
double log_density_of_durations(const Model& model, const State& state, const Sequences& sequences);  // (77), priors

}  // namespace hmmlt
