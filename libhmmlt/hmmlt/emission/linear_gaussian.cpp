#include "hmmlt/emission/linear_gaussian.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/emission/normal_channels.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

namespace {

void check_linear_gaussian(std::string_view function, const LinearGaussianSpec& spec) {
    check_not_empty(function, "spec.h", spec.h.size());
    for (const GammaPrior& prior : spec.h) {
        check_positive_finite(function, "spec.h.shape", prior.shape);
        check_positive_finite(function, "spec.h.rate", prior.rate);
    }
    check_weight_spec(function, spec.weights, spec.n_channels());
}

void check_state(std::string_view function, const LinearGaussianState& state) {
    check_not_empty(function, "state.h", state.h.n_elem);
    for (const double h : state.h) check_positive_finite(function, "state.h", h);
    check_not_empty(function, "the rows of state.weights", state.weights.n_rows);
    check_size(function, "the columns of state.weights", state.weights.n_cols, state.h.n_elem);
}

double draw_precision(const GammaPrior& law, Stream& rng) {
    const double h = draw_gamma(law.shape, law.rate, rng);
    check_positive_finite("the draw of a noise precision", "h (0 is underflow: the prior is too vague)", h);
    return h;
}

double draw_weight_precision(const GammaPrior& law, Stream& rng) {
    const double tau = draw_gamma(law.shape, law.rate, rng);
    check_positive_finite("the draw of the weights' precision", "tau (0 is underflow: the prior is too vague)", tau);
    return tau;
}

NormalChannels normal_channels(const LinearGaussianState& state, const arma::umat& theta) {
    return {state_means(state.weights, theta), arma::repmat(state.h, 1, theta.n_cols)};
}

}  // namespace

bool operator==(const LinearGaussianState& a, const LinearGaussianState& b) {
    return same_values(a.weights, b.weights) && same_values(a.h, b.h) && a.weight_precision == b.weight_precision;
}

arma::uword LinearGaussianSpec::n_dims() const {
    const arma::uword n = n_rows(weights);
    check_not_empty("LinearGaussianSpec", "the rows of weights", n);
    return n - 1;
}

arma::mat state_means(const arma::mat& weights, const arma::umat& theta) {
    check_not_empty("state_means", "the rows of weights", weights.n_rows);
    check_bits("state_means", theta, weights.n_rows - 1);
    arma::mat means(weights.n_cols, theta.n_cols);
    for (arma::uword j = 0; j < theta.n_cols; ++j)
        for (arma::uword i = 0; i < weights.n_cols; ++i) {
            const double* w = weights.colptr(i);
            double mean = w[0];
            for (arma::uword d = 0; d < theta.n_rows; ++d)
                if (theta.at(d, j) != 0) mean += w[d + 1];
            means.at(i, j) = mean;
        }
    return means;
}

LinearEvidence evidence(const LinearGaussianState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states) {
    check_state("evidence", state);
    check_channels("evidence", observations, state.h.n_elem);
    check_states("evidence", observations, z, n_states);
    const arma::uword n_channels = state.h.n_elem;
    LinearEvidence found{arma::mat(n_channels, n_states, arma::fill::zeros),
                         arma::mat(n_channels, n_states, arma::fill::zeros), state.weights, state.h};
    for (arma::uword t = 0; t < z.n_elem; ++t)
        for (arma::uword i = 0; i < n_channels; ++i) {
            const double y = observations.y.at(i, t);
            if (std::isnan(y)) continue;
            found.n_observed.at(i, z[t]) += 1.0;
            found.sum_y.at(i, z[t]) += y;
        }
    return found;
}

std::vector<GammaPrior> noise_precision_law(const LinearGaussianSpec& spec, const Observations& observations,
                                            const arma::uvec& z, const arma::umat& theta, const arma::mat& weights) {
    check_linear_gaussian("noise_precision_law", spec);
    check_size("noise_precision_law", "the columns of weights", weights.n_cols, spec.n_channels());
    check_channels("noise_precision_law", observations, spec.n_channels());
    check_states("noise_precision_law", observations, z, theta.n_cols);
    const arma::mat x = state_means(weights, theta);
    std::vector<GammaPrior> law = spec.h;
    for (arma::uword t = 0; t < z.n_elem; ++t)
        for (arma::uword i = 0; i < law.size(); ++i) {
            const double y = observations.y.at(i, t);
            if (std::isnan(y)) continue;
            const double residual = y - x.at(i, z[t]);
            law[i].shape += 0.5;
            law[i].rate += 0.5 * residual * residual;
        }
    return law;
}

void sample_noise_precisions(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                             const arma::umat& theta, LinearGaussianState& state, Stream& rng) {
    const std::vector<GammaPrior> law = noise_precision_law(spec, observations, z, theta, state.weights);
    state.h.set_size(law.size());
    std::transform(law.begin(), law.end(), state.h.begin(),
                   [&rng](const GammaPrior& channel) { return draw_precision(channel, rng); });
}

void sample_weights(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                    const arma::umat& theta, LinearGaussianState& state, Stream& rng) {
    const std::optional<LearnedWeights> prior = column_prior(spec.weights, state.weight_precision);
    if (!prior) return;
    check_linear_gaussian("sample_weights", spec);
    const LinearEvidence data = evidence(state, observations, z, theta.n_cols);
    for (arma::uword i = 0; i < spec.n_channels(); ++i)
        state.weights.col(i) = draw_weights(weight_law(*prior, data, theta, i), rng);
}

void sample_weight_precision(const LinearGaussianSpec& spec, LinearGaussianState& state, Stream& rng) {
    if (const auto* shared = std::get_if<SharedPrecisionWeights>(&spec.weights))
        state.weight_precision = draw_weight_precision(weight_precision_law(*shared, state.weights), rng);
}

LinearGaussianState draw_emission(const LinearGaussianSpec& spec, arma::uword, const BlockStreams& rng) {
    check_linear_gaussian("draw_emission", spec);
    Stream stream = rng.item(0);
    LinearGaussianState state{arma::mat(spec.n_dims() + 1, spec.n_channels()), arma::vec(spec.n_channels())};
    std::transform(spec.h.begin(), spec.h.end(), state.h.begin(),
                   [&stream](const GammaPrior& prior) { return draw_precision(prior, stream); });
    if (const auto* shared = std::get_if<SharedPrecisionWeights>(&spec.weights))
        state.weight_precision = draw_weight_precision(shared->precision, stream);
    if (const auto prior = column_prior(spec.weights, state.weight_precision))
        for (arma::uword i = 0; i < spec.n_channels(); ++i)
            state.weights.col(i) = draw_weights({prior->precision * prior->mean, prior->precision}, stream);
    else
        state.weights = std::get<KnownWeights>(spec.weights).weights;
    return state;
}

void sample_emission(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& theta, LinearGaussianState& state, const BlockStreams& rng) {
    Stream stream = rng.item(0);
    sample_noise_precisions(spec, observations, z, theta, state, stream);
    sample_weights(spec, observations, z, theta, state, stream);
    sample_weight_precision(spec, state, stream);
}

LinearGaussianState expected_emission(const LinearGaussianSpec& spec, const Observations& observations,
                                      const arma::uvec& z, const arma::umat& theta, const LinearGaussianState& state) {
    LinearGaussianState expected = state;
    const std::vector<GammaPrior> noise = noise_precision_law(spec, observations, z, theta, state.weights);
    std::transform(noise.begin(), noise.end(), expected.h.begin(),
                   [](const GammaPrior& law) { return law.shape / law.rate; });
    if (const auto prior = column_prior(spec.weights, state.weight_precision)) {
        const LinearEvidence data = evidence(state, observations, z, theta.n_cols);
        for (arma::uword i = 0; i < spec.n_channels(); ++i) {
            const WeightLaw law = weight_law(*prior, data, theta, i);
            expected.weights.col(i) = arma::solve(law.precision, law.shift, arma::solve_opts::likely_sympd);
        }
    }
    if (const auto* shared = std::get_if<SharedPrecisionWeights>(&spec.weights)) {
        const GammaPrior law = weight_precision_law(*shared, state.weights);
        expected.weight_precision = law.shape / law.rate;
    }
    return expected;
}

void log_likelihood(const LinearGaussianState& state, const arma::umat& theta, const Observations& observations,
                    arma::mat& log_lik) {
    check_state("log_likelihood", state);
    log_likelihood(normal_channels(state, theta), observations, log_lik);
}

double path_log_likelihood(const LinearGaussianState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations) {
    check_state("path_log_likelihood", state);
    return path_log_likelihood(normal_channels(state, theta), z, observations);
}

double log_prior(const LinearGaussianSpec& spec, const LinearGaussianState& state) {
    check_linear_gaussian("log_prior", spec);
    check_state("log_prior", state);
    check_size("log_prior", "state.h", state.h.n_elem, spec.n_channels());
    double total = 0.0;
    for (arma::uword i = 0; i < spec.n_channels(); ++i) total += log_gamma_density(state.h[i], spec.h[i]);
    const std::optional<LearnedWeights> prior = column_prior(spec.weights, state.weight_precision);
    if (!prior) return total;
    if (const auto* shared = std::get_if<SharedPrecisionWeights>(&spec.weights))
        total += log_gamma_density(*state.weight_precision, shared->precision);
    return total + log_density_of_weights(*prior, state.weights);
}

void draw_observations(const LinearGaussianState& state, const arma::umat& theta, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng) {
    check_state("draw_observations", state);
    draw_observations(normal_channels(state, theta), z, observations, rng);
}

}  // namespace hmmlt
