#include "hmmlt/locations/indian_buffet.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/locations/binary.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// mu_d ~ Beta(a_ibp / D, 1)
BetaPrior buffet_prior(double concentration, arma::uword n_dims) {
    return {concentration / static_cast<double>(n_dims), 1.0};
}

}  // namespace

bool operator==(const IndianBuffetState& a, const IndianBuffetState& b) {
    return a.concentration == b.concentration && same_values(a.theta, b.theta) && same_values(a.log_mu, b.log_mu);
}

IndianBuffetState draw_indian_buffet(const IndianBuffetLocations& spec, arma::uword n_states, const BlockStreams& rng) {
    constexpr double smallest = 1e-290;  // a Gamma prior of small shape may draw a number below the smallest double
    IndianBuffetState state{arma::umat(spec.n_dims, n_states), arma::vec(spec.n_dims), 1.0};
    if (const auto* prior = std::get_if<GammaPrior>(&spec.concentration)) {
        Stream stream = rng.item(spec.n_dims);
        state.concentration = std::max(draw_gamma(prior->shape, prior->rate, stream), smallest);
    } else {
        state.concentration = std::get<double>(spec.concentration);
    }
    const BetaPrior prior = buffet_prior(state.concentration, spec.n_dims);
    for (arma::uword dim = 0; dim < spec.n_dims; ++dim) {
        Stream stream = rng.item(dim);
        state.log_mu[dim] = draw_log_beta(prior.a, prior.b, stream).log_x;
        const double mu = std::exp(state.log_mu[dim]);
        for (arma::uword j = 0; j < n_states; ++j) state.theta(dim, j) = draw_uniform(stream) < mu ? 1 : 0;
    }
    return state;
}

double buffet_log_prior(const IndianBuffetLocations& spec, const IndianBuffetState& state) {
    const double share = buffet_prior(state.concentration, spec.n_dims).a;
    double log_density = 0.0;
    if (const auto* prior = std::get_if<GammaPrior>(&spec.concentration))
        log_density += log_gamma_density(state.concentration, *prior);
    for (arma::uword dim = 0; dim < state.log_mu.n_elem; ++dim) {
        const auto ones = static_cast<double>(arma::accu(state.theta.row(dim)));
        const double zeros = static_cast<double>(state.theta.n_cols) - ones;
        log_density += std::log(share) + (share + ones) * state.log_mu[dim];
        if (zeros > 0.0) log_density += zeros * log1m_exp(state.log_mu[dim]);
    }
    return log_density;
}

BetaPrior buffet_probability_law(double concentration, const arma::umat& theta, arma::uword dim) {
    return bit_probability_law(buffet_prior(concentration, theta.n_rows), theta, dim);
}

void sample_buffet_probabilities(double concentration, const arma::umat& theta, arma::vec& log_mu,
                                 const BlockStreams& rng) {
    log_mu.set_size(theta.n_rows);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
        Stream stream = rng.item(dim);
        const BetaPrior law = buffet_probability_law(concentration, theta, dim);
        log_mu[dim] = draw_log_beta(law.a, law.b, stream).log_x;
    }
}

GammaPrior buffet_concentration_law(const GammaPrior& prior, const arma::vec& log_mu) {
    const auto n_dims = static_cast<double>(log_mu.n_elem);
    return {prior.shape + n_dims, prior.rate - arma::accu(log_mu) / n_dims};
}

double sample_buffet_concentration(const GammaPrior& prior, const arma::vec& log_mu, Stream& rng) {
    const GammaPrior law = buffet_concentration_law(prior, log_mu);
    return draw_gamma(law.shape, law.rate, rng);
}

}  // namespace hmmlt
