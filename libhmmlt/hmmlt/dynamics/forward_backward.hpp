// The hidden states of a Markov chain, drawn jointly: messages are filtered forwards, states are sampled backwards.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/random/block_streams.hpp"

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

// A_jk = pi_jk phi_jk / T_j. -infinity is an exact zero; a row of nothing else is refused.          docs/model.md (7)
// log_pi: (n_states + 1) x n_states, the start row last; log_phi: n_states x n_states, or empty where phi = 1.
void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition);

// The messages of all sequences, and what they say about the data.
struct ForwardMessages {
    arma::mat f;                     // n_states x n_steps; every column is a distribution, or the log of one
    std::vector<bool> in_log_space;  // per sequence: whether its columns of f are logarithms
    arma::vec log_likelihood;        // per sequence: log p(y | A, theta), docs/model.md (69); 0 if it has no steps
};

// The filter in double; log_lik: n_states x n_steps, log p(y_t | z_t = j).                          docs/model.md (67)
// A sequence that scaled messages must not be trusted with (scaled_filter.hpp) is done again in log space, where no
// possible path is lost. Throws std::runtime_error, naming sequence and step, if no path has a positive probability, or
// if log_lik is NaN or +infinity.
void filter_forward(const TransitionMatrix& transition, const arma::mat& log_lik, const Sequences& sequences,
                    ForwardMessages& messages);

// One step of the same filter in log space, for data that arrive one by one. log_lik: n_states, log p(y_t | z_t = j).
// log_f, the log of the message of the step before, or empty at the first step of a sequence, becomes that of this
// step. Returns log p(y_t | y_1 .. y_t-1), or -infinity, and log_f stays, if no path is possible.   docs/model.md (93)
double filter_step(const TransitionMatrix& transition, const arma::vec& log_lik, arma::vec& log_f);

// z | A, y: from the last step of each sequence to its first; rng.item(s) draws sequence s.        docs/model.md (68)
void sample_states(const TransitionMatrix& transition, const ForwardMessages& messages, const Sequences& sequences,
                   arma::uvec& z, const BlockStreams& rng);

}  // namespace hmmlt
