// Likelihoods as the filter wants them: scaled, in its precision, and only of the states it asks for.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/likelihoods.hpp"
#include "hmmlt/emission/emission.hpp"

namespace hmmlt {

// The first n_rows of `states` have a row, in that order; the others count only in b_t. Any emission will do: what its
// log_likelihood says is taken block by block. The ones of this library have shorter ways where float suffices, or
// symbols repeat.            docs/model.md (66), (67)
template <typename Real>
void scaled_likelihoods(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                        const arma::uvec& states, arma::uword n_rows, Likelihoods<Real>& likelihoods);

}  // namespace hmmlt
