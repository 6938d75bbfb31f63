// A chain: a state, the sweep that moves it, and the number of sweeps done. The chain owns the loop; what is recorded
// is the business of a sink.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hmmlt/sampler/initialise.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

enum class Sampler { single, blocked };
Sampler sampler_named(std::string_view name);  // throws std::domain_error naming the choices
Sweep sweep_of(Sampler sampler, Precision precision = Precision::float32,
               std::uint32_t n_splits_and_merges = default_splits_and_merges);

struct ChainSettings {
    std::uint64_t seed = 0;
    std::uint32_t chain = 0;  // below data_chain
    Sampler sampler = Sampler::single;
    Start start = Start::time_blocks;
    Precision precision = Precision::float32;  // of the filter that draws z
    std::uint32_t burn_in = 0;                 // sweeps during which step sizes adapt; frozen afterwards
    std::uint32_t splits_and_merges = default_splits_and_merges;  // proposed in a sweep of `blocked`

    bool operator==(const ChainSettings&) const = default;
};

class Chain {
  public:
    // Called after every sweep with its number, from 1.
    using Sink = std::function<void(std::uint32_t sweep, const State& state, const SweepInfo& info)>;

    // `observations` must outlive the chain; only a start from the truth reads `truth`.
    Chain(Model model, const Observations& observations, const ChainSettings& settings, const Truth& truth = {});
    // Continues from a stored state after `n_sweeps` sweeps: the same as if it had never stopped.
    Chain(Model model, const Observations& observations, const ChainSettings& settings, State state,
          std::uint32_t n_sweeps);

    SweepInfo step();
    void run(std::uint32_t n_sweeps, const Sink& sink);

    const State& state() const { return state_; }
    const Model& model() const { return model_; }
    std::uint32_t n_sweeps() const { return n_sweeps_; }
    std::vector<std::string> block_names() const;  // of SweepInfo::seconds

  private:
    Model model_;
    const Observations& observations_;
    ChainSettings settings_;
    Sweep sweep_;
    State state_;
    Scratch scratch_;
    std::uint32_t n_sweeps_ = 0;
};

}  // namespace hmmlt
