// The blocks of a sweep: each takes a conditional's conditioning set out of the state and puts the draw back.
#pragma once

#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

void sample_states_block(Precision precision, SweepContext& context, const BlockStreams& rng);
void sample_durations_block(SweepContext& context, const BlockStreams& rng);
void sample_row_scales_block(SweepContext& context, const BlockStreams& rng);
void sample_holding_times_block(SweepContext& context, const BlockStreams& rng);
void sample_failed_jumps_block(SweepContext& context, const BlockStreams& rng);
void sample_table_counts_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng);
void sample_table_counts_block(SweepContext& context, const BlockStreams& rng);
void sample_sticky_tables_block(SweepContext& context, const BlockStreams& rng);
void sample_top_tables_block(SweepContext& context, const BlockStreams& rng);
void sample_gamma_block(SweepContext& context, const BlockStreams& rng);
void sample_concentration_block(SweepContext& context, const BlockStreams& rng);
void sample_stickiness_block(SweepContext& context, const BlockStreams& rng);
void sample_base_weights_block(SweepContext& context, const BlockStreams& rng);
void sample_rates_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng);
void sample_rates_block(SweepContext& context, const BlockStreams& rng);
void sample_locations_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng);
void sample_locations_block(SweepContext& context, const BlockStreams& rng);
// whole features, where they have no names; then W
void sample_features_block(SweepContext& context, const BlockStreams& rng);
void sample_bit_probabilities_block(SweepContext& context, const BlockStreams& rng);
// lambda, or what a similarity has in its place
void sample_lambda_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng);
void sample_lambda_block(SweepContext& context, const BlockStreams& rng);
// z and beta where phi = 1; pi and the emission must follow
void split_and_merge_block(std::uint32_t n_proposals, SweepContext& context, const BlockStreams& rng);
void sample_emission_block(SweepContext& context, const BlockStreams& rng);

// Distances of the current locations, and log phi of them and lambda. A sweep begins with both; a block that moves
// locations leaves their distances behind, for lambda.
void refresh_distances(SweepContext& context);
void refresh_similarity(SweepContext& context);

}  // namespace hmmlt
