#include "hmmlt/sampler/chain.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/model/generative.hpp"

namespace hmmlt {

Sampler sampler_named(std::string_view name) {
    if (name == "single") return Sampler::single;
    if (name == "blocked") return Sampler::blocked;
    throw std::domain_error(fmt::format("sampler must be single or blocked, found {}", name));
}

namespace {

const ChainSettings& checked(const ChainSettings& settings, const Model& model) {
    check_below("Chain", "chain", settings.chain, data_chain);  // the data have that one
    if (settings.sampler == Sampler::single && durations_of(model.dynamics) != nullptr)
        throw std::domain_error(
            "Chain: sampler must be blocked for a semi_markov model, found single, which would have to count jumps "
            "that "
            "always fail");
    return settings;
}

}  // namespace

Sweep sweep_of(Sampler sampler, Precision precision, std::uint32_t n_splits_and_merges) {
    return sampler == Sampler::single ? single_sweep(precision) : blocked_sweep(precision, n_splits_and_merges);
}

Chain::Chain(Model model, const Observations& observations, const ChainSettings& settings, const Truth& truth)
    : model_(std::move(model)),
      observations_(observations),
      settings_(checked(settings, model_)),
      sweep_(
          with_dynamics(model_.dynamics, sweep_of(settings.sampler, settings.precision, settings.splits_and_merges))),
      state_(start_state(model_, observations, settings.start, truth, sweep_, settings.seed, settings.chain)) {}

Chain::Chain(Model model, const Observations& observations, const ChainSettings& settings, State state,
             std::uint32_t n_sweeps)
    : model_(std::move(model)),
      observations_(observations),
      settings_(checked(settings, model_)),
      sweep_(
          with_dynamics(model_.dynamics, sweep_of(settings.sampler, settings.precision, settings.splits_and_merges))),
      state_(std::move(state)),
      n_sweeps_(n_sweeps) {
    check_model(model_);
}

SweepInfo Chain::step() {
    ++n_sweeps_;
    const SweepInfo info =
        run_sweep(sweep_, model_, observations_, state_, scratch_, {settings_.seed, settings_.chain, n_sweeps_});
    if (n_sweeps_ <= settings_.burn_in)
        if (auto* euclidean = std::get_if<EuclideanLocationState>(&state_.locations))
            adapt_step_size(std::get<EuclideanLocations>(model_.locations).target_acceptance, info.hmc_acceptance,
                            euclidean->step_size);
    return info;
}

std::vector<std::string> Chain::block_names() const {
    std::vector<std::string> names;
    for (const Block& block : sweep_) names.emplace_back(block.name);
    return names;
}

void Chain::run(std::uint32_t n_sweeps, const Sink& sink) {
    for (std::uint32_t i = 0; i < n_sweeps; ++i) {
        const SweepInfo info = step();
        sink(n_sweeps_, state_, info);
    }
}

}  // namespace hmmlt
