#include "hmmlt/sampler/initialise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/blocks.hpp"

namespace hmmlt {

namespace {

constexpr std::uint32_t before_the_first_sweep = 0;

arma::uvec uniform_states(arma::uword n_steps, arma::uword n_states, std::uint64_t seed, std::uint32_t chain) {
    Stream rng({.seed = seed, .chain = chain, .block = static_cast<std::uint32_t>(StreamBlock::start)});
    arma::uvec z(n_steps);
    z.for_each([&](arma::uword& state) {
        state = static_cast<arma::uword>(draw_uniform(rng) * static_cast<double>(n_states));
    });
    return z;
}

// The blocks of a sweep that draw z.
Sweep states_of(const Sweep& sweep) {
    Sweep part;
    std::copy_if(sweep.begin(), sweep.end(), std::back_inserter(part),
                 [](const Block& block) { return block.id == StreamBlock::states; });
    return part;
}

// The others, from u on and then round to those before it: locations and lambda must not see the rates of the prior,
// which know nothing of z and, where c is small, would drive lambda to 1e10.
Sweep parameters_of(const Sweep& sweep) {
    Sweep part;
    std::copy_if(sweep.begin(), sweep.end(), std::back_inserter(part),
                 [](const Block& block) { return block.id != StreamBlock::states; });
    const auto u = std::find_if(part.begin(), part.end(),
                                [](const Block& block) { return block.id == StreamBlock::holding_times; });
    std::rotate(part.begin(), u, part.end());
    return part;
}

}  // namespace

Start start_named(std::string_view name) {
    if (name == "time_blocks") return Start::time_blocks;
    if (name == "iid") return Start::iid;
    if (name == "prior") return Start::prior;
    throw std::domain_error(fmt::format("start must be time_blocks, iid or prior, found {}", name));
}

arma::uvec time_block_states(arma::uword n_steps, arma::uword n_states) {
    const arma::uword n_blocks = std::min<arma::uword>({100, n_states, n_steps});
    arma::uvec z(n_steps);
    for (arma::uword step = 0; step < n_steps; ++step) z(step) = n_blocks * step / n_steps;
    return z;
}

State start_state_at(const Model& model, const Observations& observations, const arma::uvec& z, const Sweep& sweep,
                     std::uint64_t seed, std::uint32_t chain) {
    State state = draw_parameters(model, {.seed = seed, .chain = chain});
    state.z = z;
    Scratch scratch;
    SweepInfo info;
    SweepContext context{model, observations, state, scratch, info};
    count_transitions(z, observations.sequences, model.n_states, scratch.n);
    refresh_similarity(context);
    run_sweep(parameters_of(sweep), model, observations, state, scratch, {seed, chain, before_the_first_sweep});
    return state;
}

State start_state(const Model& model, const Observations& observations, Start start, const Sweep& sweep,
                  std::uint64_t seed, std::uint32_t chain) {
    const arma::uword n_steps = observations.sequences.n_steps();
    check_not_empty("start_state", "observations", n_steps);
    if (start == Start::prior) {
        State state = draw_parameters(model, {.seed = seed, .chain = chain});
        state.z.zeros(n_steps);
        Scratch scratch;
        run_sweep(states_of(sweep), model, observations, state, scratch, {seed, chain, before_the_first_sweep});
        return state;
    }
    const arma::uvec z = start == Start::time_blocks ? time_block_states(n_steps, model.n_states)
                                                     : uniform_states(n_steps, model.n_states, seed, chain);
    return start_state_at(model, observations, z, sweep, seed, chain);
}

}  // namespace hmmlt
