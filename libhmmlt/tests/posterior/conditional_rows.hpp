// The rows of the referee of the conditionals: for each, the law that the library's functions give to one variable
// beside the augmented joint density as a function of that variable, and the library's draw beside a draw of that law.
#pragma once

#include "hmmlt/random/block_streams.hpp"
#include "posterior/comparison.hpp"

namespace hmmlt::testing {

// What the library's draw and the draw of the law both start from.
inline const BlockStreams row_streams({.seed = 1});

using Row = void (*)(const AugmentedPoint& point, Stream& rng, Comparison& comparison);

// A row does nothing at points whose model has no such variable.
void check_jump_process(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_row_scales(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_scales_of_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_holding_times(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_rates_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_rates(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_table_counts_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_table_counts(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_sticky_tables(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_top_tables(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_eta(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_gamma(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_concentration(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_stickiness(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_base_weights(const AugmentedPoint& point, Stream& rng, Comparison& comparison);

void check_states(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_beam(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_segments(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_durations(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_factorial_chain(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_bits_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_bits_in_blocks(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_features(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_splits(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_bit_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_directed_bits_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_directed_bits(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_bit_transitions(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_buffet_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_buffet_concentration(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_lambda_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_lambda(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_locations_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_locations(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_noise_precisions(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_weights(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_weight_precision(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_symbol_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison);
void check_means_and_precisions(const AugmentedPoint& point, Stream& rng, Comparison& comparison);

}  // namespace hmmlt::testing
