// States run fastest in log_lik, so the parameters are transposed once and every inner loop is contiguous.
#include "hmmlt/emission/normal_channels.hpp"

#include <cmath>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt {

namespace {

void check_parameters(const char* function, const NormalChannels& channels) {
    check_not_empty(function, "h", channels.h.n_elem);
    check_size(function, "the rows of h", channels.h.n_rows, channels.mean.n_rows);
    check_size(function, "the columns of h", channels.h.n_cols, channels.mean.n_cols);
    for (const double h : channels.h) check_positive_finite(function, "h", h);
    for (const double mean : channels.mean) check_finite(function, "mean", mean);
}

}  // namespace

void log_likelihood(const NormalChannels& channels, const Observations& observations, arma::mat& log_lik) {
    check_parameters("log_likelihood", channels);
    check_channels("log_likelihood", observations, channels.mean.n_rows);
    const arma::uword n_states = channels.mean.n_cols;
    const arma::mat mean = channels.mean.t();
    const arma::mat half_h = 0.5 * channels.h.t();
    const arma::mat constant = 0.5 * (arma::log(channels.h.t()) - log_two_pi);
    log_lik.zeros(n_states, observations.y.n_cols);
    for (arma::uword t = 0; t < observations.y.n_cols; ++t) {
        double* now = log_lik.colptr(t);
        for (arma::uword i = 0; i < observations.y.n_rows; ++i) {
            const double y = observations.y.at(i, t);
            if (std::isnan(y)) continue;
            const double* nu = mean.colptr(i);
            const double* half_precision = half_h.colptr(i);
            const double* c = constant.colptr(i);
            for (arma::uword j = 0; j < n_states; ++j) now[j] += c[j] - half_precision[j] * (y - nu[j]) * (y - nu[j]);
        }
    }
}

double path_log_likelihood(const NormalChannels& channels, const arma::uvec& z, const Observations& observations) {
    check_parameters("path_log_likelihood", channels);
    check_channels("path_log_likelihood", observations, channels.mean.n_rows);
    check_states("path_log_likelihood", observations, z, channels.mean.n_cols);
    const arma::mat constant = 0.5 * (arma::log(channels.h) - log_two_pi);
    double sum = 0.0;
    for (arma::uword t = 0; t < z.n_elem; ++t)
        for (arma::uword i = 0; i < observations.y.n_rows; ++i) {
            const double y = observations.y.at(i, t);
            if (std::isnan(y)) continue;
            const double residual = y - channels.mean.at(i, z[t]);
            sum += constant.at(i, z[t]) - 0.5 * channels.h.at(i, z[t]) * residual * residual;
        }
    return sum;
}

void draw_observations(const NormalChannels& channels, const arma::uvec& z, Observations& observations,
                       const BlockStreams& rng) {
    check_parameters("draw_observations", channels);
    check_states("draw_observations", observations, z, channels.mean.n_cols);
    const Sequences& sequences = observations.sequences;
    observations.symbol.reset();
    observations.y.set_size(channels.mean.n_rows, z.n_elem);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t)
            for (arma::uword i = 0; i < observations.y.n_rows; ++i)
                observations.y.at(i, t) =
                    draw_normal(channels.mean.at(i, z[t]), 1.0 / std::sqrt(channels.h.at(i, z[t])), stream);
    }
}

}  // namespace hmmlt
