// What the messages of the filter say about the hidden states of given data, nothing being drawn: the density of each
// step, the probabilities of its states given all data, and the most likely path.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt {

// Shapes: log_lik n_states x n_steps, log p(y_t | z_t = j), as it was given to filter_forward; messages its result.

// log p(y_t | y_1 .. y_t-1) of each step; over a sequence they add up to its log likelihood        docs/model.md (93)
arma::vec step_log_densities(const TransitionMatrix& transition, const arma::mat& log_lik,
                             const ForwardMessages& messages, const Sequences& sequences);

// P(z_t = j | y_1 .. y_t), n_states x n_steps: the messages as probabilities, whichever way they were computed
arma::mat filtered_probabilities(const ForwardMessages& messages, const Sequences& sequences);

// P(z_t = j | all y of its sequence), n_states x n_steps                                           docs/model.md (94)
arma::mat smoothed_probabilities(const TransitionMatrix& transition, const ForwardMessages& messages,
                                 const Sequences& sequences);

// The path z that is most likely as a whole, n_steps; of several, the one with the lowest last state, and so back.
// Throws std::runtime_error, naming sequence and step, if no path has a positive probability.       docs/model.md (95)
arma::uvec most_likely_path(const TransitionMatrix& transition, const arma::mat& log_lik, const Sequences& sequences);

}  // namespace hmmlt
