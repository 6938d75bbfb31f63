// Draws of a chain as arrays of cells: what is needed to score new data, and back again as a state that can. Only
// live states are kept: those that z visits and those that can be reached from them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "hmmlt/io/model_config.hpp"
#include "hmmlt/io/table.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

struct DrawCell {
    std::int32_t i;
    std::int32_t j;
    double value;
};

// Arrays by name: docs/formats.md, "draws". States keep their numbers, so that i and j have gaps.
struct DrawArray {
    std::string variable;
    std::vector<DrawCell> cells;
};

// Transitions below this probability are left out: a row loses less than n_states times as much.
inline constexpr double smallest_kept_transition = 1e-9;
// Where states have durations: they must leave when their time is over, and cannot wait for a better way.
inline constexpr double smallest_kept_jump = 1e-30;

std::vector<DrawArray> draw_arrays(const Model& model, const Observations& training, const State& state);
std::vector<DrawArray> draw_arrays(const FactorialModel& model, const Observations& training,
                                   const FactorialState& state);

// The sizes of the data that the chain of a table `draws` was trained on, and the weights of its first draw, where its
// emission has any: with them its configuration is a model, whatever became of the data. Throws DataError if the table
// has no draw, or one that belongs to no emission.
DataShape trained_shape(const Table& table, const std::string& where);

// A draw that can score data. An HMM comes back with its live states only, numbered from 0 in their old order, with
// A as rates and phi = 1, and without locations but their bits: a state for sampler/heldout.hpp, not for a sweep.
struct StoredDraw {
    std::int32_t chain;
    std::int32_t sweep;
    std::variant<State, FactorialState> state;
    std::variant<State, FactorialState> expected;  // the same with the emission at its expectation
    arma::uvec state_numbers;                      // of the live states; empty for the factorial model
};

// All draws of a table `draws`, in its order; `model` is the one that was trained. `where` stands for the file in
// messages. Throws DataError if a draw lacks an array.
std::vector<StoredDraw> stored_draws(const AnyModel& model, const Table& table, const std::string& where);

}  // namespace hmmlt
