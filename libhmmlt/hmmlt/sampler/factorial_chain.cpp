#include "hmmlt/sampler/factorial_chain.hpp"

#include <fmt/format.h>

#include <numbers>
#include <stdexcept>
#include <utility>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

arma::umat uniform_bits(arma::uword n_dims, arma::uword n_columns, std::uint64_t seed, std::uint32_t chain) {
    Stream rng({.seed = seed, .chain = chain, .block = static_cast<std::uint32_t>(StreamBlock::start)});
    arma::umat bits(n_dims, n_columns);
    bits.for_each([&](arma::uword& bit) { bit = draw_uniform(rng) < 0.5 ? 0 : 1; });
    return bits;
}

// Concentrations of 1 where they are learnt, all else even. From a wide prior they are often below 1e-15, from where
// they need a hundred sweeps.
void make_even(const FactorialModel& model, BinaryChainState& chain) {
    if (!is_fixed(model.gamma)) chain.gamma = 1.0;
    if (!is_fixed(model.c)) chain.c = 1.0;
    chain.log_beta.fill(-std::numbers::ln2);
    chain.log_pi.zeros();
}

}  // namespace

FactorialState factorial_start_state(const FactorialModel& model, const Observations& observations, Start start,
                                     Sampler sampler, const Truth& truth, std::uint64_t seed, std::uint32_t chain) {
    const arma::uword n_dims = model.emission.n_dims();
    const arma::uword n_steps = observations.sequences.n_steps();
    check_not_empty("factorial_start_state", "observations", n_steps);
    FactorialState state = draw_parameters(model, {.seed = seed, .chain = chain});
    switch (start) {
        case Start::prior:
            draw_states(observations.sequences, state, {.seed = seed, .chain = chain});
            return state;
        case Start::time_blocks:
            state.theta = uniform_bits(n_dims, 100, seed, chain).cols(time_block_states(n_steps, 100));
            break;
        case Start::iid:
            state.theta = uniform_bits(n_dims, n_steps, seed, chain);
            break;
        case Start::truth:
            if (truth.theta.n_rows != n_dims)
                throw std::domain_error(
                    fmt::format("start = truth needs the true bits theta_0 .. theta_{}, found {} of them", n_dims - 1,
                                truth.theta.n_rows));
            state.theta = truth.theta;
            break;
    }
    if (sampler == Sampler::blocked)
        for (BinaryChainState& one : state.chains) make_even(model, one);
    sample_factorial_parameters(model, observations, state, {seed, chain, before_the_first_sweep});
    return state;
}

FactorialChain::FactorialChain(FactorialModel model, const Observations& observations, const ChainSettings& settings,
                               const Truth& truth)
    : model_(std::move(model)),
      observations_(observations),
      settings_(settings),
      state_(factorial_start_state(model_, observations, settings.start, settings.sampler, truth, settings.seed,
                                   settings.chain)) {}

FactorialChain::FactorialChain(FactorialModel model, const Observations& observations, const ChainSettings& settings,
                               FactorialState state, std::uint32_t n_sweeps)
    : model_(std::move(model)),
      observations_(observations),
      settings_(settings),
      state_(std::move(state)),
      n_sweeps_(n_sweeps) {}

SweepInfo FactorialChain::step() {
    ++n_sweeps_;
    const SweepAddress address{settings_.seed, settings_.chain, n_sweeps_};
    if (settings_.sampler == Sampler::single) return run_factorial_sweep(model_, observations_, state_, address);
    const auto draw_bits = [this](const Observations& observations, FactorialState& state, const SweepAddress& at) {
        return sample_bits_jointly(observations, settings_.precision, {}, scratch_, state, at);
    };
    return run_blocked_factorial_sweep(model_, observations_, state_, draw_bits, address);
}

std::vector<std::string> FactorialChain::block_names() const {
    if (settings_.sampler == Sampler::single) return {"chains", "emission"};
    return {"bits", "chains", "emission"};
}

}  // namespace hmmlt
