// How well parameters predict data they have not seen: the log likelihood of new sequences, states summed out.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// A of a state, the log likelihoods of data under it, and the messages of the filter.
struct FilteredData {
    TransitionMatrix transition;
    arma::mat log_lik;  // n_states x n_steps
    ForwardMessages messages;
};
// Only of Markov chains: with durations, messages are not about steps alone.
TransitionMatrix transition_of(const State& state);
FilteredData filter_data(const State& state, const Observations& observations);

// log p(y_s | A, theta, emission) of each sequence s of `observations`                       docs/model.md (69), (79)
arma::vec heldout_log_likelihood(const State& state, const Observations& observations);
arma::vec heldout_log_likelihood(const FactorialState& state, const Observations& observations);

// The same state with the emission's parameters at their expectation given z and the training data. docs/model.md (62)
State with_expected_emission(const Model& model, const Observations& training, State state);
FactorialState with_expected_emission(const FactorialModel& model, const Observations& training, FactorialState state);

}  // namespace hmmlt
