// Moves of a feature in all states at once, for bits that have no names. Bits that move one state at a time cannot
// leave a set of features that explains the data as sums and differences of the true ones: every state would have to
// follow.
#pragma once

#include <armadillo>
#include <functional>

#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// theta_d <- theta_d xor theta_e in every state, or, where e = d, theta_d <- 1 - theta_d: its own inverse.
//                                                                                                 docs/model.md (118)
struct FeatureMove {
    arma::uword dim;    // d
    arma::uword other;  // e
};
void apply_move(const FeatureMove& move, arma::umat& theta);  // theta: n_dims x n_states, 0 or 1

// As many proposals a sweep as there are features, but no more than this: each costs what a draw of W does, and a pass
// over all transitions.
inline constexpr arma::uword most_feature_moves = 16;

// Metropolis: proposals in turn, d and e uniform, each accepted with the probability of docs/model.md (120).
// log_density(theta): the law that theta is to keep, up to a constant; -infinity is refused, NaN an error.
// rng.item(i) draws proposal i.
void move_features(const std::function<double(const arma::umat&)>& log_density, arma::umat& theta,
                   const BlockStreams& rng);

}  // namespace hmmlt
