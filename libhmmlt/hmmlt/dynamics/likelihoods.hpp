// What the filter reads of the data. An emission fills it in (emission/scaled_likelihoods.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "hmmlt/math/aligned_matrix.hpp"
#include "hmmlt/math/vector_exp_float.hpp"
#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

// Steps whose observations are equal may share a column.                                       docs/model.md (66), (67)
template <typename Real>
struct Likelihoods {
    AlignedMatrix<Real> scaled;         // e^(L_jt - b_t); n_states x columns, zeros below
    std::vector<double> log_scale;      // b_t = max_j L_jt over all states, of each column
    std::vector<std::uint32_t> column;  // of each step

    void set_size(std::size_t n_states, std::size_t n_columns, std::size_t n_steps) {
        scaled.set_size(n_states, n_columns);
        log_scale.resize(n_columns);
        column.resize(n_steps);
    }

    // One column from log likelihoods: n_states of them, then those of states that have no row, n_all together. Where
    // one of these fits best, the likelihoods of the others are as small as they are beside it. NaN, +infinity and
    // nothing but -infinity all end as NaN.
    void set_column(std::size_t index, const double* log_lik, std::size_t n_all);
};

// Written so that GCC makes vectors of both loops: the lanes of the maximum are independent.
template <typename Real>
void Likelihoods<Real>::set_column(std::size_t index, const double* log_lik, std::size_t n_all) {
    constexpr std::size_t n_lanes = 8;
    const std::size_t n_states = scaled.n_rows();
    double lane[n_lanes];
    std::fill(lane, lane + n_lanes, -std::numeric_limits<double>::infinity());
    std::size_t k = 0;
    for (; k + n_lanes <= n_all; k += n_lanes)
        for (std::size_t l = 0; l < n_lanes; ++l) lane[l] = log_lik[k + l] > lane[l] ? log_lik[k + l] : lane[l];
    for (; k < n_all; ++k) lane[0] = std::max(lane[0], log_lik[k]);
    const double largest = *std::max_element(lane, lane + n_lanes);
    Real* out = scaled.column(index);
    for (k = 0; k < n_states; ++k) {
        if constexpr (std::is_same_v<Real, float>)
            out[k] = vector_exp_float(log_lik[k] - largest);
        else
            out[k] = vector_exp(log_lik[k] - largest);
    }
    scaled.clear_padding(index);
    // a NaN in a row finds its way into the messages; one without a row is told by the scale
    bool proper = true;
    for (k = n_states; k < n_all; ++k) proper &= log_lik[k] < std::numeric_limits<double>::infinity();
    log_scale[index] = proper ? largest : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace hmmlt
