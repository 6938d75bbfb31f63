#include "hmmlt/model/factorial_model.hpp"

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/stream_blocks.hpp"

namespace hmmlt {

namespace {

// One chain as a model of two states; its emission is left to the factorial model.
Model chain_model(const FactorialModel& model) {
    Model chain;
    chain.n_states = 2;
    chain.gamma = model.gamma;
    chain.c = model.c;
    chain.emission = CategoricalSpec::symmetric(1, 1.0);
    return chain;
}

// Chains are independent draws: each has its own draw number.
PriorAddress chain_address(const PriorAddress& address, arma::uword dim, arma::uword n_dims) {
    const arma::uword draw = address.draw * n_dims + dim;
    check_below("FactorialModel", "draw times the number of chains", draw, arma::uword{1} << 32);
    return {.seed = address.seed, .chain = address.chain, .draw = static_cast<std::uint32_t>(draw)};
}

}  // namespace

bool operator==(const BinaryChainState& a, const BinaryChainState& b) {
    return a.gamma == b.gamma && a.c == b.c && same_values(a.log_beta, b.log_beta) && same_values(a.log_pi, b.log_pi);
}

bool operator==(const FactorialState& a, const FactorialState& b) {
    return a.chains == b.chains && same_values(a.theta, b.theta) && a.emission == b.emission;
}

arma::uvec steps_as_states(arma::uword n_steps) {
    return n_steps == 0 ? arma::uvec() : arma::regspace<arma::uvec>(0, n_steps - 1);
}

FactorialState draw_parameters(const FactorialModel& model, const PriorAddress& address) {
    const arma::uword n_dims = model.emission.n_dims();
    FactorialState state;
    for (arma::uword dim = 0; dim < n_dims; ++dim) {
        const State chain = draw_parameters(chain_model(model), chain_address(address, dim, n_dims));
        state.chains.push_back({chain.gamma, chain.c, chain.log_beta, chain.log_pi});
    }
    state.emission = draw_emission(model.emission, 0,
                                   BlockStreams({.seed = address.seed,
                                                 .chain = address.chain,
                                                 .sweep = address.draw,
                                                 .block = static_cast<std::uint32_t>(StreamBlock::prior_emission)}));
    return state;
}

void draw_states(const Sequences& sequences, FactorialState& state, const PriorAddress& address) {
    const arma::uword n_dims = state.chains.size();
    state.theta.set_size(n_dims, sequences.n_steps());
    for (arma::uword dim = 0; dim < n_dims; ++dim) {
        State chain;
        chain.log_pi = state.chains[dim].log_pi;
        draw_states(sequences, chain, chain_address(address, dim, n_dims));
        state.theta.row(dim) = chain.z.t();
    }
}

void draw_data(const FactorialState& state, Observations& observations, const PriorAddress& address) {
    draw_observations(state.emission, state.theta, steps_as_states(state.theta.n_cols), observations,
                      BlockStreams({.seed = address.seed,
                                    .chain = address.chain,
                                    .sweep = address.draw,
                                    .block = static_cast<std::uint32_t>(StreamBlock::prior_observations)}));
}

double log_joint(const FactorialModel& model, const FactorialState& state, const Observations& observations) {
    double sum = log_prior(model.emission, state.emission);
    const Model one = chain_model(model);
    for (arma::uword dim = 0; dim < state.chains.size(); ++dim) {
        const BinaryChainState& chain = state.chains[dim];
        State concentrations;
        concentrations.gamma = chain.gamma;
        concentrations.c = chain.c;
        arma::mat a;
        arma::mat n;
        rate_shapes(chain.log_beta, chain.c, 0.0, a);
        count_transitions(state.theta.row(dim).t(), observations.sequences, 2, n);
        sum += log_density_of_concentrations(one, concentrations) +
               log_density_of_base_weights(chain.gamma, chain.log_beta) + log_density_of_rates(a, chain.log_pi) +
               log_density_of_states(n, chain.log_pi, {});
    }
    // log_likelihood gives every step under every step's bits: only the diagonal is wanted, so one step at a time
    arma::mat log_lik;
    for (arma::uword step = 0; step < state.theta.n_cols; ++step) {
        const Observations here{Sequences::of_lengths({1}), observations.y.col(step), {}};
        log_likelihood(state.emission, state.theta.col(step), here, log_lik);
        sum += log_lik(0, 0);
    }
    return sum;
}

}  // namespace hmmlt
