// pi: the transition rates, kept as logarithms because most of them are far below the smallest double.
#pragma once

#include <armadillo>

#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// a_jk = alpha beta_k + kappa [j = k], start row c beta_k                                         docs/model.md (4)
// (n_states + 1) x n_states; 0 where it underflows.
void rate_shapes(const arma::vec& log_beta, double c, double rho, arma::mat& a);

// pi_jk | z, u, Q, beta, c, rho ~ Gamma(a_jk + n_jk + q_jk, 1 + u_j)                              docs/model.md (15)
// a, n, log_pi: (n_states + 1) x n_states; q: n_states x n_states; log_u: n_states + 1. A shape that underflows is an
// exact zero, docs/model.md (75). Drawn by columns, as they lie in memory: rng.item(k) draws column k.
void sample_rates_given_failed_jumps(const arma::mat& a, const arma::mat& n, const arma::mat& q, const arma::vec& log_u,
                                     arma::mat& log_pi, const BlockStreams& rng);

// pi_jk | z, u, beta, c, rho, phi ~ Gamma(a_jk + n_jk, 1 + u_j phi_jk)                            docs/model.md (32)
void sample_rates(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                  arma::mat& log_pi, const BlockStreams& rng);

// Where states have durations, rates on the diagonal lead nowhere. sum_{k != j} a_jk, and that of the start row.
arma::vec shapes_of_jumps(const arma::mat& a);
// Below this such a sum is as good as 0, and its cells may be below what a double can hold.
inline constexpr double smallest_shape_of_jumps = 1e-290;

// The jumps of a row like that, if z does not leave it, all go to one state k, drawn with probability proportional to
// beta_k: the limit of their law as the sum goes to 0. rng.item(j) draws row j.                    docs/model.md (112)
// departures: n_j., n_states + 1
void sample_only_jumps(const arma::mat& a, const arma::vec& departures, const arma::vec& log_beta, arma::mat& log_pi,
                       const BlockStreams& rng);

}  // namespace hmmlt
