#include "hmmlt/sampler/filtered_data.hpp"

#include "hmmlt/dynamics/segment_smoothing.hpp"
#include "hmmlt/dynamics/smoothing.hpp"
#include "hmmlt/emission/emission.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/similarities.hpp"

namespace hmmlt {

namespace {

template <typename... Each>
struct Overloaded : Each... {
    using Each::operator()...;
};
template <typename... Each>
Overloaded(Each...) -> Overloaded<Each...>;

FilteredSegments filter_durations(const State& state, const Observations& observations) {
    FilteredSegments data{transition_of(state), {}, state.durations, {}, {}, {}, {}};
    const Sequences& sequences = observations.sequences;
    log_likelihood(state.emission, bits(state.locations), observations, data.log_lik);
    fill_first_duration_table(data.durations, sequences, data.table);
    data.log_likelihood.set_size(sequences.count());
    data.log_density.set_size(sequences.n_steps());
    data.filtered.set_size(data.transition.n_states(), sequences.n_steps());
    SegmentMessages messages;
    arma::mat log_now;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        data.log_likelihood[s] = filter_all_prefixes(data.transition, data.durations, data.log_lik, first,
                                                     sequences.first[s + 1], data.table, messages, log_now);
        check_possible(data.log_likelihood[s], s);
        double before = 0.0;
        for (arma::uword t = 0; t < log_now.n_cols; ++t) {
            const double* const now = log_now.colptr(t);
            const double log_p = log_sum_exp(log_now.n_rows, [now](std::size_t k) { return now[k]; });
            data.log_density[first + t] = log_p - before + messages.log_scale[t + 1];  // (127)
            data.filtered.col(first + t) = arma::exp(log_now.col(t) - log_p);
            before = log_p;
        }
    }
    return data;
}

// Messages of every sequence again, whose table is known by now: each(messages, first step, one past the last).
template <typename Each>
void for_each_sequence(const FilteredSegments& data, const Sequences& sequences, const Each& each) {
    SegmentMessages messages;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        if (first == last) continue;
        filter_segments(data.transition, data.table, data.log_lik, first, last, messages);
        each(messages, first, last);
    }
}

}  // namespace

TransitionMatrix transition_of(const State& state) {
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    return transition;
}

FilteredData filter_data(const State& state, const Observations& observations) {
    if (has_durations(state.durations)) return filter_durations(state, observations);
    FilteredChain data{transition_of(state), {}, {}};
    log_likelihood(state.emission, bits(state.locations), observations, data.log_lik);
    filter_forward(data.transition, data.log_lik, observations.sequences, data.messages);
    return data;
}

const arma::vec& sequence_log_likelihoods(const FilteredData& data) {
    return std::visit(
        Overloaded{[](const FilteredChain& chain) -> const arma::vec& { return chain.messages.log_likelihood; },
                   [](const FilteredSegments& segments) -> const arma::vec& { return segments.log_likelihood; }},
        data);
}

arma::vec step_log_densities(const FilteredData& data, const Sequences& sequences) {
    return std::visit(Overloaded{[&](const FilteredChain& chain) {
                                     return step_log_densities(chain.transition, chain.log_lik, chain.messages,
                                                               sequences);
                                 },
                                 [](const FilteredSegments& segments) { return segments.log_density; }},
                      data);
}

arma::mat filtered_probabilities(const FilteredData& data, const Sequences& sequences) {
    return std::visit(
        Overloaded{[&](const FilteredChain& chain) { return filtered_probabilities(chain.messages, sequences); },
                   [](const FilteredSegments& segments) { return segments.filtered; }},
        data);
}

arma::mat smoothed_probabilities(const FilteredData& data, const Sequences& sequences) {
    return std::visit(Overloaded{[&](const FilteredChain& chain) {
                                     return smoothed_probabilities(chain.transition, chain.messages, sequences);
                                 },
                                 [&](const FilteredSegments& segments) {
                                     arma::mat smoothed(arma::size(segments.filtered));
                                     for_each_sequence(
                                         segments, sequences,
                                         [&](const SegmentMessages& messages, arma::uword first, arma::uword last) {
                                             smoothed.cols(first, last - 1) =
                                                 smoothed_segments(segments.transition, segments.table, messages);
                                         });
                                     return smoothed;
                                 }},
                      data);
}

arma::uvec most_likely_path(const FilteredData& data, const Sequences& sequences) {
    return std::visit(
        Overloaded{
            [&](const FilteredChain& chain) { return most_likely_path(chain.transition, chain.log_lik, sequences); },
            [&](const FilteredSegments& segments) {
                arma::uvec path(sequences.n_steps());
                DurationTable table = segments.table;
                for_each_sequence(
                    segments, sequences, [&](const SegmentMessages& messages, arma::uword first, arma::uword last) {
                        path.subvec(first, last - 1) =
                            most_likely_segments(segments.transition, segments.durations, messages, table);
                    });
                return path;
            }},
        data);
}

}  // namespace hmmlt
