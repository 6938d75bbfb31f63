// Channels that are independent normal variables given the state: what the linear-Gaussian and the Gaussian emission
// have in common once the mean and precision of every state are known.
#pragma once

#include <armadillo>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// mean, h: n_channels x n_states; y_it | z_t = j ~ N(mean_ij, 1 / h_ij)
struct NormalChannels {
    arma::mat mean;
    arma::mat h;
};

// log p(y_t | z_t = j) over the observed cells, n_states x n_steps                                docs/model.md (66)
void log_likelihood(const NormalChannels& channels, const Observations& observations, arma::mat& log_lik);

// The same along one path: the sum of log p(y_t | z_t) over all steps.
double path_log_likelihood(const NormalChannels& channels, const arma::uvec& z, const Observations& observations);

// Writes every cell of observations.y; rng.item(s) draws sequence s.
void draw_observations(const NormalChannels& channels, const arma::uvec& z, Observations& observations,
                       const BlockStreams& rng);

}  // namespace hmmlt
