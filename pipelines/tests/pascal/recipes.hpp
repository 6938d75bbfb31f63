// A small recipe for the tests, with numbers that are easy to follow by hand.
#pragma once

#include "pipelines/pascal/recipe.hpp"

namespace hmmlt::pascal {

inline Recipe small_recipe() {
    return {.sample_rate = 1000,
            .n_conversations = 2,
            .n_speakers = 2,
            .turn_concentration = 2.0,
            .duration = 1.0,
            .initial_silence = 100,
            .silence_mean = 0.25,
            .silence_sd = 0.25,
            .step = 10,
            .n_steps = {},
            .absolute = false,
            .signal_mean = 1.0,
            .signal_sd = 0.5,
            .n_channels = 3,
            .weight_low = 0.0,
            .weight_high = 1.0,
            .noise_sd = 0.3};
}

}  // namespace hmmlt::pascal
