// T_j, the rate at which a state is left: by it pi phi becomes a transition matrix, and holding times get their rate.
#pragma once

#include <armadillo>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

// Calls visit(from, to, log pi + log phi) for every cell, column after column, as they lie in memory.
// log_pi: (n_states + 1) x n_states, the start row last; log_phi: n_states x n_states, or empty where phi = 1.
template <typename Visit>
void for_each_log_rate(const arma::mat& log_pi, const arma::mat& log_phi, const Visit& visit) {
    const arma::uword n_states = log_pi.n_cols;
    for (arma::uword to = 0; to < n_states; ++to) {
        const double* pi = log_pi.colptr(to);
        if (log_phi.is_empty()) {
            for (arma::uword from = 0; from < n_states; ++from) visit(from, to, pi[from]);
        } else {
            const double* phi = log_phi.colptr(to);
            for (arma::uword from = 0; from < n_states; ++from) visit(from, to, pi[from] + phi[from]);
        }
        visit(n_states, to, pi[n_states]);  // phi = 1 in the start row
    }
}

// max_k (log pi_jk + log phi_jk) of each row, by which sums over k are scaled. A cell may be -infinity, a row may not;
// throws std::domain_error naming the row.
arma::vec log_largest_rates(const arma::mat& log_pi, const arma::mat& log_phi);

// log T_j = log sum_k pi_jk phi_jk, n_states + 1 entries, the start row last                       docs/model.md (7)
arma::vec log_total_rates(const arma::mat& log_pi, const arma::mat& log_phi);

// log pi with the largest rate of each row 1. Transitions do not depend on the scale of a row, which may be e^-1e13
// where shapes are tiny: left in, it would take the digits of every sum over rows. A row of exact zeros stays.
arma::mat scale_rows(const arma::mat& log_pi);

}  // namespace hmmlt
