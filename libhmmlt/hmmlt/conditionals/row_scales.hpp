// The scales of the rows of pi, which nothing but their prior knows of.
#pragma once

#include <armadillo>

#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// S_j = sum_k pi_jk | everything but u and Q ~ Gamma(c, 1), independent of pi_j. / S_j              docs/model.md (97)
// The shapes of each row, the start row too, sum to c. log_pi: (n_states + 1) x n_states. rng.item(j) draws row j.
void sample_row_scales(double c, arma::mat& log_pi, const BlockStreams& rng);

// The same where states have durations, and z knows nothing of pi_jj either:                      docs/model.md (116)
// R_j = sum_{k != j} pi_jk ~ Gamma(sum_{k != j} a_jk, 1), independent of pi_jk / R_j; pi_jj ~ Gamma(a_jj, 1).
// a: n_states + 1 rows, as log_pi
void sample_scales_of_jumps(const arma::mat& a, arma::mat& log_pi, const BlockStreams& rng);

}  // namespace hmmlt
