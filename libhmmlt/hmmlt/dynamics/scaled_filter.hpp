// Forward filtering, backward sampling with scaled messages: fast, in float or double, and it says where it must not be
// trusted. forward_backward.hpp is the filter that always can.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/filter_transitions.hpp"
#include "hmmlt/dynamics/likelihoods.hpp"
#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// A path so light that its message underflows is lost: it is behind all others by the smallest normal number of Real
// over C_t, that of docs/model.md (67). It can come back by at most 1 / C per step, so it would have deserved better
// only if the product of C from its loss to its return is below that number (1.2e-38 or 2.2e-308). A sequence with a
// C_t below `smallest_scale`, which is above the cube root, is not trusted: no three steps can do it unseen. Many
// steps, each mildly against all that is left, could; docs/model.md, section 13, says why that does not matter.
template <typename Real>
struct MessageRange;
template <>
struct MessageRange<float> {
    static constexpr double smallest_scale = 1e-12;
};
template <>
struct MessageRange<double> {
    static constexpr double smallest_scale = 1e-100;
};

// Messages of all sequences. Sequences are advanced together, the longest first, so that a product of matrices can do
// one step of many of them; the columns of f are in the order in which they are computed.
template <typename Real>
struct ScaledMessages {
    AlignedMatrix<Real> f;                  // n_states of the transitions x columns; each column a distribution
    arma::vec log_likelihood;               // of each sequence, docs/model.md (69); NaN if it is not to be trusted
    std::vector<arma::uword> order;         // sequences by length, longest first
    std::vector<arma::uword> rank;          // of each sequence in that order
    std::vector<arma::uword> first_column;  // of each step number

    Real* column(arma::uword sequence, arma::uword step) { return f.column(first_column[step] + rank[sequence]); }
    const Real* column(arma::uword sequence, arma::uword step) const {
        return f.column(first_column[step] + rank[sequence]);
    }

    AlignedMatrix<Real> sum;  // scratch
};

// Whether all messages are kept, or only what the next step needs, for the log likelihood alone.
enum class Keep { all_messages, log_likelihood };

// Rows of `likelihoods` are the states of `transitions`; its steps those of all sequences.          docs/model.md (67)
template <typename Real>
void filter_scaled(FilterTransitions<Real>& transitions, const Likelihoods<Real>& likelihoods,
                   const Sequences& sequences, Keep keep, ScaledMessages<Real>& messages);

// z | A, y of the sequences to be trusted: from the last step to the first, in the order of memory; rng.item(s) draws
// sequence s, one number per step. z, n_steps, keeps what it has of the others.                     docs/model.md (68)
template <typename Real>
void sample_paths(const FilterTransitions<Real>& transitions, const ScaledMessages<Real>& messages,
                  const Sequences& sequences, arma::uvec& z, const BlockStreams& rng);

}  // namespace hmmlt
