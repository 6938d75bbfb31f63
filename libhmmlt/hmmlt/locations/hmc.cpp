// Paths, acceptance and step size of Hamiltonian Monte Carlo; a path never leaves the finite numbers.
#include "hmmlt/locations/hmc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Gains k^-0.6 add up without bound (any start is left behind) while their squares do not (the noise dies out).
constexpr double gain_exponent = 0.6;

double kinetic_energy(const arma::mat& momentum) {
    return 0.5 * arma::dot(momentum, momentum);
}

}  // namespace

bool leapfrog(const HmcTarget& target, double epsilon, arma::uword n_leapfrog, arma::mat& position,
              arma::mat& momentum) {
    momentum += 0.5 * epsilon * target.gradient(position);
    for (arma::uword step = 1; step <= n_leapfrog; ++step) {
        position += epsilon * momentum;
        // Two half kicks in a row are one whole kick.
        momentum += (step < n_leapfrog ? epsilon : 0.5 * epsilon) * target.gradient(position);
        if (!position.is_finite() || !momentum.is_finite()) return false;
    }
    return true;
}

HmcInfo hmc_update(const HmcTarget& target, double epsilon, arma::uword n_leapfrog, arma::mat& position, Stream& rng) {
    check_positive_finite("hmc_update", "epsilon", epsilon);
    check_not_empty("hmc_update", "n_leapfrog", n_leapfrog);
    const double log_density = target.log_density(position);
    if (!std::isfinite(log_density)) return {};

    arma::mat momentum(arma::size(position));
    momentum.for_each([&](double& g) { g = draw_standard_normal(rng); });
    const double energy = kinetic_energy(momentum) - log_density;

    arma::mat proposal = position;
    if (!leapfrog(target, epsilon, n_leapfrog, proposal, momentum)) return {};
    const double proposal_energy = kinetic_energy(momentum) - target.log_density(proposal);
    if (!std::isfinite(proposal_energy)) return {};

    HmcInfo info;
    info.acceptance_probability = std::exp(std::min(0.0, energy - proposal_energy));
    info.accepted = draw_uniform(rng) < info.acceptance_probability;
    if (info.accepted) position = std::move(proposal);
    return info;
}

void adapt_step_size(double target_acceptance, double acceptance_probability, HmcStepSize& step_size) {
    check_probability("adapt_step_size", "target_acceptance", target_acceptance);
    check_probability("adapt_step_size", "acceptance_probability", acceptance_probability);
    ++step_size.n_adaptations;
    const double gain = std::pow(static_cast<double>(step_size.n_adaptations), -gain_exponent);
    step_size.log_step_size += gain * (acceptance_probability - target_acceptance);
}

}  // namespace hmmlt
