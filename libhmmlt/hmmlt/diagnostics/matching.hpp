// Which learnt feature is which true one: features that were learnt come in any order, and their weights may have
// either sign, so that one may be on exactly where a true one is off.
#pragma once

#include <armadillo>

#include "hmmlt/diagnostics/scores.hpp"

namespace hmmlt {

// The column of each row, all of them different, for which the costs add up to the least: by shortest augmenting paths
// (the Hungarian method), O(n^3). cost: n x n, finite; throws std::domain_error otherwise.
arma::uvec cheapest_assignment(const arma::mat& cost);

// Both n x n_steps with the same n, feature d of one held against feature d of the other.
struct MatchedBits {
    arma::umat truth;
    arma::umat found;
    arma::uword n_turned = 0;  // features that are on where `found` had them off
};

// Found features in the order, and turned over where that helps, that differs from the truth in the fewest cells.
// truth: n_true x n_steps, found: n_found x n_steps, 0 or 1. What is left over on either side is held against a feature
// that is always off: a spare feature is a false alarm, unless it never changes; a true one without a partner is
// missed.
MatchedBits match_features(const arma::umat& truth, const arma::umat& found);

}  // namespace hmmlt
