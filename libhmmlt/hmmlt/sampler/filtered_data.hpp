// What the parameters of one draw say about the hidden states of given data, whichever way states last.
#pragma once

#include <armadillo>
#include <variant>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

// A of a state, the log likelihoods of data under it, and the messages of the filter.
struct FilteredChain {
    TransitionMatrix transition;
    arma::mat log_lik;  // n_states x n_steps
    ForwardMessages messages;
};

// The same where states have durations. Messages over segments are large: only what they say of steps is kept.
struct FilteredSegments {
    TransitionMatrix transition;
    arma::mat log_lik;
    DurationState durations;
    DurationTable table;       // as long as these data need
    arma::vec log_likelihood;  // per sequence
    arma::vec log_density;     // log p(y_t | y_1 .. y_t-1), n_steps
    arma::mat filtered;        // P(z_t = j | y_1 .. y_t), n_states x n_steps
};

using FilteredData = std::variant<FilteredChain, FilteredSegments>;

TransitionMatrix transition_of(const State& state);

// Throws std::runtime_error, naming the sequence, if no path has a positive probability.
FilteredData filter_data(const State& state, const Observations& observations);

const arma::vec& sequence_log_likelihoods(const FilteredData& data);                 // docs/model.md (69), (79)
arma::vec step_log_densities(const FilteredData& data, const Sequences& sequences);  // docs/model.md (93), (127)
arma::mat filtered_probabilities(const FilteredData& data, const Sequences& sequences);
arma::mat smoothed_probabilities(const FilteredData& data, const Sequences& sequences);  // docs/model.md (94), (125)
arma::uvec most_likely_path(const FilteredData& data, const Sequences& sequences);       // docs/model.md (95), (126)

}  // namespace hmmlt
