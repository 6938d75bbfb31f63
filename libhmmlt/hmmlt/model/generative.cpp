#include "hmmlt/model/generative.hpp"

#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Blocks of the streams of this file; each quantity has its own, so that changing one size leaves the others alone.
enum class GenerativeBlock : std::uint32_t { base_weights, rows, locations, weights, precision, states, observations };

Stream stream_of(GenerativeBlock block, std::uint64_t seed, std::uint32_t item = 0) {
    return Stream({.seed = seed, .block = static_cast<std::uint32_t>(block), .item = item});
}

}  // namespace

BinaryHmmParameters draw_parameters(const BinaryHmmPrior& prior, std::uint64_t seed) {
    check_positive_finite("draw_parameters", "n_states", static_cast<double>(prior.n_states));
    const arma::uword n_states = prior.n_states;
    BinaryHmmParameters drawn;

    Stream beta_rng = stream_of(GenerativeBlock::base_weights, seed);
    drawn.log_beta.set_size(n_states);
    const arma::vec base(n_states, arma::fill::value(prior.gamma / static_cast<double>(n_states)));
    draw_log_dirichlet(base, drawn.log_beta, beta_rng);

    // Normalised, Gamma(a_k, 1) rates are Dirichlet(a): all that the chain needs where phi = 1. A shape that underflows
    // is a state that is never entered.
    drawn.log_pi.set_size(n_states + 1, n_states);
    const arma::vec shapes = arma::clamp(prior.concentration * arma::exp(drawn.log_beta), smallest_gamma_shape, 1e300);
    arma::vec row(n_states);
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream rng = stream_of(GenerativeBlock::rows, seed, static_cast<std::uint32_t>(from));
        draw_log_dirichlet(shapes, row, rng);
        drawn.log_pi.row(from) = row.t();
    }

    drawn.theta.set_size(prior.n_dims, n_states);
    for (arma::uword dim = 0; dim < prior.n_dims; ++dim) {
        Stream rng = stream_of(GenerativeBlock::locations, seed, static_cast<std::uint32_t>(dim));
        const double mu = draw_beta(prior.mu_a, prior.mu_b, rng);
        for (arma::uword state = 0; state < n_states; ++state) drawn.theta(dim, state) = draw_uniform(rng) < mu ? 1 : 0;
    }

    Stream weight_rng = stream_of(GenerativeBlock::weights, seed);
    drawn.weights.set_size(prior.n_dims + 1, prior.n_channels);
    drawn.weights.for_each([&](double& w) { w = draw_normal(0.0, prior.weight_sd, weight_rng); });

    Stream precision_rng = stream_of(GenerativeBlock::precision, seed);
    drawn.precision.set_size(prior.n_channels);
    drawn.precision.for_each(
        [&](double& h) { h = draw_gamma(prior.precision_shape, prior.precision_rate, precision_rng); });
    return drawn;
}

BinaryHmmSequence draw_sequence(const BinaryHmmParameters& parameters, arma::uword n_steps, std::uint32_t sequence,
                                std::uint64_t seed) {
    const arma::uword n_states = parameters.log_pi.n_cols;
    const arma::uword n_channels = parameters.weights.n_cols;
    BinaryHmmSequence drawn{arma::uvec(n_steps), arma::mat(n_channels, n_steps)};

    Stream state_rng = stream_of(GenerativeBlock::states, seed, sequence);
    arma::uword from = n_states;  // the initial row
    for (arma::uword step = 0; step < n_steps; ++step) {
        const arma::vec log_weights = parameters.log_pi.row(from).t();
        from = drawn.z(step) = draw_categorical_log(log_weights, state_rng);
    }

    Stream noise_rng = stream_of(GenerativeBlock::observations, seed, sequence);
    for (arma::uword step = 0; step < n_steps; ++step)
        for (arma::uword channel = 0; channel < n_channels; ++channel) {
            double mean = parameters.weights(0, channel);
            for (arma::uword dim = 0; dim < parameters.theta.n_rows; ++dim)
                if (parameters.theta(dim, drawn.z(step)) == 1) mean += parameters.weights(dim + 1, channel);
            drawn.y(channel, step) = draw_normal(mean, 1.0 / std::sqrt(parameters.precision(channel)), noise_rng);
        }
    return drawn;
}

}  // namespace hmmlt
