// The sweeps of the factorial HMM. `single`: chain after chain, each given the others; then the emission. `blocked`:
// all bits at once, then every chain's transitions, then the emission. docs/model.md, section 14
#pragma once

#include <functional>

#include "hmmlt/dynamics/factorial_draw.hpp"
#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

// The sweep of `single`. An error is reported with the sweep, and the chain or the emission that it happened in. The
// log likelihood with all bits summed out costs O(n_dims 2^n_dims) a step and is not computed: SweepInfo has NaN for
// it. Its seconds are those of the chains and of the emission.
SweepInfo run_factorial_sweep(const FactorialModel& model, const Observations& observations, FactorialState& state,
                              const SweepAddress& address);

// Draws state.theta given all else but the start rows, which the sweep draws next. Returns log p(y) with all bits
// summed out, or NaN where the draw does not come by it.
using BitsDraw =
    std::function<double(const Observations& observations, FactorialState& state, const SweepAddress& address)>;

// The sweep of `blocked`, by whatever draws the bits; its log likelihood is that of the draw. Its seconds are those of
// the bits, of the chains and of the emission.
SweepInfo run_blocked_factorial_sweep(const FactorialModel& model, const Observations& observations,
                                      FactorialState& state, const BitsDraw& draw_bits, const SweepAddress& address);

// Up to `at_once` chains are drawn together. More of them: in random blocks of `in_block`, each given the rest.
struct JointBlocks {
    arma::uword at_once = most_joint_chains;
    arma::uword in_block = 12;
};
double sample_bits_jointly(const Observations& observations, Precision precision, const JointBlocks& blocks,
                           JointDrawScratch& scratch, FactorialState& state, const SweepAddress& address);

// Everything but the bits, given the bits: the end of a start.
void sample_factorial_parameters(const FactorialModel& model, const Observations& observations, FactorialState& state,
                                 const SweepAddress& address);

// The number of different joint bit vectors, n_dims x n_steps.
arma::uword count_distinct_columns(const arma::umat& theta);

}  // namespace hmmlt
