// One sweep of the factorial HMM: chain after chain, each given the others; then the emission. docs/model.md, section
// 14
#pragma once

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

// An error is reported with the sweep, and the chain or the emission that it happened in.
void run_factorial_sweep(const FactorialModel& model, const Observations& observations, FactorialState& state,
                         const SweepAddress& address);

}  // namespace hmmlt
