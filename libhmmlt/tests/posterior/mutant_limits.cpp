// The wrong moves of the Indian buffet and of the factorial limit.
#include <cmath>

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/locations/directed_bits.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

namespace {

LinearEvidence evidence_of_corners(const SweepContext& context) {
    return evidence(context.state.emission, context.observations, context.state.z, context.model.n_states);
}

}  // namespace

void buffet_of_weight_a(SweepContext& context, const BlockStreams& rng) {
    auto& state = std::get<IndianBuffetState>(context.state.locations);
    const auto n_dims = static_cast<double>(state.log_mu.n_elem);
    sample_buffet_probabilities(n_dims * state.concentration, state.theta, state.log_mu, rng);
    Stream stream = rng.item(state.log_mu.n_elem);
    const auto& spec = std::get<IndianBuffetLocations>(context.model.locations);
    state.concentration = sample_buffet_concentration(std::get<GammaPrior>(spec.concentration), state.log_mu, stream);
}

void buffet_concentration_of_the_sum(SweepContext& context, const BlockStreams& rng) {
    auto& state = std::get<IndianBuffetState>(context.state.locations);
    const auto n_dims = static_cast<double>(state.log_mu.n_elem);
    sample_buffet_probabilities(state.concentration, state.theta, state.log_mu, rng);
    Stream stream = rng.item(state.log_mu.n_elem);
    const auto& spec = std::get<IndianBuffetLocations>(context.model.locations);
    state.concentration =
        sample_buffet_concentration(std::get<GammaPrior>(spec.concentration), n_dims * state.log_mu, stream);
}

void directed_bits_without_own_jumps(SweepContext& context, const BlockStreams& rng) {
    auto& [theta, mu] = std::get<BinaryLocationState>(context.state.locations);
    arma::mat n = context.scratch.n;
    arma::mat q = context.scratch.q;
    for (arma::uword j = 0; j < q.n_cols; ++j) n(j, j) = q(j, j) = 0.0;
    sample_directed_bits_given_failed_jumps(mu, context.state.bit_logits, n, q, evidence_of_corners(context), theta,
                                            rng);
    refresh_similarity(context);
}

void directed_bits_of_transposed_jumps(SweepContext& context, const BlockStreams& rng) {
    auto& [theta, mu] = std::get<BinaryLocationState>(context.state.locations);
    arma::mat n = context.scratch.n;
    n.head_rows(n.n_cols) = context.scratch.n.head_rows(n.n_cols).t();
    sample_directed_bits(mu, context.state.bit_logits, n, context.state.log_pi, evidence_of_corners(context), 4, theta,
                         rng);
    refresh_similarity(context);
}

void bit_transitions_without_totals(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    const BetaPrior& prior = std::get<FactorialLimitSimilarity>(context.model.similarity).transitions;
    for (arma::uword cell = 0; cell < state.bit_logits.n_elem; ++cell) {
        BitTransitionGivenRates law = bit_transition_law(prior, cell / 2, cell % 2, bits(state.locations),
                                                         state.bit_logits, context.scratch.n, state.log_pi);
        // a^N1 (1 - a)^N0 alone, as if rows of pi phi were normalised
        for (BitTransitionGivenRates::Row& row : law.rows) row.log_off = row.log_on = 0.0;
        Stream stream = rng.item(cell);
        state.bit_logits[cell] = draw_log_concave(law, {}, state.bit_logits[cell], stream);
    }
    refresh_similarity(context);
}

void rates_of_transposed_similarity(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    Scratch& scratch = context.scratch;
    rate_shapes(state.log_beta, state.c, state.rho, scratch.a);
    sample_rates(scratch.a, scratch.n, scratch.log_u, scratch.log_phi.t(), state.log_pi, rng);
}

}  // namespace hmmlt::testing
