// u: the total time spent in each state before its jumps, kept as a logarithm: a row of tiny rates has e^400 of it.
#pragma once

#include <armadillo>

#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// u_j | z, pi, phi ~ Gamma(n_j., T_j), u_j = 0 where n_j. = 0                                     docs/model.md (11)
// departures, log_total, log_u: n_states + 1, the start row last; log 0 is -infinity.
void sample_holding_times(const arma::vec& departures, const arma::vec& log_total, arma::vec& log_u,
                          const BlockStreams& rng);

// The states with u_j > 0: those that z leaves.
arma::uvec departed_states(const arma::vec& log_u);

}  // namespace hmmlt
