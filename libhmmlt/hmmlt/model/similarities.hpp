// phi of a state of the chain: the one place that says what its diagonal is.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// log phi_jk = -lambda delta_jk, or that of the factorial limit, n_states x n_states, sources as rows; -infinity on the
// diagonal where states have durations: a segment is never followed by one of its own state.
// docs/model.md (36)-(38), (89), (76)
arma::mat log_similarities(const State& state);
void log_similarities(const State& state, const arma::mat& distance, arma::mat& log_phi);

// n of docs/model.md (9); where states have durations, steps within a segment are no jumps, (76).
void count_jumps(const State& state, const Sequences& sequences, arma::mat& n);

// log pi as the moves of locations and similarity see it. They take phi of a state and itself as that of any two; where
// it is 0, (76), an exact zero in pi says the same. It lies in the state or in scratch.
const arma::mat& log_pi_of_jumps(const State& state, arma::mat& scratch);

}  // namespace hmmlt
