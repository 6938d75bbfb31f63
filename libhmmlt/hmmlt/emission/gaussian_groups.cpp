#include "hmmlt/emission/gaussian_groups.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

namespace {

// lgamma(a + N/2) - lgamma(a) + log(k / (k + N)) / 2 - N/2 log(2 pi), N = 0 .. most. lgamma in steps of 1: a table of
// it takes longer than the moves that read it.
std::vector<double> constants_of_counts(const NormalGammaLaw& prior, arma::uword most) {
    std::vector<double> log_gamma(most + 2, 0.0);
    log_gamma[1] = boost::math::lgamma(prior.a + 0.5) - boost::math::lgamma(prior.a);
    for (std::size_t n = 2; n < log_gamma.size(); ++n)
        log_gamma[n] = log_gamma[n - 2] + std::log(prior.a + 0.5 * static_cast<double>(n - 2));
    for (std::size_t n = 0; n < log_gamma.size(); ++n) {
        const auto count = static_cast<double>(n);
        log_gamma[n] -= 0.5 * std::log1p(count / prior.k) + 0.5 * count * log_two_pi;
    }
    return log_gamma;
}

}  // namespace

GaussianGroups::GaussianGroups(const GaussianSpec& spec, const Observations& observations)
    : spec_(spec), observations_(observations) {
    check_channels("GaussianGroups", observations, spec.n_channels());
    for (arma::uword i = 0; i < spec.n_channels(); ++i) {
        const NormalGammaLaw& prior = spec.channels[i];
        const auto same = [&](const NormalGammaLaw& other) { return prior.a == other.a && prior.k == other.k; };
        const auto first = std::find_if(spec.channels.begin(), spec.channels.end(), same) - spec.channels.begin();
        if (static_cast<arma::uword>(first) < i) {
            constants_of_.push_back(constants_of_[static_cast<std::size_t>(first)]);
        } else {
            constants_of_.push_back(constants_.size());
            constants_.push_back(constants_of_counts(prior, observations.sequences.n_steps()));
        }
    }
}

GaussianGroup GaussianGroups::nothing() const {
    const arma::vec zeros(spec_.n_channels(), arma::fill::zeros);
    return {zeros, zeros, zeros};
}

void GaussianGroups::add(arma::uword t, Group& group) const {
    for (arma::uword i = 0; i < group.n.n_elem; ++i) {
        const double y = observations_.y.at(i, t);
        if (std::isnan(y)) continue;
        const double apart = y - group.mean[i];
        group.n[i] += 1.0;
        group.mean[i] += apart / group.n[i];
        group.s[i] += apart * (y - group.mean[i]);
    }
}

GaussianGroup GaussianGroups::joined(const Group& a, const Group& b) const {
    Group both = a;
    for (arma::uword i = 0; i < a.n.n_elem; ++i) {
        both.n[i] += b.n[i];
        if (b.n[i] == 0.0) continue;
        const double apart = b.mean[i] - a.mean[i];
        both.mean[i] += apart * b.n[i] / both.n[i];
        both.s[i] += b.s[i] + apart * apart * a.n[i] * b.n[i] / both.n[i];
    }
    return both;
}

NormalGammaLaw GaussianGroups::law(const Group& group, arma::uword channel) const {
    return normal_gamma_law(spec_.channels[channel], group.n[channel], group.mean[channel], group.s[channel]);
}

double GaussianGroups::log_marginal_likelihood(const Group& group) const {
    double sum = 0.0;
    for (arma::uword i = 0; i < group.n.n_elem; ++i) {
        if (group.n[i] == 0.0) continue;
        const NormalGammaLaw& prior = spec_.channels[i];
        const NormalGammaLaw posterior = law(group, i);
        // a_0 log b_0 - a_N log b_N, without the difference of two large numbers
        sum += constants_[constants_of_[i]][static_cast<std::size_t>(group.n[i])] -
               prior.a * std::log(posterior.b / prior.b) - 0.5 * group.n[i] * std::log(posterior.b);
    }
    return sum;
}

double GaussianGroups::log_gain(const Group& a, const Group& b, double log_apart) const {
    return log_marginal_likelihood(joined(a, b)) - log_apart;
}

void GaussianGroups::log_predictive(const Group& group, std::span<const arma::uword> steps,
                                    std::span<double> log_density) const {
    constexpr std::size_t at_once = 64;
    std::array<double, at_once> y;
    std::fill(log_density.begin(), log_density.end(), 0.0);
    for (arma::uword i = 0; i < group.n.n_elem; ++i) {
        const NormalGammaLaw now = law(group, i);
        const std::vector<double>& constants = constants_[constants_of_[i]];
        const auto n = static_cast<std::size_t>(group.n[i]);
        const double constant = constants[n + 1] - constants[n] - 0.5 * std::log(now.b);
        const double shape = now.a + 0.5;
        const double scale = 0.5 * now.k / (now.b * (now.k + 1.0));
        for (std::size_t begin = 0; begin < steps.size(); begin += at_once) {
            const std::size_t size = std::min(at_once, steps.size() - begin);
            for (std::size_t m = 0; m < size; ++m) y[m] = observations_.y.at(i, steps[begin + m]);
            double* const out = log_density.data() + begin;
            for (std::size_t m = 0; m < size; ++m) {
                const double apart = y[m] - now.m;
                const double value = constant - shape * vector_log1p(scale * apart * apart);
                out[m] += y[m] == y[m] ? value : 0.0;  // NaN: missing
            }
        }
    }
}

GaussianGroups groups_of(const GaussianSpec& spec, const Observations& observations) {
    return {spec, observations};
}

}  // namespace hmmlt
