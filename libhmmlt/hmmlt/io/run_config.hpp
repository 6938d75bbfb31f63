// How a chain is run: the section [run] of a model file, docs/formats.md.
#pragma once

#include <cstdint>

#include "hmmlt/io/config.hpp"
#include "hmmlt/io/model_config.hpp"
#include "hmmlt/sampler/chain.hpp"

namespace hmmlt {

struct RunSettings {
    Sampler sampler = Sampler::single;
    Start start = Start::time_blocks;
    Precision precision = Precision::float32;  // of the filter that draws z
    std::uint32_t burn_in = 1000;              // sweeps before the first draw; step sizes adapt only here
    std::uint32_t record_every = 50;           // sweeps between scores against the truth
    std::uint32_t heldout_every = 50;          // sweeps between scores of the test sequences
    std::uint32_t draws_every = 100;           // sweeps between stored draws, after burn-in
    std::uint32_t splits_and_merges = default_splits_and_merges;  // proposed in a sweep
    bool state_marginals = false;                                 // state_mean of states without bits
};

// The sampler is single unless the file says otherwise, for semi-Markov models blocked. heldout_every is record_every
// unless the file says otherwise; for the factorial model, where a score costs O(n_dims 2^n_dims) a step, it is
// draws_every.
RunSettings read_run(const Config& config, const AnyModel& model);

}  // namespace hmmlt
