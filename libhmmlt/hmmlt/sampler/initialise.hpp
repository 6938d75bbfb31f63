// Where a chain starts. No start changes the law that is sampled, but with few sweeps it changes the answer: all models
// of a comparison use the same one. docs/model.md, section 16
#pragma once

#include <string_view>

#include "hmmlt/model/truth.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

enum class Start {
    time_blocks,  // z in up to 100 equal runs of time                                             docs/model.md (74)
    iid,          // every z uniform
    prior,        // all parameters from the prior, then z given them
    truth,        // z and bits from the truth: a diagnostic, to see where a chain would stay
};

inline constexpr const char* start_names[] = {"time_blocks", "iid", "prior", "truth"};  // in the order of Start
Start start_named(std::string_view name);  // throws std::domain_error naming the choices

// z of the starts that fix it.
arma::uvec time_block_states(arma::uword n_steps, arma::uword n_states);

// A state to sweep from; `sweep` is the list the chain will run, of which the start uses the blocks after z.
// Only Start::truth reads `truth`, and throws std::domain_error if it lacks what the model needs.
State start_state(const Model& model, const Observations& observations, Start start, const Truth& truth,
                  const Sweep& sweep, std::uint64_t seed, std::uint32_t chain);

// The same with given z and, if not empty, given bits of the states (n_dims x n_states).
State start_state_at(const Model& model, const Observations& observations, const arma::uvec& z, const arma::umat& bits,
                     const Sweep& sweep, std::uint64_t seed, std::uint32_t chain);

// One state per distinct bit vector, numbered as they appear. If there are more than n_states, the most frequent ones
// keep a state, and the others go to the nearest of these.
struct BitStates {
    arma::uvec z;        // n_steps
    arma::umat vectors;  // n_dims x (states in use)
};
BitStates states_of_bits(const arma::umat& theta, arma::uword n_states);

}  // namespace hmmlt
