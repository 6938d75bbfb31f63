// The terms of which messages over segments are sums, for those that add them up. docs/model.md (78)
#pragma once

#include <algorithm>
#include <armadillo>
#include <cstddef>

#include "hmmlt/dynamics/semi_markov.hpp"

namespace hmmlt {

// The lengths that a segment of k ending with step t can have: 1 .. this.
inline arma::uword n_lengths(const DurationTable& durations, const SegmentMessages& messages, arma::uword t,
                             arma::uword k) {
    return std::min(durations.n_durations[k], messages.run.at(t, k));
}

// log of B_{t-d}(k) law(d) F_k(t-d, t) for d = 1 + i.
struct LengthTerms {
    const double* lead;  // one past the first that counts: length 1 began after step t - 1
    const double* law;

    double operator()(std::size_t i) const { return *(lead - i - 1) + law[i]; }
};

inline LengthTerms length_terms(const arma::mat& law, const arma::mat& lead, arma::uword t, arma::uword k) {
    return {lead.colptr(k) + t, law.colptr(k)};
}

}  // namespace hmmlt
