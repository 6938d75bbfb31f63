// Effective sample sizes: how many independent draws are the draws of some chains worth? Definitions of Vehtari,
// Gelman, Simpson, Carpenter and Buerkner (2021), with the conventions of ArviZ.
#pragma once

#include <armadillo>

namespace hmmlt {

// Autocovariance at lags 0, 1, ..., n_draws - 1, divided by n_draws at every lag, each chain about its own mean; the
// mean over chains.
arma::vec mean_autocovariance(const arma::mat& draws);

// Of draws as they are (draws x chains, at least 2 x 1): autocorrelations over all chains, summed by Geyer's initial
// monotone sequence; at most n log10(n) for n draws in all, and n for draws that are all equal.
double ess(const arma::mat& draws);

// Of the rank-normalised halves of the chains: for means and medians. And the smaller one of the 5 % and the 95 %
// quantiles': for intervals. Both are NaN for fewer than 4 draws and if a draw is not finite.
double ess_bulk(const arma::mat& draws);
double ess_tail(const arma::mat& draws);

}  // namespace hmmlt
