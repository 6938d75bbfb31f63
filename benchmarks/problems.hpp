// The problems that are timed: a model, data of the right shape, and a state to sweep from. All data are synthetic and
// made here, the same at every run.
#pragma once

#include <string>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt::bench {

enum class Data {
    party,     // one sequence, D = 16 bits, K = 12 channels: people who begin and stop to speak, about 120 joint states
    chorales,  // 200 sequences, 18,818 tokens, 3,308 symbols
};

enum class Stage {
    live,       // z uniform: every state is used, no message vanishes
    posterior,  // some sweeps after a start at the truth: few states are used, most messages vanish
};

struct Shape {
    Data data = Data::party;
    arma::uword n_steps = 2000;  // T; chorales have their own
    arma::uword n_states = 600;  // J
    Stage stage = Stage::live;

    std::string text() const;  // e.g. "T=2000 J=600 live", "chorales J=200 posterior"
    bool operator==(const Shape&) const = default;
};

struct Problem {
    Model model;
    Observations observations;
    State state;
};

// `model` is lt, sticky_lt, hdp_hmm or sticky; with _beam behind it, the same problem and state for a beam. The last
// problem is kept, so that its samplers and its blocks share it.
const Problem& problem(const std::string& model, const Shape& shape);

Sequences sequences_of(const Shape& shape);

// The factorial HMM on a party, some sweeps after a start at the truth.
struct FactorialProblem {
    FactorialModel model;
    Observations observations;
    FactorialState state;
};
FactorialProblem factorial_problem(arma::uword n_steps);
inline constexpr arma::uword n_party_chains = 16;

}  // namespace hmmlt::bench
