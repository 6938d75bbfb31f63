// How well parameters predict data they have not seen: the log likelihood of new sequences, states summed out.
#pragma once

#include <armadillo>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// log p(y_s | A, theta, emission) of each sequence s of `observations`                       docs/model.md (69), (79)
arma::vec heldout_log_likelihood(const State& state, const Observations& observations);
arma::vec heldout_log_likelihood(const FactorialState& state, const Observations& observations);

// The same state with the emission's parameters at their expectation given z and the training data. docs/model.md (62)
State with_expected_emission(const Model& model, const Observations& training, State state);
FactorialState with_expected_emission(const FactorialModel& model, const Observations& training, FactorialState state);

}  // namespace hmmlt
