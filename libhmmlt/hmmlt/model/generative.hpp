// The generative process, docs/model.md (1)-(8): everything from the prior, then states, then data.
#pragma once

#include <cstdint>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// The chain number under which data are generated: no sampler chain has it, so that sampling synthetic data with the
// seed that made them reuses none of the numbers behind the truth.
inline constexpr std::uint32_t data_chain = (std::uint32_t{1} << 24) - 1;

// Which draw from the prior: different values of `draw` are independent.
struct PriorAddress {
    std::uint64_t seed = 0;
    std::uint32_t chain = 0;
    std::uint32_t draw = 0;
};

// All parameters, without states: docs/model.md (1)-(6), locations and emission included.
State draw_parameters(const Model& model, const PriorAddress& address);

// z for sequences of these lengths, given the parameters in `state`; sequence s depends on its own number only.
void draw_states(const Sequences& sequences, State& state, const PriorAddress& address);

// Data for the sequences of `observations`, no cell missing, given parameters and z.
void draw_data(const State& state, Observations& observations, const PriorAddress& address);

}  // namespace hmmlt
