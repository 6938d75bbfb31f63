// m, w, r, eta: the table counts that make beta, c, rho and gamma conjugate.
#pragma once

#include <armadillo>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// m_jk | z, Q, beta, c, rho ~ CRT(n_jk + q_jk, a_jk)                                              docs/model.md (16)
// a, n, m: (n_states + 1) x n_states, the start row last; q: n_states x n_states. rng.item(k) draws
// column k.
void sample_table_counts_given_failed_jumps(const arma::mat& a, const arma::mat& n, const arma::mat& q, arma::mat& m,
                                            const BlockStreams& rng);

// m_jk | z, u, beta, c, rho, phi ~ CRT(n_jk, a_jk) + Poisson(a_jk excess_jk)                      docs/model.md (35)
void sample_table_counts(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                         arma::mat& m, const BlockStreams& rng);

// log(1 + u) - log(1 + u phi) >= 0, without cancellation                                          docs/model.md (34)
inline double excess_log_rate(double log_u, double log_phi) {
    // log1p(u (1 - phi) / (1 + u phi))
    return log1p_exp(log_u + log1m_exp(log_phi) - log1p_exp(log_u + log_phi));
}

// w_j | m, beta, rho ~ Binomial(m_jj, rho / (rho + (1 - rho) beta_j))                             docs/model.md (17)
double sticky_share(double log_beta, double rho);
arma::vec sample_sticky_tables(const arma::mat& m, const arma::vec& log_beta, double rho, const BlockStreams& rng);

// mbar_.k: the tables charged to beta_k, over all rows                                            docs/model.md (17)
arma::vec base_tables(const arma::mat& m, const arma::vec& w);

// r. , r_k | mbar, gamma ~ CRT(mbar_.k, gamma / J)                                                docs/model.md (22)
double sample_top_tables(const arma::vec& base, double gamma, const BlockStreams& rng);

// log eta, eta | mbar, gamma ~ Beta(gamma, mbar_..); 0 without any table                          docs/model.md (23)
double sample_log_eta(const arma::vec& base, double gamma, Stream& rng);

}  // namespace hmmlt
