// Some chains of a factorial HMM, or all of them, drawn at once given the others: a forward filter over their joint
// states, then a draw of the joint states from the last step to the first. docs/model.md, section 14
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/precision.hpp"
#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/math/aligned_matrix.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Above this many chains, a joint draw is refused: it is made in blocks.
inline constexpr arma::uword most_joint_chains = 16;

// Messages of one sequence of T steps in the space of about 2 sqrt(T) of them: those of one stretch of steps, and the
// last of every stretch, from which the others are computed again. Kept from sweep to sweep, it allocates nothing.
template <typename Real>
struct JointMessages {
    AlignedMatrix<Real> stretch;
    AlignedMatrix<Real> last;
};
struct JointDrawScratch {
    JointMessages<float> float32;
    JointMessages<double> float64;
};

// theta.rows(dims) | y, the other rows, pi, beta, c, W, h, with the start rows integrated out: sequence after sequence,
// each given the first bits of the others. Returns the sum of log p(y_s | those, the other rows), theirs summed out. y,
// theta, weights and h as in factorial.hpp; log_pi: 3 x 2 x (rows of theta), with the logs of the start row's shapes
// c beta_k in its place. rng.item(s) draws sequence s, one number per step. A sequence that messages in `precision`
// must not be trusted with is done again in double, and if need be in log space.     docs/model.md (67) to (69), (128)
// to (130)
double sample_joint_chains(const arma::uvec& dims, const arma::mat& y, const Sequences& sequences,
                           const arma::cube& log_pi, const arma::mat& weights, const arma::vec& h, Precision precision,
                           JointDrawScratch& scratch, arma::umat& theta, const BlockStreams& rng);

}  // namespace hmmlt
