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
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/sampler/split_merge.hpp"

namespace hmmlt {

void refresh_distances(SweepContext& context) {
    distances(context.state.locations, context.model.n_states, context.scratch.distance);
}

void refresh_similarity(SweepContext& context) {
    refresh_distances(context);
    log_similarities(context.state, context.scratch.distance, context.scratch.log_phi);
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
    State& state = context.state;
    if (!has_durations(state.durations)) return sample_row_scales(state.c, state.log_pi, rng);
    rate_shapes(state.log_beta, state.c, state.rho, context.scratch.a);
    sample_scales_of_jumps(context.scratch.a, state.log_pi, rng);
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
    if (has_durations(state.durations))
        sample_only_jumps(scratch.a, count_departures(scratch.n), state.log_beta, state.log_pi,
                          rng.from(context.model.n_states));
}

void split_and_merge_block(std::uint32_t n_proposals, SweepContext& context, const BlockStreams& rng) {
    if (!has_splits_and_merges(context.model)) return;
    split_and_merge(context.model, context.observations, n_proposals, split_merge_rules(), context.state, rng);
    count_jumps(context.state, context.observations.sequences, context.scratch.n);
}

void sample_emission_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    sample_emission(context.model.emission, context.observations, state.z, bits(state.locations), state.emission, rng);
}

}  // namespace hmmlt
