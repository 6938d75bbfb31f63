// The law of the bits of all states together, for moves of whole features: everything that hangs on the bits is
// integrated out, so that it need not follow a move.
#pragma once

#include <armadillo>
#include <optional>

#include "hmmlt/emission/weight_priors.hpp"
#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// The prior of a column of W, if the features of this model have no names and can move: learnt weights, and bits that
// are not fixed. None otherwise.
std::optional<LearnedWeights> prior_of_unnamed_features(const Model& model, const State& state);

// What the bits are conditioned on, beside the state: y and z in sums, and the rates of jumps, rows scaled.
struct FeatureEvidence {
    LearnedWeights prior;
    arma::mat n;       // transitions, (n_states + 1) x n_states
    arma::mat log_pi;  // of the same shape
    LinearEvidence data;
};
FeatureEvidence feature_evidence(const LearnedWeights& prior, const State& state, const Observations& observations,
                                 const arma::mat& n);

// log p(theta | z, pi, lambda or A, h, tau, a_ibp, y) of the bits in state.locations, up to a constant; W, mu, u and Q
// integrated out.                                                                                 docs/model.md (120)
double log_density_of_features(const Model& model, const State& state, const FeatureEvidence& evidence);

// Its parts that are not the emission's: the last sum of (120); and (10), 0 where it does not depend on the bits.
double log_density_of_bits_without_mu(const LocationSpec& spec, const LocationState& state);
double log_density_of_jumps(const Model& model, const State& state, const FeatureEvidence& evidence);

}  // namespace hmmlt
