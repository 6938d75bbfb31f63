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

// Runs the blocks of a sweep that draw z, or those that do not.
void run_part(const Sweep& sweep, bool states, const Model& model, const Observations& observations, State& state,
              Scratch& scratch, std::uint64_t seed, std::uint32_t chain) {
    Sweep part;
    std::copy_if(sweep.begin(), sweep.end(), std::back_inserter(part),
                 [states](const Block& block) { return (block.id == StreamBlock::states) == states; });
    run_sweep(part, model, observations, state, scratch, {seed, chain, before_the_first_sweep});
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
    run_part(sweep, false, model, observations, state, scratch, seed, chain);
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
        run_part(sweep, true, model, observations, state, scratch, seed, chain);
        return state;
    }
    const arma::uvec z = start == Start::time_blocks ? time_block_states(n_steps, model.n_states)
                                                     : uniform_states(n_steps, model.n_states, seed, chain);
    return start_state_at(model, observations, z, sweep, seed, chain);
}

}  // namespace hmmlt
