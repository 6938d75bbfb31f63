// A prior draw is the conditional given no data, so both go through one function.
#include "hmmlt/emission/gaussian.hpp"

#include <cmath>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/emission/normal_channels.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt {

namespace {

void check_gaussian(const char* function, const GaussianSpec& spec) {
    check_not_empty(function, "spec.channels", spec.channels.size());
    for (const NormalGammaLaw& prior : spec.channels) {
        check_finite(function, "spec.channels.m", prior.m);
        check_positive_finite(function, "spec.channels.k", prior.k);
        check_positive_finite(function, "spec.channels.a", prior.a);
        check_positive_finite(function, "spec.channels.b", prior.b);
    }
}

void draw_state(const GaussianSpec& spec, const GaussianStatistics& data, GaussianState& state,
                const BlockStreams& rng) {
    for (arma::uword j = 0; j < data.n.n_cols; ++j) {
        Stream stream = rng.item(j);
        for (arma::uword i = 0; i < spec.n_channels(); ++i) {
            const NormalGammaLaw law =
                normal_gamma_law(spec.channels[i], data.n.at(i, j), data.mean.at(i, j), data.s.at(i, j));
            const double h = draw_gamma(law.a, law.b, stream);
            check_positive_finite("the draw of a precision", "h (0 is underflow: the prior is too vague)", h);
            state.h.at(i, j) = h;
            state.mean.at(i, j) = draw_normal(law.m, 1.0 / std::sqrt(law.k * h), stream);
        }
    }
}

}  // namespace

bool operator==(const GaussianState& a, const GaussianState& b) {
    return same_values(a.mean, b.mean) && same_values(a.h, b.h);
}

GaussianStatistics gaussian_statistics(const Observations& observations, const arma::uvec& z, arma::uword n_channels,
                                       arma::uword n_states) {
    check_channels("gaussian_statistics", observations, n_channels);
    check_states("gaussian_statistics", observations, z, n_states);
    const arma::mat zeros(n_channels, n_states, arma::fill::zeros);
    GaussianStatistics found{zeros, zeros, zeros};
    const auto for_each_observed = [&](const auto& visit) {
        for (arma::uword t = 0; t < z.n_elem; ++t)
            for (arma::uword i = 0; i < n_channels; ++i)
                if (const double y = observations.y.at(i, t); !std::isnan(y)) visit(i, z[t], y);
    };
    for_each_observed([&](arma::uword i, arma::uword j, double y) {
        found.n.at(i, j) += 1.0;
        found.mean.at(i, j) += y;
    });
    found.mean /= arma::clamp(found.n, 1.0, arma::datum::inf);
    for_each_observed([&](arma::uword i, arma::uword j, double y) {
        found.s.at(i, j) += (y - found.mean.at(i, j)) * (y - found.mean.at(i, j));
    });
    return found;
}

NormalGammaLaw normal_gamma_law(const NormalGammaLaw& prior, double n, double ybar, double s) {
    const double k = prior.k + n;
    const double shift = ybar - prior.m;
    return {(prior.k * prior.m + n * ybar) / k, k, prior.a + 0.5 * n,
            prior.b + 0.5 * s + 0.5 * prior.k * n * shift * shift / k};
}

GaussianState draw_emission(const GaussianSpec& spec, arma::uword n_states, const BlockStreams& rng) {
    check_gaussian("draw_emission", spec);
    const arma::mat zeros(spec.n_channels(), n_states, arma::fill::zeros);
    GaussianState state{zeros, zeros};
    draw_state(spec, {zeros, zeros, zeros}, state, rng);
    return state;
}

void sample_emission(const GaussianSpec& spec, const Observations& observations, const arma::uvec& z, const arma::umat&,
                     GaussianState& state, const BlockStreams& rng) {
    check_gaussian("sample_emission", spec);
    check_size("sample_emission", "the rows of state.mean", state.mean.n_rows, spec.n_channels());
    state.h.set_size(arma::size(state.mean));
    draw_state(spec, gaussian_statistics(observations, z, spec.n_channels(), state.mean.n_cols), state, rng);
}

GaussianState expected_emission(const GaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                                const arma::umat&, const GaussianState& state) {
    const GaussianStatistics data = gaussian_statistics(observations, z, spec.n_channels(), state.mean.n_cols);
    GaussianState expected = state;
    for (arma::uword j = 0; j < state.mean.n_cols; ++j)
        for (arma::uword i = 0; i < spec.n_channels(); ++i) {
            const NormalGammaLaw law =
                normal_gamma_law(spec.channels[i], data.n.at(i, j), data.mean.at(i, j), data.s.at(i, j));
            expected.mean.at(i, j) = law.m;
            expected.h.at(i, j) = law.a / law.b;
        }
    return expected;
}

void log_likelihood(const GaussianState& state, const arma::umat&, const Observations& observations,
                    arma::mat& log_lik) {
    log_likelihood(NormalChannels{state.mean, state.h}, observations, log_lik);
}

double path_log_likelihood(const GaussianState& state, const arma::umat&, const arma::uvec& z,
                           const Observations& observations) {
    return path_log_likelihood(NormalChannels{state.mean, state.h}, z, observations);
}

double log_prior(const GaussianSpec& spec, const GaussianState& state) {
    check_gaussian("log_prior", spec);
    check_size("log_prior", "the rows of state.mean", state.mean.n_rows, spec.n_channels());
    check_size("log_prior", "state.h", state.h.n_elem, state.mean.n_elem);
    double total = 0.0;
    for (arma::uword j = 0; j < state.mean.n_cols; ++j)
        for (arma::uword i = 0; i < spec.n_channels(); ++i) {
            const NormalGammaLaw& prior = spec.channels[i];
            const double h = state.h.at(i, j);
            total += log_gamma_density(h, {prior.a, prior.b});
            total += log_normal_density(state.mean.at(i, j), prior.m, prior.k * h);
        }
    return total;
}

void draw_observations(const GaussianState& state, const arma::umat&, const arma::uvec& z, Observations& observations,
                       const BlockStreams& rng) {
    draw_observations(NormalChannels{state.mean, state.h}, z, observations, rng);
}

LinearEvidence evidence(const GaussianState&, const Observations&, const arma::uvec&, arma::uword) {
    return {};
}

}  // namespace hmmlt
