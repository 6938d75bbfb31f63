// One sweep of the factorial HMM: chain after chain, each given the others; then the emission. docs/model.md, section
// 14
#pragma once

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

// An error is reported with the sweep, and the chain or the emission that it happened in. The log likelihood with all
// bits summed out costs O(n_dims 2^n_dims) a step and is not computed: SweepInfo has NaN for it. Its seconds are those
// of the chains and of the emission.
SweepInfo run_factorial_sweep(const FactorialModel& model, const Observations& observations, FactorialState& state,
                              const SweepAddress& address);

// Everything but the bits, given the bits: the end of a start.
void sample_factorial_parameters(const FactorialModel& model, const Observations& observations, FactorialState& state,
                                 const SweepAddress& address);

// The number of different joint bit vectors, n_dims x n_steps.
arma::uword count_distinct_columns(const arma::umat& theta);

}  // namespace hmmlt
