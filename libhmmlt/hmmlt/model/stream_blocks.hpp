// The blocks of random numbers of a run: each use of randomness has its own number, which is part of every stream's
// address. Numbers are never reused, so that a new block leaves all other draws as they were.
#pragma once

#include <cstdint>

namespace hmmlt {

enum class StreamBlock : std::uint32_t {
    // drawing from the prior
    prior_concentrations = 0,
    prior_base_weights = 1,
    prior_rates = 2,
    prior_locations = 3,
    prior_emission = 4,
    prior_states = 5,
    prior_observations = 6,
    start = 7,
    prior_durations = 42,
    // preparing data
    train_test_split = 9,
    import_split = 15,  // sequences that hmmlt-import sets aside for testing
    // one sweep
    states = 16,
    holding_times = 17,
    failed_jumps = 18,
    table_counts = 19,
    sticky_tables = 20,
    top_tables = 21,
    gamma = 22,
    concentration = 23,
    stickiness = 24,
    base_weights = 25,
    rates = 26,
    locations = 27,
    bit_probabilities = 28,
    lambda = 29,
    emission = 30,
    row_scales = 31,
    // parts that came later
    prior_bit_transitions = 40,
    durations = 41,
    features = 43,
    joint_states = 44,
    chain_blocks = 45,
    split_merge = 48,
};

}  // namespace hmmlt
