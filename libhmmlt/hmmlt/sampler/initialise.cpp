#include "hmmlt/sampler/initialise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/random/below.hpp"
#include "hmmlt/sampler/blocks.hpp"

namespace hmmlt {

namespace {

constexpr double first_lambda = 0.01;

// gamma, c, rho, beta, pi and what they are drawn through.
bool is_about_transitions(StreamBlock block) {
    return block == StreamBlock::row_scales || (block >= StreamBlock::holding_times && block <= StreamBlock::rates);
}

arma::uvec uniform_states(arma::uword n_steps, arma::uword n_states, std::uint64_t seed, std::uint32_t chain) {
    Stream rng({.seed = seed, .chain = chain, .block = static_cast<std::uint32_t>(StreamBlock::start)});
    arma::uvec z(n_steps);
    z.for_each([&](arma::uword& state) { state = draw_below(n_states, rng); });
    return z;
}

// Runs the blocks of a sweep whose numbers `wanted` takes.
void run_part(const Sweep& sweep, const std::function<bool(StreamBlock)>& wanted, const Model& model,
              const Observations& observations, State& state, Scratch& scratch, const SweepAddress& address) {
    Sweep part;
    std::copy_if(sweep.begin(), sweep.end(), std::back_inserter(part),
                 [&wanted](const Block& block) { return wanted(block.id); });
    run_sweep(part, model, observations, state, scratch, address);
}

State start_at_truth(const Model& model, const Observations& observations, const Truth& truth, const Sweep& sweep,
                     std::uint64_t seed, std::uint32_t chain) {
    if (const arma::uword n_bits = n_bits_of(model.locations); n_bits > 0) {
        if (truth.theta.n_rows != n_bits)
            throw std::domain_error(
                fmt::format("start = truth needs the true bits theta_0 .. theta_{}, found {} of them", n_bits - 1,
                            truth.theta.n_rows));
        if (std::holds_alternative<CornerLocations>(model.locations))
            return start_state_at(model, observations, corners_of_bits(truth.theta), {}, sweep, seed, chain);
        const BitStates found = states_of_bits(truth.theta, model.n_states);
        return start_state_at(model, observations, found.z, found.vectors, sweep, seed, chain);
    }
    if (truth.z.is_empty()) throw std::domain_error("start = truth needs the true states z, found none");
    if (truth.z.max() >= model.n_states)
        throw std::domain_error(
            fmt::format("start = truth needs z below n_states = {}, found {}", model.n_states, truth.z.max()));
    return start_state_at(model, observations, truth.z, {}, sweep, seed, chain);
}

}  // namespace

Start start_named(std::string_view name) {
    for (std::size_t i = 0; i < std::size(start_names); ++i)
        if (name == start_names[i]) return static_cast<Start>(i);
    throw std::domain_error(fmt::format("start must be one of {}, found {}", fmt::join(start_names, ", "), name));
}

arma::uvec time_block_states(arma::uword n_steps, arma::uword n_states) {
    const arma::uword n_blocks = std::min<arma::uword>({100, n_states, n_steps});
    arma::uvec z(n_steps);
    for (arma::uword step = 0; step < n_steps; ++step) z(step) = n_blocks * step / n_steps;
    return z;
}

BitStates states_of_bits(const arma::umat& theta, arma::uword n_states) {
    std::map<std::vector<arma::uword>, arma::uword> number;  // of each distinct vector, as they appear
    std::vector<arma::uword> first;                          // step at which it appears
    arma::uvec z(theta.n_cols);
    for (arma::uword step = 0; step < theta.n_cols; ++step) {
        const auto [found, is_new] = number.try_emplace({theta.begin_col(step), theta.end_col(step)}, first.size());
        if (is_new) first.push_back(step);
        z(step) = found->second;
    }
    const arma::umat all = theta.cols(arma::uvec(first));
    if (all.n_cols <= n_states) return {z, all};

    arma::uvec count(all.n_cols, arma::fill::zeros);
    for (const arma::uword state : z) ++count(state);
    const arma::uvec by_count = arma::stable_sort_index(count, "descend");
    const arma::uvec kept = arma::sort(by_count.head(n_states).eval());
    const arma::umat vectors = all.cols(kept);
    arma::uvec place(all.n_cols);
    for (arma::uword state = 0; state < all.n_cols; ++state) {
        arma::urowvec distance(vectors.n_cols);
        for (arma::uword k = 0; k < vectors.n_cols; ++k) distance(k) = arma::accu(vectors.col(k) != all.col(state));
        place(state) = distance.index_min();
    }
    return {place.elem(z), vectors};
}

State start_state_at(const Model& model, const Observations& observations, const arma::uvec& z, const arma::umat& bits,
                     const Sweep& sweep, std::uint64_t seed, std::uint32_t chain) {
    State state = draw_parameters(model, {.seed = seed, .chain = chain});
    state.z = z;
    // A lambda from its prior is mostly large: it would forbid the jumps between states whose locations are not yet
    // those of the data, and a chain that begins with one state rarely finds the others.
    if (!is_fixed(lambda_prior(model.similarity))) state.lambda = first_lambda;
    // A prior that puts everything on one state leaves it one way out, if that. Where no state follows itself, z may
    // need others; pi is drawn given z below.
    if (durations_of(model.dynamics) != nullptr) state.log_pi.zeros();
    state.bit_logits.zeros();  // likewise: no bit prefers to turn
    if (!bits.is_empty()) set_bits(bits, state.locations);
    Scratch scratch;
    SweepInfo info;
    SweepContext context{model, observations, state, scratch, info};
    count_jumps(state, observations.sequences, scratch.n);
    refresh_similarity(context);
    // rates of the prior know nothing of z, and lambda given them would be absurd: transitions first
    run_part(sweep, is_about_transitions, model, observations, state, scratch, {seed, chain, first_transitions});
    const bool keep_locations = !bits.is_empty();
    const auto wanted = [keep_locations](StreamBlock block) {
        const bool moves_bits = block == StreamBlock::locations || block == StreamBlock::features;
        const bool moves_states = block == StreamBlock::states || block == StreamBlock::split_merge;
        return !moves_states && !(keep_locations && moves_bits);
    };
    run_part(sweep, wanted, model, observations, state, scratch, {seed, chain, before_the_first_sweep});
    return state;
}

State start_state(const Model& model, const Observations& observations, Start start, const Truth& truth,
                  const Sweep& sweep, std::uint64_t seed, std::uint32_t chain) {
    const arma::uword n_steps = observations.sequences.n_steps();
    check_not_empty("start_state", "observations", n_steps);
    if (start == Start::truth) return start_at_truth(model, observations, truth, sweep, seed, chain);
    if (start == Start::prior) {
        State state = draw_parameters(model, {.seed = seed, .chain = chain});
        Scratch scratch;  // z is empty: there is no path to begin with
        const auto is_states = [](StreamBlock block) { return block == StreamBlock::states; };
        run_part(sweep, is_states, model, observations, state, scratch, {seed, chain, before_the_first_sweep});
        return state;
    }
    const arma::uvec z = start == Start::time_blocks ? time_block_states(n_steps, model.n_states)
                                                     : uniform_states(n_steps, model.n_states, seed, chain);
    return start_state_at(model, observations, z, {}, sweep, seed, chain);
}

}  // namespace hmmlt
