// The factorial HMM baseline: D binary chains, independent a priori, that meet only in the mean of a linear-Gaussian
// emission. One chain at a time is redrawn given the others; held-out data are scored on the product space. Here are
// the parts that differ from an HMM; each chain's own HDP uses conditionals/ with J = 2. docs/model.md, section 14
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Shapes: y n_channels x n_steps, NaN = missing; theta n_dims x n_steps, the bit of each chain at each step; weights
// (n_dims + 1) x n_channels, row 0 the bias; h n_channels.

// L_1t - L_0t of chain `dim` given the other chains, for all steps; theta.row(dim) is not read     docs/model.md (71)
arma::vec factorial_log_odds(arma::uword dim, const arma::mat& y, const arma::umat& theta, const arma::mat& weights,
                             const arma::vec& h);

// theta.row(dim) | y, the other chains, pi of this chain: one joint draw per sequence         docs/model.md (67), (68)
// log_pi: 3 x 2, rates from row to column, the start row last; log_odds: from factorial_log_odds. Sequence s of S takes
// stream dim * S + s, so that all chains of a sweep share one block.
void sample_chain(arma::uword dim, const arma::mat& log_pi, const arma::vec& log_odds, const Sequences& sequences,
                  arma::umat& theta, const BlockStreams& rng);

// Above this many chains, the messages over 2^n_dims states are refused.
inline constexpr arma::uword most_factorial_dims = 20;

// log p(y_s | pi, W, h) of each sequence s, all bits summed out: (69) on the 2^n_dims joint states. The joint
// transition is a Kronecker product, so that a step costs O(n_dims 2^n_dims) and not O(4^n_dims).
// log_pi: 3 x 2 x n_dims, one slice per chain.
arma::vec factorial_log_likelihood(const arma::mat& y, const Sequences& sequences, const arma::cube& log_pi,
                                   const arma::mat& weights, const arma::vec& h);

}  // namespace hmmlt
