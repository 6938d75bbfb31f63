// Q: the jumps that were attempted and failed for want of similarity.
#pragma once

#include <armadillo>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Counts above this saturate (the law is then no longer exact, and the caller is told how often); met from bad starts
// only.
inline constexpr double largest_failed_jumps = 1e18;

// q_jk | u, pi, phi ~ Poisson(u_j pi_jk (1 - phi_jk))                                             docs/model.md (12)
inline double log_mean_failed_jumps(double log_u, double log_pi, double log_phi) {
    return log_u + log_pi + log1m_exp(log_phi);
}
// log_u: n_states + 1; log_pi: (n_states + 1) x n_states; log_phi, q: n_states x n_states. The start row has none.
// rng.item(k) draws column k. Returns the number of cells that saturated.
arma::uword sample_failed_jumps(const arma::vec& log_u, const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& q,
                                const BlockStreams& rng);

}  // namespace hmmlt
