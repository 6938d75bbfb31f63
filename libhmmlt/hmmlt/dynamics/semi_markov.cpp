// The likelihood of a segment is a difference of sums over time, so that one length costs one addition.
#include "hmmlt/dynamics/semi_markov.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

namespace {

// The lengths that a segment of k ending with step t can have: 1 .. this.
arma::uword n_lengths(const DurationTable& durations, const SegmentMessages& messages, arma::uword t, arma::uword k) {
    return std::min(durations.n_durations[k], messages.run.at(t, k));
}

// log of B_{t-d}(k) law(d) F_k(t-d, t) for d = 1 + i, without the sum of log_lik up to t, which all lengths share.
struct LengthTerms {
    const double* lead;  // one past the first that counts: length 1 began after step t - 1
    const double* law;

    double operator()(std::size_t i) const { return *(lead - i - 1) + law[i]; }
};

LengthTerms length_terms(const arma::mat& law, const SegmentMessages& messages, arma::uword t, arma::uword k) {
    return {messages.lead.colptr(k) + t, law.colptr(k)};
}

double log_sum(const arma::mat& law, const DurationTable& durations, const SegmentMessages& messages, arma::uword t,
               arma::uword k) {
    return log_sum_exp(n_lengths(durations, messages, t, k), length_terms(law, messages, t, k)) +
           messages.log_lik.at(t, k);
}

arma::uword draw_length(const arma::mat& law, const DurationTable& durations, const SegmentMessages& messages,
                        arma::uword t, arma::uword k, Stream& rng) {
    std::vector<double> log_weight(n_lengths(durations, messages, t, k));
    const LengthTerms term = length_terms(law, messages, t, k);
    for (std::size_t i = 0; i < log_weight.size(); ++i) log_weight[i] = term(i);
    return 1 + draw_categorical_log(log_weight, rng);
}

void begin(SegmentMessages& messages, arma::uword t, const arma::vec& log_b) {
    for (arma::uword k = 0; k < log_b.n_elem; ++k) messages.lead.at(t, k) = log_b[k] - messages.log_lik.at(t, k);
}

void sum_likelihoods(const arma::mat& log_lik, arma::uword first, arma::uword n_steps, SegmentMessages& messages) {
    messages.log_lik.zeros(n_steps + 1, log_lik.n_rows);
    messages.run.zeros(n_steps + 1, log_lik.n_rows);
    for (arma::uword t = 1; t <= n_steps; ++t)
        for (arma::uword k = 0; k < log_lik.n_rows; ++k) {
            const double now = log_lik.at(k, first + t - 1);
            const bool possible = now != minus_infinity;
            if (possible) check_finite("filter_segments", "log_lik, where it is not -infinity,", now);
            messages.log_lik.at(t, k) = messages.log_lik.at(t - 1, k) + (possible ? now : 0.0);
            messages.run.at(t, k) = possible ? messages.run.at(t - 1, k) + 1 : 0;
        }
}

}  // namespace

double filter_segments(const TransitionMatrix& transition, const DurationTable& durations, const arma::mat& log_lik,
                       arma::uword first, arma::uword last, SegmentMessages& messages) {
    const arma::uword n_states = transition.n_states();
    const arma::uword n_steps = last - first;
    check_size("filter_segments", "the rows of log_lik", log_lik.n_rows, n_states);
    check_size("filter_segments", "the states of durations", durations.n_durations.n_elem, n_states);
    sum_likelihoods(log_lik, first, n_steps, messages);
    messages.ends.set_size(n_states, n_steps);
    messages.lead.set_size(n_steps, n_states);
    messages.last.set_size(n_states);
    if (n_steps == 0) return 0.0;
    begin(messages, 0, transition.log_start);
    arma::vec log_e(n_states);
    arma::vec log_b(n_states);
    for (arma::uword t = 1; t < n_steps; ++t) {
        for (arma::uword k = 0; k < n_states; ++k) log_e[k] = log_sum(durations.log_law, durations, messages, t, k);
        messages.ends.col(t) = log_e;
        const double largest = log_e.max();
        if (largest == minus_infinity) {
            log_b.fill(minus_infinity);
        } else {
            propagate_forward(transition, log_e - largest, log_b);
            log_b += largest;
        }
        begin(messages, t, log_b);
    }
    for (arma::uword k = 0; k < n_states; ++k)
        messages.last[k] = log_sum(durations.log_survival, durations, messages, n_steps, k);
    return log_sum_exp(n_states, [&](arma::uword k) { return messages.last[k]; });
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
