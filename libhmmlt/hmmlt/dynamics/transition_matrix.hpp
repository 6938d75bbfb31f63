// A and its logarithms, of all states in double: what everything but the sampler's own filter works with.
#pragma once

#include <armadillo>

namespace hmmlt {

// A, the probabilities of transitions. Column k holds A_jk for all j: the filter sums over it, the backward draw weighs
// with it, and both so read memory in order. The logarithms serve where probabilities underflow.
struct TransitionMatrix {
    arma::mat from_to;      // n_states x n_states
    arma::vec start;        // n_states, row 0 of docs/model.md
    arma::mat log_from_to;  // n_states x n_states
    arma::vec log_start;    // n_states

    arma::uword n_states() const { return start.n_elem; }
};

// log A_jk = log pi_jk + log phi_jk - log T_j, (n_states + 1) x n_states, the start row last         docs/model.md (7)
void log_transitions(const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& log_a);

// A_jk = pi_jk phi_jk / T_j. -infinity is an exact zero; a row of nothing else is refused.          docs/model.md (7)
// log_pi: (n_states + 1) x n_states, the start row last; log_phi: n_states x n_states, or empty where phi = 1.
void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition);

}  // namespace hmmlt
