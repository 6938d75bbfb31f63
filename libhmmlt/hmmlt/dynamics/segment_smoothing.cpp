#include "hmmlt/dynamics/segment_smoothing.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

arma::uword n_steps_of(const SegmentMessages& messages) {
    return messages.begins.n_rows;
}

bool is_possible(const SegmentMessages& messages, arma::uword t, arma::uword k) {
    return messages.run.at(t, k) > 0;
}

// E*_t(j), (121), from the rests of t + 1.
void begin_again(const TransitionMatrix& transition, const SegmentMessages& messages, const arma::mat& rest,
                 arma::uword t, arma::vec& log_after) {
    arma::vec log_b(rest.n_cols, arma::fill::value(minus_infinity));  // B*_t
    for (arma::uword k = 0; k < rest.n_cols; ++k)
        if (is_possible(messages, t + 1, k)) log_b[k] = messages.log_lik.at(t + 1, k) + rest.at(t, k);
    const double largest = log_b.max();
    log_after.set_size(rest.n_cols);
    log_after.fill(minus_infinity);
    if (largest == minus_infinity) return;
    propagate_backward(transition, log_b - largest, log_after);
    log_after += largest;
}

// From t + 1 to t: R of the segments of k that contain step t, (124).
void go_back(const DurationTable& durations, const SegmentMessages& messages, arma::uword t, arma::uword k,
             double log_after, arma::mat& rest) {
    const arma::uword lengths = std::min(durations.n_durations[k], messages.run.at(t, k));
    double* const last = rest.colptr(k) + t - 1;  // of the segment that began with step t
    if (t == n_steps_of(messages)) {
        for (arma::uword i = 0; i < lengths; ++i) *(last - i) = durations.log_survival.at(i, k);
        return;
    }
    const double stays = is_possible(messages, t + 1, k) ? messages.log_lik.at(t + 1, k) : minus_infinity;
    for (arma::uword i = 0; i < lengths; ++i)
        *(last - i) = log_add_exp(durations.log_law.at(i, k) + log_after, stays + *(last - i));
}

// log P(z_t = k, y), (125)
double log_joint_of(const DurationTable& durations, const SegmentMessages& messages, const arma::mat& rest,
                    arma::uword t, arma::uword k, std::vector<double>& terms) {
    terms.resize(std::min(durations.n_durations[k], messages.run.at(t, k)));
    double log_f = 0.0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        log_f += messages.log_lik.at(t - i, k);
        terms[i] = messages.begins.at(t - i - 1, k) + log_f + rest.at(t - i - 1, k);
    }
    return log_sum_exp(terms.size(), [&terms](std::size_t i) { return terms[i]; });
}

// What the best segmentation up to each step ends with.
struct BestSegments {
    arma::Mat<std::uint32_t> length;  // of the segment of k that ends with t; n_states x (n_steps + 1)
    arma::Mat<std::uint32_t> before;  // the state that a segment of k which begins after t follows
    arma::vec last;                   // log density of the best path that ends in k
};

// Nothing if a segment beyond the table might be better than what is in it.
std::optional<BestSegments> find_best(const TransitionMatrix& transition, const DurationTable& durations,
                                      const SegmentMessages& messages) {
    const arma::uword n_states = transition.n_states();
    const arma::uword n_steps = n_steps_of(messages);
    BestSegments best;
    best.length.zeros(n_states, n_steps + 1);
    best.before.zeros(n_states, n_steps + 1);
    best.last.set_size(n_states);
    arma::mat lead(n_steps, n_states);  // the best path into a segment of k after s, with its likelihood up to now
    lead.row(0) = transition.log_start.t();
    arma::vec overlong(n_states, arma::fill::value(minus_infinity));
    for (arma::uword t = 1; t <= n_steps; ++t) {
        const bool ends = t < n_steps;  // or else the segment is cut off
        const arma::mat& law = ends ? durations.log_law : durations.log_survival;
        const arma::vec& log_next = ends ? durations.log_next : durations.log_survival_next;
        for (arma::uword k = 0; k < n_states; ++k) {
            const arma::uword n = durations.n_durations[k];
            const arma::uword run = messages.run.at(t, k);
            const double now = messages.log_lik.at(t, k);
            for (arma::uword s = t - std::min(n + 1, run); s < t; ++s) lead.at(s, k) += now;
            double largest = minus_infinity;
            for (arma::uword i = 0; i < std::min(n, run); ++i) {
                const double log_p = lead.at(t - i - 1, k) + law.at(i, k);
                if (!(log_p > largest)) continue;
                largest = log_p;
                best.length.at(k, t) = static_cast<std::uint32_t>(i + 1);
            }
            overlong[k] = run > n + 1 ? overlong[k] + durations.log_decay[k] + now : minus_infinity;
            if (run > n) overlong[k] = std::max(overlong[k], lead.at(t - n - 1, k));
            if (overlong[k] + log_next[k] > largest) return {};
            best.last[k] = largest;
        }
        for (arma::uword k = 0; ends && k < n_states; ++k) {
            const double* const log_a = transition.log_from_to.colptr(k);
            double largest = minus_infinity;
            for (arma::uword j = 0; j < n_states; ++j) {
                if (!(best.last[j] + log_a[j] > largest)) continue;
                largest = best.last[j] + log_a[j];
                best.before.at(k, t) = static_cast<std::uint32_t>(j);
            }
            lead.at(t, k) = largest;
        }
    }
    return best;
}

}  // namespace

arma::mat smoothed_segments(const TransitionMatrix& transition, const DurationTable& durations,
                            const SegmentMessages& messages) {
    const arma::uword n_states = transition.n_states();
    const arma::uword n_steps = n_steps_of(messages);
    check_size("smoothed_segments", "the states of messages", messages.begins.n_cols, n_states);
    check_size("smoothed_segments", "the states of durations", durations.n_durations.n_elem, n_states);
    arma::mat smoothed(n_states, n_steps);
    arma::mat rest(n_steps, n_states, arma::fill::value(minus_infinity));  // log R_t(s, k) of the present t
    arma::vec log_after(n_states);                                         // E*_t
    arma::vec log_p(n_states);
    std::vector<double> terms;
    for (arma::uword t = n_steps; t >= 1; --t) {
        if (t < n_steps) begin_again(transition, messages, rest, t, log_after);
        for (arma::uword k = 0; k < n_states; ++k) {
            go_back(durations, messages, t, k, log_after[k], rest);
            log_p[k] = log_joint_of(durations, messages, rest, t, k, terms);
        }
        // the sum is p(y) at every t; dividing by it as it comes out here keeps rounding from adding up
        smoothed.col(t - 1) = arma::exp(log_p - log_sum_exp(n_states, [&log_p](arma::uword k) { return log_p[k]; }));
    }
    return smoothed;
}

arma::uvec most_likely_segments(const TransitionMatrix& transition, const DurationState& state,
                                const SegmentMessages& messages, DurationTable& durations) {
    const arma::uword n_steps = n_steps_of(messages);
    arma::uvec path(n_steps);
    if (n_steps == 0) return path;
    std::optional<BestSegments> best = find_best(transition, durations, messages);
    while (!best) {
        lengthen_duration_table(state, n_steps, durations);
        best = find_best(transition, durations, messages);
    }
    arma::uword k = best->last.index_max();
    if (best->last[k] == minus_infinity)
        throw std::runtime_error("most_likely_segments: no path has a positive probability");
    for (arma::uword t = n_steps; t > 0;) {
        const arma::uword begin = t - best->length.at(k, t);
        path.subvec(begin, t - 1).fill(k);
        t = begin;
        k = best->before.at(k, t);
    }
    return path;
}

}  // namespace hmmlt
