// The likelihood of a segment is a sum of its own, one addition per step and length, never a difference of sums over
// all time: a state that fitted badly once would carry that along, and the digits of all that follows would be lost in
// it.
#include "hmmlt/dynamics/semi_markov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/dynamics/omitted_paths.hpp"
#include "hmmlt/dynamics/segment_terms.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

namespace {

double log_sum(const arma::mat& law, const DurationTable& durations, const SegmentMessages& messages, arma::uword t,
               arma::uword k) {
    return log_sum_exp(n_lengths(durations, messages, t, k), length_terms(law, messages.lead, t, k));
}

// The leads are those of the last step by now: F_k(t-d, t) is summed anew, from t down.
arma::uword draw_length(const arma::mat& law, const DurationTable& durations, const SegmentMessages& messages,
                        arma::uword t, arma::uword k, Stream& rng) {
    std::vector<double> log_weight(n_lengths(durations, messages, t, k));
    double log_f = 0.0;
    for (std::size_t i = 0; i < log_weight.size(); ++i) {
        log_f += messages.log_lik.at(t - i, k);
        log_weight[i] = messages.begins.at(t - i - 1, k) + law.at(i, k) + log_f;
    }
    return 1 + draw_categorical_log(log_weight, rng);
}

void begin(SegmentMessages& messages, arma::uword t, const arma::vec& log_b) {
    messages.begins.row(t) = log_b.t();
    messages.lead.row(t) = log_b.t();
}

// From step t - 1 to t: every lead that a segment ending with t, or one step beyond its table, can go back to.
void advance(const DurationTable& durations, arma::uword t, SegmentMessages& messages) {
    for (arma::uword k = 0; k < messages.lead.n_cols; ++k) {
        const arma::uword reach = std::min(durations.n_durations[k] + 1, messages.run.at(t, k));
        const double now = messages.log_lik.at(t, k);
        double* const lead = messages.lead.colptr(k);
        for (arma::uword s = t - reach; s < t; ++s) lead[s] += now;
        if (messages.met[k] + reach <= t) continue;
        double* const omitted = messages.omitted_lead.colptr(k);
        for (arma::uword s = t - reach; s < t; ++s) omitted[s] += now;
    }
}

void scale_likelihoods(const arma::mat& log_lik, arma::uword first, arma::uword n_steps, SegmentMessages& messages) {
    messages.log_lik.zeros(n_steps + 1, log_lik.n_rows);
    messages.log_scale.zeros(n_steps + 1);
    messages.run.zeros(n_steps + 1, log_lik.n_rows);
    for (arma::uword t = 1; t <= n_steps; ++t) {
        const double* const now = log_lik.colptr(first + t - 1);
        const double largest = *std::max_element(now, now + log_lik.n_rows);
        if (largest != minus_infinity) messages.log_scale[t] = largest;
        for (arma::uword k = 0; k < log_lik.n_rows; ++k) {
            if (now[k] == minus_infinity) continue;  // its run ends here
            check_finite("filter_segments", "log_lik, where it is not -infinity,", now[k]);
            messages.log_lik.at(t, k) = now[k] - largest;
            messages.run.at(t, k) = messages.run.at(t - 1, k) + 1;
        }
    }
}

// What a sequence that ends with step t makes of its last segment, into `last`; returns log p(y_1 .. y_t) but for the
// scales.
double end_sequence(const DurationTable& durations, arma::uword t, SegmentMessages& messages) {
    for (arma::uword k = 0; k < messages.last.n_elem; ++k)
        messages.last[k] = log_sum(durations.log_survival, durations, messages, t, k);
    return log_sum_exp(messages.last.n_elem, [&](arma::uword k) { return messages.last[k]; });
}

// (78) and (79); at_step(t, omitted) sees the messages of each step but the last.
template <typename AtStep>
double filter_segments(const TransitionMatrix& transition, const DurationTable& durations, const arma::mat& log_lik,
                       arma::uword first, arma::uword last, SegmentMessages& messages, const AtStep& at_step) {
    const arma::uword n_states = transition.n_states();
    const arma::uword n_steps = last - first;
    check_size("filter_segments", "the rows of log_lik", log_lik.n_rows, n_states);
    check_size("filter_segments", "the states of durations", durations.n_durations.n_elem, n_states);
    scale_likelihoods(log_lik, first, n_steps, messages);
    messages.ends.set_size(n_states, n_steps);
    messages.begins.set_size(n_steps, n_states);
    messages.lead.set_size(n_steps, n_states);
    messages.last.set_size(n_states);
    messages.left_out = 0.0;
    if (n_steps == 0) return 0.0;
    OmittedPaths omitted(durations, messages, n_steps);
    begin(messages, 0, transition.log_start);
    arma::vec log_e(n_states);
    arma::vec log_b(n_states);
    for (arma::uword t = 1; t < n_steps; ++t) {
        advance(durations, t, messages);
        for (arma::uword k = 0; k < n_states; ++k) log_e[k] = log_sum(durations.log_law, durations, messages, t, k);
        messages.ends.col(t) = log_e;
        propagate_any_forward(transition, log_e, log_b);
        begin(messages, t, log_b);
        omitted.follow(transition, t, log_b);
        at_step(t, omitted);
    }
    advance(durations, n_steps, messages);
    omitted.finish(n_steps);
    const double log_p = end_sequence(durations, n_steps, messages);
    messages.left_out = std::max(messages.left_out, omitted.share_left_out(n_steps, log_p));
    return log_p + arma::accu(messages.log_scale);
}

// The filter again with a longer table, until no more is left out than may be.
template <typename Filter>
double filter_with_all_durations(const DurationState& state, arma::uword n_steps, DurationTable& durations,
                                 const SegmentMessages& messages, const Filter& filter) {
    double log_p = filter();
    while (messages.left_out > largest_share_left_out) {
        lengthen_duration_table(state, n_steps, durations);
        log_p = filter();
    }
    return log_p;
}

}  // namespace

void fill_first_duration_table(const DurationState& state, const Sequences& sequences, DurationTable& table) {
    arma::uword longest = 1;
    for (arma::uword s = 0; s < sequences.count(); ++s) longest = std::max(longest, sequences.length(s));
    fill_duration_table(state, longest, first_mass_beyond, table);
}

void check_possible(double log_p, arma::uword sequence) {
    if (!std::isfinite(log_p))
        throw std::runtime_error(
            fmt::format("filter_segments: sequence {}: no path has a positive probability", sequence));
}

double filter_segments(const TransitionMatrix& transition, const DurationTable& durations, const arma::mat& log_lik,
                       arma::uword first, arma::uword last, SegmentMessages& messages) {
    return filter_segments(transition, durations, log_lik, first, last, messages, [](arma::uword, OmittedPaths&) {});
}

double filter_all_segments(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik,
                           arma::uword first, arma::uword last, DurationTable& durations, SegmentMessages& messages) {
    return filter_with_all_durations(state, last - first, durations, messages, [&] {
        return filter_segments(transition, durations, log_lik, first, last, messages);
    });
}

double filter_all_prefixes(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik,
                           arma::uword first, arma::uword last, DurationTable& durations, SegmentMessages& messages,
                           arma::mat& log_now) {
    log_now.set_size(transition.n_states(), last - first);
    const auto keep = [&](arma::uword t, OmittedPaths& omitted) {
        const double log_p = end_sequence(durations, t, messages);
        messages.left_out = std::max(messages.left_out, omitted.share_left_out(t, log_p));
        log_now.col(t - 1) = messages.last;
    };
    const double log_p = filter_with_all_durations(state, last - first, durations, messages, [&] {
        return filter_segments(transition, durations, log_lik, first, last, messages, keep);
    });
    if (last > first) log_now.tail_cols(1) = messages.last;
    return log_p;
}

void sample_segments(const TransitionMatrix& transition, const DurationTable& durations,
                     const SegmentMessages& messages, arma::uword first, arma::uword last, arma::uvec& z, Stream& rng) {
    const arma::uword n_states = transition.n_states();
    arma::uword t = last - first;  // the end of the segment to be drawn
    if (t == 0) return;
    std::vector<double> log_weight(messages.last.begin(), messages.last.end());
    arma::uword state = draw_categorical_log(log_weight, rng);
    arma::uword length = draw_length(durations.log_survival, durations, messages, t, state, rng);
    for (;;) {
        for (arma::uword step = t - length; step < t; ++step) z[first + step] = state;
        t -= length;
        if (t == 0) return;
        for (arma::uword j = 0; j < n_states; ++j)
            log_weight[j] = messages.ends.at(j, t) + transition.log_from_to.at(j, state);
        state = draw_categorical_log(log_weight, rng);
        length = draw_length(durations.log_law, durations, messages, t, state, rng);
    }
}

}  // namespace hmmlt
