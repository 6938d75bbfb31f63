// Small chains that tests of filter, smoother and enumeration share.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/emission/gaussian.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt::testing {

inline constexpr double none = minus_infinity;  // the logarithm of what cannot happen

// log pi of three states, the start row last; log likelihoods of four steps.
inline const arma::mat dense = arma::log(arma::mat{{0.5, 1.5, 3.0}, {0.2, 0.1, 0.9}, {2.0, 1.0, 0.5}, {1.0, 2.0, 0.3}});
inline const arma::mat likely{{-1.0, -0.3, -2.0, 0.4}, {-0.5, -1.5, 0.2, -1.0}, {0.1, -0.9, -0.6, -0.2}};

// Likelihoods of a Gaussian emission with missing cells, and step 2 missing altogether.
inline arma::mat with_missing_cells() {
    const double nan = arma::datum::nan;
    const GaussianState state{{{0.0, 1.0, -1.0}, {2.0, 0.0, 0.5}}, {{1.0, 2.0, 0.5}, {0.3, 1.0, 4.0}}};
    const Observations data{Sequences::of_lengths({4}), {{0.3, nan, nan, -0.4}, {1.0, 0.2, nan, nan}}, {}};
    arma::mat log_lik;
    log_likelihood(state, {}, data, log_lik);
    return log_lik;
}

inline TransitionMatrix transition_of(const arma::mat& log_pi, const arma::mat& log_phi = {}) {
    TransitionMatrix transition;
    normalise_rates(log_pi, log_phi, transition);
    return transition;
}

inline arma::mat normals(arma::uword n_rows, arma::uword n_cols, double sd, std::uint64_t seed) {
    Stream rng({.seed = seed});
    arma::mat values(n_rows, n_cols);
    values.for_each([&](double& value) { value = draw_normal(0.0, sd, rng); });
    return values;
}

}  // namespace hmmlt::testing
