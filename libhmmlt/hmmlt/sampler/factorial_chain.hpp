// A chain of the factorial model: as sampler/chain.hpp, with the starts in terms of bits.
#pragma once

#include <string>
#include <vector>

#include "hmmlt/sampler/chain.hpp"
#include "hmmlt/sampler/factorial_sweep.hpp"

namespace hmmlt {

// The bits of a start, then the parameters given them. time_blocks: the steps in up to 100 equal runs, each with
// uniform bits of its own; iid: every bit uniform; prior: parameters and bits from the prior; truth: the true bits. For
// `single` the parameters before the bits are known are drawn from the prior; for `blocked`, all but those of start
// prior are even.                                                                                    docs/model.md,
// section 16
FactorialState factorial_start_state(const FactorialModel& model, const Observations& observations, Start start,
                                     Sampler sampler, const Truth& truth, std::uint64_t seed, std::uint32_t chain);

class FactorialChain {
  public:
    // `observations` must outlive the chain. settings.burn_in changes nothing; precision nothing of `single`.
    FactorialChain(FactorialModel model, const Observations& observations, const ChainSettings& settings,
                   const Truth& truth = {});
    FactorialChain(FactorialModel model, const Observations& observations, const ChainSettings& settings,
                   FactorialState state, std::uint32_t n_sweeps);

    SweepInfo step();

    const FactorialState& state() const { return state_; }
    const FactorialModel& model() const { return model_; }
    std::uint32_t n_sweeps() const { return n_sweeps_; }
    std::vector<std::string> block_names() const;  // of SweepInfo::seconds

  private:
    FactorialModel model_;
    const Observations& observations_;
    ChainSettings settings_;
    FactorialState state_;
    JointDrawScratch scratch_;
    std::uint32_t n_sweeps_ = 0;
};

}  // namespace hmmlt
