// Everything the weights need from the data are counts and sums per state, so (55) costs O(n_states), not O(n_steps).
#include "hmmlt/emission/weight_law.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>
#include <vector>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt {

namespace {

// Lower triangular L with L L' = P. Where features coincide, a prior vaguer than the data by more than the digits of a
// double is lost in P, and that can happen to a user.
arma::mat cholesky(std::string_view function, const arma::mat& precision) {
    arma::mat lower;
    if (!precision.is_symmetric(1e-10) || !arma::chol(lower, precision, "lower"))
        throw std::domain_error(fmt::format(
            "{}: the precision of the weights must be symmetric and positive definite in doubles, found one "
            "with {:.3g} to {:.3g} on its diagonal: standardised data, a tighter prior of the weights or fewer "
            "features help",
            function, precision.diag().min(), precision.diag().max()));
    return lower;
}

// L^-1 b
arma::vec half_solved(const arma::mat& lower, const arma::vec& shift) {
    return arma::solve(arma::trimatl(lower), shift, arma::solve_opts::fast);
}

}  // namespace

WeightLaw weight_law(const LearnedWeights& prior, const LinearEvidence& data, const arma::umat& theta,
                     arma::uword channel) {
    check_bits("weight_law", theta, prior.mean.n_elem - 1);
    check_below("weight_law", "channel", channel, data.h.n_elem);
    check_size("weight_law", "the columns of data.n_observed", data.n_observed.n_cols, theta.n_cols);
    const double h = data.h[channel];
    WeightLaw law{prior.precision * prior.mean, prior.precision};
    std::vector<arma::uword> on;  // where the row of X shared by all cells of a state is 1
    for (arma::uword j = 0; j < theta.n_cols; ++j) {
        const double n = data.n_observed.at(channel, j);
        if (n == 0.0) continue;
        on.assign(1, 0);
        for (arma::uword d = 0; d < theta.n_rows; ++d)
            if (theta.at(d, j) != 0) on.push_back(d + 1);
        for (const arma::uword column : on) {
            law.shift[column] += h * data.sum_y.at(channel, j);
            for (const arma::uword row : on) law.precision.at(row, column) += h * n;
        }
    }
    return law;
}

// With P = L L', L^-T (L^-1 b + e) ~ N(P^-1 b, P^-1) if e is standard normal.
arma::vec draw_weights(const WeightLaw& law, Stream& rng) {
    const arma::mat lower = cholesky("draw_weights", law.precision);
    arma::vec half = half_solved(lower, law.shift);
    for (double& value : half) value += draw_standard_normal(rng);
    return arma::solve(arma::trimatu(lower.t()), half, arma::solve_opts::fast);
}

double log_density_of_weights(const LearnedWeights& prior, const arma::mat& weights) {
    check_size("log_density_of_weights", "the rows of weights", weights.n_rows, prior.mean.n_elem);
    const arma::mat lower = cholesky("log_density_of_weights", prior.precision);
    const double log_root_determinant = arma::accu(arma::log(lower.diag()));
    double total = 0.0;
    for (arma::uword i = 0; i < weights.n_cols; ++i) {
        const arma::vec scaled = lower.t() * (weights.col(i) - prior.mean);
        total +=
            log_root_determinant - 0.5 * (static_cast<double>(scaled.n_elem) * log_two_pi + arma::dot(scaled, scaled));
    }
    return total;
}

double log_likelihood_without_weights(const LearnedWeights& prior, const LinearEvidence& data,
                                      const arma::umat& theta) {
    // Each channel and the prior of its bias move together, to where the channel's mean is 0: this adds a constant, and
    // the quadratic form below no longer is a small difference of the squares of a large offset.
    LinearEvidence centred = data;
    LearnedWeights moved = prior;
    double sum = 0.0;
    for (arma::uword i = 0; i < data.h.n_elem; ++i) {
        const double n = arma::accu(data.n_observed.row(i));
        const double mean = n == 0.0 ? 0.0 : arma::accu(data.sum_y.row(i)) / n;
        centred.sum_y.row(i) -= mean * data.n_observed.row(i);
        moved.mean[0] = prior.mean[0] - mean;
        const WeightLaw law = weight_law(moved, centred, theta, i);
        arma::mat lower;
        if (!arma::chol(lower, law.precision, "lower")) return minus_infinity;
        const arma::vec half = half_solved(lower, law.shift);
        sum += 0.5 * arma::dot(half, half) - arma::accu(arma::log(lower.diag()));
    }
    return sum;
}

}  // namespace hmmlt
