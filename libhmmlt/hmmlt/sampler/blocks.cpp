#include "hmmlt/sampler/blocks.hpp"

#include "hmmlt/conditionals/base_weights.hpp"
#include "hmmlt/conditionals/concentrations.hpp"
#include "hmmlt/conditionals/failed_jumps.hpp"
#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/row_scales.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/similarity/lambda.hpp"

namespace hmmlt {

namespace {

constexpr arma::uword bits_per_block = 4;

LinearEvidence evidence_of(const SweepContext& context) {
    return evidence(context.state.emission, context.observations, context.state.z, context.model.n_states);
}

// pi as the moves of locations and lambda see it. They take phi = e^(-lambda delta) on the diagonal too; where it is 0,
// docs/model.md (76), an exact zero in pi says the same.
const arma::mat& log_pi_of_jumps(SweepContext& context) {
    if (durations_of(context.model.dynamics) == nullptr) return context.state.log_pi;
    context.scratch.log_pi_of_jumps = context.state.log_pi;
    context.scratch.log_pi_of_jumps.diag().fill(minus_infinity);
    return context.scratch.log_pi_of_jumps;
}

}  // namespace

void refresh_similarity(SweepContext& context) {
    Scratch& scratch = context.scratch;
    scratch.distance = distances(context.state.locations, context.model.n_states);
    log_similarities(context.state, scratch.distance, scratch.log_phi);
}

void sample_states_block(Precision precision, SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    Scratch& scratch = context.scratch;
    refresh_similarity(context);
    context.info.log_likelihood = sample_states(
        context.model.dynamics,
        {state.log_pi, scratch.log_phi, state.emission, bits(state.locations), context.observations, state.durations},
        precision, scratch.states, state.z, rng);
    count_jumps(state, context.observations.sequences, scratch.n);
}

void sample_durations_block(SweepContext& context, const BlockStreams& rng) {
    const DurationSpec* spec = durations_of(context.model.dynamics);
    if (spec == nullptr) return;
    std::vector<Segment> segments = segments_of(context.state.z, context.observations.sequences);
    complete_segments(context.state.durations, segments, rng.from(context.model.n_states));
    sample_durations(*spec, segments, context.state.durations, rng);
}

void sample_row_scales_block(SweepContext& context, const BlockStreams& rng) {
    sample_row_scales(context.state.c, context.state.log_pi, rng);
}

void sample_holding_times_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    sample_holding_times(count_departures(scratch.n), log_total_rates(context.state.log_pi, scratch.log_phi),
                         scratch.log_u, rng);
}

void sample_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    context.info.n_saturated =
        sample_failed_jumps(scratch.log_u, context.state.log_pi, scratch.log_phi, scratch.q, rng);
}

void sample_table_counts_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    rate_shapes(context.state.log_beta, context.state.c, context.state.rho, scratch.a);
    sample_table_counts_given_failed_jumps(scratch.a, scratch.n, scratch.q, scratch.m, rng);
}

void sample_table_counts_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    rate_shapes(context.state.log_beta, context.state.c, context.state.rho, scratch.a);
    sample_table_counts(scratch.a, scratch.n, scratch.log_u, scratch.log_phi, scratch.m, rng);
}

void sample_sticky_tables_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    scratch.w = sample_sticky_tables(scratch.m, context.state.log_beta, context.state.rho, rng);
    scratch.base = base_tables(scratch.m, scratch.w);
}

void sample_top_tables_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    scratch.r = sample_top_tables(scratch.base, context.state.gamma, rng);
    Stream eta_rng = rng.item(context.model.n_states);
    scratch.log_eta = sample_log_eta(scratch.base, context.state.gamma, eta_rng);
}

void sample_gamma_block(SweepContext& context, const BlockStreams& rng) {
    const auto* prior = std::get_if<GammaPrior>(&context.model.gamma);
    if (prior == nullptr) return;
    Stream stream = rng.item(0);
    context.state.gamma = sample_gamma(*prior, context.scratch.r, context.scratch.log_eta, stream);
}

void sample_concentration_block(SweepContext& context, const BlockStreams& rng) {
    const auto* prior = std::get_if<GammaPrior>(&context.model.c);
    if (prior == nullptr) return;
    Stream stream = rng.item(0);
    context.state.c = sample_concentration(*prior, context.scratch.m, context.scratch.log_u, stream);
}

void sample_stickiness_block(SweepContext& context, const BlockStreams& rng) {
    const auto* prior = std::get_if<BetaPrior>(&context.model.rho);
    if (prior == nullptr) return;
    Stream stream = rng.item(0);
    context.state.rho = sample_stickiness(*prior, context.scratch.m, context.scratch.w, stream);
}

void sample_base_weights_block(SweepContext& context, const BlockStreams& rng) {
    Stream stream = rng.item(0);
    sample_base_weights(context.scratch.base, context.state.gamma, context.state.log_beta, stream);
}

void sample_rates_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    Scratch& scratch = context.scratch;
    rate_shapes(state.log_beta, state.c, state.rho, scratch.a);
    sample_rates_given_failed_jumps(scratch.a, scratch.n, scratch.q, scratch.log_u, state.log_pi, rng);
}

void sample_rates_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    Scratch& scratch = context.scratch;
    rate_shapes(state.log_beta, state.c, state.rho, scratch.a);
    sample_rates(scratch.a, scratch.n, scratch.log_u, scratch.log_phi, state.log_pi, rng);
}

void sample_locations_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    const Scratch& scratch = context.scratch;
    if (auto* binary = std::get_if<BinaryLocationState>(&state.locations)) {
        sample_bits_given_failed_jumps(binary->mu, state.lambda, scratch.n, scratch.q, evidence_of(context),
                                       binary->theta, rng);
    } else if (auto* euclidean = std::get_if<EuclideanLocationState>(&state.locations)) {
        Stream stream = rng.item(0);
        const auto& spec = std::get<EuclideanLocations>(context.model.locations);
        context.info.hmc_acceptance =
            sample_locations_given_failed_jumps(spec, scratch.n, scratch.q, state.lambda, *euclidean, stream)
                .acceptance_probability;
    }
    refresh_similarity(context);
}

void sample_locations_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    const Scratch& scratch = context.scratch;
    if (auto* binary = std::get_if<BinaryLocationState>(&state.locations)) {
        sample_bits_in_blocks(binary->mu, state.lambda, scratch.n, log_pi_of_jumps(context), evidence_of(context),
                              bits_per_block, binary->theta, rng);
    } else if (auto* euclidean = std::get_if<EuclideanLocationState>(&state.locations)) {
        Stream stream = rng.item(0);
        const auto& spec = std::get<EuclideanLocations>(context.model.locations);
        context.info.hmc_acceptance =
            sample_locations(spec, scratch.n, log_pi_of_jumps(context), state.lambda, *euclidean, stream)
                .acceptance_probability;
    }
    refresh_similarity(context);
}

void sample_bit_probabilities_block(SweepContext& context, const BlockStreams& rng) {
    if (auto* binary = std::get_if<BinaryLocationState>(&context.state.locations))
        sample_bit_probabilities(std::get<BinaryLocations>(context.model.locations).mu, binary->theta, binary->mu, rng);
}

void sample_lambda_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    const auto prior = lambda_prior(context.model.similarity);
    if (is_fixed(prior)) return;
    Stream stream = rng.item(0);
    const Scratch& scratch = context.scratch;
    context.state.lambda = sample_lambda_given_failed_jumps(std::get<ExponentialPrior>(prior), scratch.distance,
                                                            scratch.n, scratch.q, context.state.lambda, stream);
    refresh_similarity(context);
}

void sample_lambda_block(SweepContext& context, const BlockStreams& rng) {
    const auto prior = lambda_prior(context.model.similarity);
    if (is_fixed(prior)) return;
    Stream stream = rng.item(0);
    const Scratch& scratch = context.scratch;
    context.state.lambda = sample_lambda(std::get<ExponentialPrior>(prior), scratch.distance, scratch.n,
                                         log_pi_of_jumps(context), context.state.lambda, stream);
    refresh_similarity(context);
}

void sample_emission_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    sample_emission(context.model.emission, context.observations, state.z, bits(state.locations), state.emission, rng);
}

}  // namespace hmmlt
