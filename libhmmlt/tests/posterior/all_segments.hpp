// log p(y) of a semi-Markov chain over segments of every length, written down from docs/model.md (77) to (79): what the
// library's messages, which end durations early, are held against. Slow, and shares nothing with them.
#pragma once

#include <algorithm>
#include <armadillo>
#include <cmath>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/dynamics/transition_matrix.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt::testing {

inline double log_add(double x, double y) {
    const double largest = std::max(x, y);
    return std::isfinite(largest) ? largest + std::log(std::exp(x - largest) + std::exp(y - largest)) : largest;
}

// One sequence; log_lik: n_states x n_steps.
inline double log_sum_of_segments(const TransitionMatrix& transition, const DurationState& durations,
                                  const arma::mat& log_lik) {
    const arma::uword n_states = log_lik.n_rows;
    const arma::uword n_steps = log_lik.n_cols;
    arma::mat begins(n_states, n_steps, arma::fill::value(minus_infinity));  // B_t
    begins.col(0) = transition.log_start;
    double total = minus_infinity;
    for (arma::uword t = 1; t <= n_steps; ++t)
        for (arma::uword k = 0; k < n_states; ++k) {
            double ends = minus_infinity;
            double likelihood = 0.0;
            for (arma::uword d = 1; d <= t; ++d) {
                likelihood += log_lik(k, t - d);
                const auto length = static_cast<double>(d);
                const double law =
                    t < n_steps ? log_duration(durations, k, length) : log_duration_survival(durations, k, length);
                ends = log_add(ends, begins(k, t - d) + law + likelihood);
            }
            if (t == n_steps) total = log_add(total, ends);
            for (arma::uword to = 0; t < n_steps && to < n_states; ++to)
                begins(to, t) = log_add(begins(to, t), ends + transition.log_from_to(k, to));
        }
    return total;
}

}  // namespace hmmlt::testing
