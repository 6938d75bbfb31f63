// Where a chain starts. No start changes the law that is sampled, but with few sweeps it changes the answer: all models
// of a comparison use the same one. docs/model.md, section 16
#pragma once

#include <string_view>

#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

enum class Start {
    time_blocks,  // z in up to 100 equal runs of time                                             docs/model.md (74)
    iid,          // every z uniform
    prior,        // all parameters from the prior, then z given them
};

Start start_named(std::string_view name);  // throws std::domain_error naming the choices

// z of the starts that fix it.
arma::uvec time_block_states(arma::uword n_steps, arma::uword n_states);

// A state to sweep from; `sweep` is the list the chain will run, of which the start uses all blocks but z, from u on.
State start_state(const Model& model, const Observations& observations, Start start, const Sweep& sweep,
                  std::uint64_t seed, std::uint32_t chain);

// The same with given z: a diagnostic start, from the truth for instance.
State start_state_at(const Model& model, const Observations& observations, const arma::uvec& z, const Sweep& sweep,
                     std::uint64_t seed, std::uint32_t chain);

}  // namespace hmmlt
