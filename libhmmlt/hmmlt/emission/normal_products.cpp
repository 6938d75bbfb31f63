#include "hmmlt/emission/normal_products.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_density.hpp"

namespace hmmlt {

namespace {

// The mean of what is observed, 0 if nothing is.
arma::vec centres(const arma::mat& y) {
    arma::vec centre(y.n_rows, arma::fill::zeros);
    arma::vec count(y.n_rows, arma::fill::zeros);
    for (arma::uword t = 0; t < y.n_cols; ++t)
        for (arma::uword i = 0; i < y.n_rows; ++i)
            if (!std::isnan(y.at(i, t))) {
                count[i] += 1.0;
                centre[i] += (y.at(i, t) - centre[i]) / count[i];
            }
    return centre;
}

}  // namespace

NormalProducts::NormalProducts(const LinearGaussianState& state, const arma::umat& theta,
                               const Observations& observations, const arma::uvec& states) {
    set_terms(state_means(state.weights, theta.cols(states)), arma::repmat(state.h, 1, states.n_elem), observations,
              true);
}

NormalProducts::NormalProducts(const GaussianState& state, const arma::umat&, const Observations& observations,
                               const arma::uvec& states) {
    set_terms(state.mean.cols(states), state.h.cols(states), observations, false);
}

void NormalProducts::set_terms(arma::mat mean, const arma::mat& h, const Observations& observations,
                               bool one_precision) {
    check_channels("scaled_likelihoods", observations, mean.n_rows);
    for (const double value : h) check_positive_finite("scaled_likelihoods", "h", value);
    for (const double value : mean) check_finite("scaled_likelihoods", "mean", value);
    const arma::mat& y = observations.y;
    const arma::uword n_channels = y.n_rows;
    const arma::vec centre = centres(y);
    mean.each_col() -= centre;

    // Without missing cells the constants of all channels are one term.
    const bool complete = !y.has_nan();
    const arma::uword n_constants = complete ? 1 : n_channels;
    of_states_.zeros(mean.n_cols, n_constants + (one_precision ? 1 : 2) * n_channels);
    of_steps_.zeros(of_states_.n_cols, y.n_cols);
    for (arma::uword i = 0; i < n_channels; ++i)
        for (arma::uword j = 0; j < mean.n_cols; ++j) {
            const double hm = h.at(i, j) * mean.at(i, j);
            of_states_.at(j, complete ? 0 : i) += 0.5 * (std::log(h.at(i, j)) - log_two_pi - hm * mean.at(i, j));
            of_states_.at(j, n_constants + i) = hm;
            if (!one_precision) of_states_.at(j, n_constants + n_channels + i) = -0.5 * h.at(i, j);
        }
    shared_.zeros(y.n_cols);
    arma::vec furthest = arma::max(arma::abs(mean), 1);
    for (arma::uword t = 0; t < y.n_cols; ++t)
        for (arma::uword i = 0; i < n_channels; ++i) {
            if (std::isnan(y.at(i, t))) continue;
            const double from_centre = y.at(i, t) - centre[i];
            of_steps_.at(complete ? 0 : i, t) = 1.0;
            of_steps_.at(n_constants + i, t) = from_centre;
            if (one_precision)
                shared_[t] -= 0.5 * h.at(i, 0) * from_centre * from_centre;
            else
                of_steps_.at(n_constants + n_channels + i, t) = from_centre * from_centre;
            furthest[i] = std::max(furthest[i], std::abs(from_centre));
        }
    for (arma::uword i = 0; i < n_channels; ++i) largest_term_ += h.row(i).max() * furthest[i] * furthest[i];
}

bool NormalProducts::exact_enough() const {
    return largest_term_ < 1e7;  // 1e7 2^-52 = 2e-9, some thirtieth of the rounding of a float
}

void NormalProducts::log_likelihood(arma::uword first, arma::uword last, arma::mat& log_lik) const {
    log_lik = of_states_ * of_steps_.cols(first, last - 1);
}

}  // namespace hmmlt
