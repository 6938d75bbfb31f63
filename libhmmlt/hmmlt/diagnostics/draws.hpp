// What convergence diagnostics do to draws before they compare chains: split, rank, fold, cut at a quantile. A matrix
// of draws has a column per chain and a row per draw.
#pragma once

#include <armadillo>

namespace hmmlt {

// The first and the second half of each chain as chains of their own; of an odd number of draws, the middle one is left
// out. First all first halves, then all second halves.
arma::mat split_chains(const arma::mat& draws);

// Each draw by the normal quantile of (rank - 3/8) / (n + 1/4), ranks taken over all chains, ties sharing their mean.
arma::mat rank_normalise(const arma::mat& draws);

// |draw - median of all|: what R-hat looks at to see chains that differ in spread only.
arma::mat fold(const arma::mat& draws);

// The p-quantile of all draws, interpolated between order statistics (type 7 of Hyndman and Fan, 1996), 0 <= p <= 1.
double quantile(const arma::mat& draws, double p);

}  // namespace hmmlt
