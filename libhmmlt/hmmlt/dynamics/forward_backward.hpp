// The hidden states of a Markov chain, drawn jointly: messages are filtered forwards, states are sampled backwards.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/dynamics/transition_matrix.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

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
