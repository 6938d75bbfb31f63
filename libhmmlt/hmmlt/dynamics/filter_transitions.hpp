// A in the precision of the filter, without the states that no path can visit, laid out for the filter's products.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/panels.hpp"
#include "hmmlt/dynamics/transition_matrix.hpp"
#include "hmmlt/math/aligned_matrix.hpp"

namespace hmmlt {

// Probabilities below the smallest normal number of Real (1.2e-38 or 2.2e-308) are zero here.
template <typename Real>
struct FilterTransitions {
    // First the n_states() states that paths visit: n_entered that another state leads to, then those that only the
    // start and they themselves lead to. Below, j and k count along these. Then come the states that nothing leads to
    // in this precision: no message has a place for them, but if only one of them fits the data, all messages must look
    // small (likelihoods.hpp), since its probability may have underflowed.
    arma::uvec states;
    arma::uword n_entered = 0;
    arma::uword n_visited = 0;
    AlignedMatrix<Real> into;   // column k: A_jk for all j; zeros below
    AlignedMatrix<Real> start;  // one column, row 0 of docs/model.md; zeros below
    Panels<Real> panels;        // the entered columns again, by rows

    arma::uword n_states() const { return n_visited; }

    AlignedMatrix<Real> all;  // scratch: A of all states, while it is made
    arma::vec row_scale;      // scratch
};

// A_jk = pi_jk phi_jk / T_j. -infinity is an exact zero; a row of nothing else is refused.           docs/model.md (7)
// log_pi: (n_states + 1) x n_states, the start row last; log_phi: n_states x n_states, or empty where phi = 1.
template <typename Real>
void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, FilterTransitions<Real>& transitions);

// The same from an A that is known.
template <typename Real>
void set_transitions(const TransitionMatrix& transition, FilterTransitions<Real>& transitions);

}  // namespace hmmlt
