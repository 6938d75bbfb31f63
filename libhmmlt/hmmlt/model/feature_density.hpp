// The law of the bits of all states together, for moves of whole features: everything that hangs on the bits is
// integrated out, so that it need not follow a move.
#pragma once

#include <armadillo>
#include <optional>

#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// What is known beforehand of a column of W, if the features of this model have no names and can move: learnt weights,
// and bits that are not fixed. None otherwise.
std::optional<LearnedWeights> prior_of_unnamed_features(const Model& model, const State& state);

// log p(theta | z, pi, lambda, h, tau, y) of the bits in state.locations, up to a constant; W, mu, u and Q integrated
// out. n: transitions, (n_states + 1) x n_states; data: of z.                                     docs/model.md (120)
double log_density_of_features(const Model& model, const State& state, const LearnedWeights& weights,
                               const arma::mat& n, const LinearEvidence& data);

// Its parts: mu integrated out, (53), summed over all bits; and (10).
double log_density_of_bits_without_mu(const LocationSpec& spec, const LocationState& state);
double log_density_of_jumps(const State& state, const arma::mat& n);

}  // namespace hmmlt
