// Hamiltonian Monte Carlo (Neal 2011) on a matrix of unknowns: leapfrog path, acceptance, and the choice of step size.
#pragma once

#include <armadillo>
#include <cstdint>
#include <functional>

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// A density known up to a constant. Both parts may be non-finite where the density is 0; the path is then rejected.
// They are apart because a path asks for many gradients but only for the density at its end points.
struct HmcTarget {
    std::function<double(const arma::mat& position)> log_density;
    std::function<arma::mat(const arma::mat& position)> gradient;
};

// What the next path needs. Comparable and without hidden parts, so that a run continued from a checkpoint is the same.
struct HmcStepSize {
    double log_step_size = 0.0;
    std::uint64_t n_adaptations = 0;

    bool operator==(const HmcStepSize&) const = default;
};

struct HmcInfo {
    bool accepted = false;
    double acceptance_probability = 0.0;  // (60); 0 for a path that met a non-finite value
};

// n_leapfrog steps of size epsilon, in place. False, with both arguments unspecified, if the path met a non-finite
// value.
bool leapfrog(const HmcTarget& target, double epsilon, arma::uword n_leapfrog, arma::mat& position,
              arma::mat& momentum);

// One path with momentum g ~ N(0, I), accepted with probability                                    docs/model.md (60)
//   min(1, exp[U(l) + |g|^2 / 2 - U(l') - |g'|^2 / 2]),  U = -log density.
// Where the density is 0 at `position` itself, nothing moves.
HmcInfo hmc_update(const HmcTarget& target, double epsilon, arma::uword n_leapfrog, arma::mat& position, Stream& rng);

// One step of Robbins and Monro (1951): log epsilon += k^-0.6 (acceptance - target) in the k-th call. To be called
// during burn-in only: afterwards the step size must not depend on the path of the chain.
void adapt_step_size(double target_acceptance, double acceptance_probability, HmcStepSize& step_size);

}  // namespace hmmlt
