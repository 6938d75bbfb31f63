// How long a semi-Markov state lasts: the laws of its durations, and their parameters. docs/model.md, section 18
#pragma once

#include <armadillo>
#include <string_view>
#include <variant>
#include <vector>

#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// dur - 1 ~ Poisson(omega_j), omega_j ~ Gamma                                                docs/model.md (80), (81)
struct PoissonDurations {
    static constexpr const char* kind = "poisson";
    GammaPrior omega{1.0, 0.1};
    bool operator==(const PoissonDurations&) const = default;
};
struct PoissonDurationState {
    arma::vec omega;  // n_states
};
bool operator==(const PoissonDurationState& a, const PoissonDurationState& b);

// dur - 1 ~ NegativeBinomial(r_j, p_j), p_j ~ Beta, r_j uniform on a grid                     docs/model.md (82), (83)
struct NegativeBinomialDurations {
    static constexpr const char* kind = "negative_binomial";
    BetaPrior p{1.0, 1.0};
    std::vector<double> r{1.0, 2.0, 4.0, 8.0, 16.0};
    bool operator==(const NegativeBinomialDurations&) const = default;
};
struct NegativeBinomialDurationState {
    arma::vec r;        // n_states
    arma::vec log_p;    // n_states
    arma::vec log_1mp;  // log(1 - p): both have all their digits
};
bool operator==(const NegativeBinomialDurationState& a, const NegativeBinomialDurationState& b);

// A Markov state lasts as long as it jumps to itself.
struct NoDurations {
    bool operator==(const NoDurations&) const = default;
};

using DurationSpec = std::variant<PoissonDurations, NegativeBinomialDurations>;
using DurationState = std::variant<NoDurations, PoissonDurationState, NegativeBinomialDurationState>;

// Whether states have durations at all: those of a semi-Markov chain.
inline bool has_durations(const DurationState& durations) {
    return !std::holds_alternative<NoDurations>(durations);
}

std::string_view duration_kind(const DurationSpec& spec);

// The parameters from their prior; rng.item(j) draws those of state j.
DurationState draw_durations(const DurationSpec& spec, arma::uword n_states, const BlockStreams& rng);
// Their normalised log density there: a term of docs/model.md (72). 0 without durations.
double log_prior(const DurationSpec& spec, const DurationState& state);

// The law of dur for one state, from its parameters. d = 1, 2, ...
double log_duration(const DurationState& state, arma::uword j, double d);           // log P(dur = d)
double log_duration_survival(const DurationState& state, arma::uword j, double d);  // log P(dur >= d)
double draw_duration(const DurationState& state, arma::uword j, Stream& rng);
// dur given dur >= at_least: the full length of a segment that was cut off.
double draw_duration_of_at_least(const DurationState& state, arma::uword j, double at_least, Stream& rng);

// What messages read of all laws: columns are states, row d - 1 is for duration d; -infinity below the last one of a
// state. What is left out by ending there is for the messages to bound (semi_markov.hpp).
struct DurationTable {
    arma::mat log_law;            // log P(dur = d)
    arma::mat log_survival;       // log P(dur >= d)
    arma::uvec n_durations;       // of each state                                                  docs/model.md (98)
    arma::vec log_next;           // log P(dur = n_durations + 1)
    arma::vec log_survival_next;  // log P(dur > n_durations)
    arma::vec log_decay;          // an upper bound of log P(dur = d + 1) / P(dur = d) for d > n_durations
};

// A state's durations end where no more than `mass` of its law remains, or with `longest`.
inline constexpr double first_mass_beyond = 1e-60;
void fill_duration_table(const DurationState& state, arma::uword longest, double mass, DurationTable& table);
// Twice as many durations of each state, or `longest` if that is less.
void lengthen_duration_table(const DurationState& state, arma::uword longest, DurationTable& table);

}  // namespace hmmlt
