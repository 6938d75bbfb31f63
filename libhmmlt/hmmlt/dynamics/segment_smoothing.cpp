#include "hmmlt/dynamics/segment_smoothing.hpp"

#include <algorithm>
#include <cstdint>
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
    propagate_any_backward(transition, log_b, log_after);
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

// The largest term in the place of each sum, (126); and beside it an upper bound of what the paths with a segment
// beyond the table can reach, as in (113). From where such a path is behind one within the table, it stays so: it is
// dropped.
class BestSegments {
  public:
    BestSegments(const DurationTable& durations, const SegmentMessages& messages)
        : durations_(durations),
          messages_(messages),
          lead_(n_steps_of(messages), messages.begins.n_cols),
          more_lead_(arma::size(lead_), arma::fill::value(minus_infinity)),
          overlong_(lead_.n_cols, arma::fill::value(minus_infinity)),
          met_(lead_.n_cols, 0),
          length_(lead_.n_cols, lead_.n_rows + 1),
          before_(arma::size(length_)),
          best_(lead_.n_cols),
          more_(lead_.n_cols) {}

    void fill(const TransitionMatrix& transition) {
        const arma::uword n_steps = lead_.n_rows;
        lead_.row(0) = transition.log_start.t();
        for (arma::uword t = 1; t < n_steps; ++t) {
            end_segments(t, durations_.log_law, durations_.log_next);
            begin_segments(t, transition);
        }
        end_segments(n_steps, durations_.log_survival, durations_.log_survival_next);
    }

    // Whether no path beyond the table is as good as the best within it.
    bool is_certain() const { return more_.max() == minus_infinity || more_.max() < best_.max(); }

    arma::uvec path() const {
        arma::uvec path(lead_.n_rows);
        arma::uword k = best_.index_max();
        if (best_[k] == minus_infinity)
            throw std::runtime_error("most_likely_segments: no path has a positive probability");
        for (arma::uword t = path.n_elem; t > 0;) {
            const arma::uword begin = t - length_.at(k, t);
            path.subvec(begin, t - 1).fill(k);
            t = begin;
            k = before_.at(k, t);
        }
        return path;
    }

  private:
    void end_segments(arma::uword t, const arma::mat& law, const arma::vec& log_next) {
        for (arma::uword k = 0; k < lead_.n_cols; ++k) {
            const arma::uword n = durations_.n_durations[k];
            const arma::uword run = messages_.run.at(t, k);
            const arma::uword reach = std::min(n + 1, run);
            const double now = messages_.log_lik.at(t, k);
            const bool follows_more = met_[k] + reach > t;
            for (arma::uword s = t - reach; s < t; ++s) lead_.at(s, k) += now;
            for (arma::uword s = t - reach; follows_more && s < t; ++s) more_lead_.at(s, k) += now;
            overlong_[k] = run > n + 1 ? overlong_[k] + durations_.log_decay[k] + now : minus_infinity;
            if (run > n) overlong_[k] = std::max({overlong_[k], lead_.at(t - n - 1, k), more_lead_.at(t - n - 1, k)});
            best_[k] = minus_infinity;
            more_[k] = overlong_[k] + log_next[k];
            for (arma::uword i = 0; i < std::min(n, run); ++i) {
                if (follows_more) more_[k] = std::max(more_[k], more_lead_.at(t - i - 1, k) + law.at(i, k));
                const double log_p = lead_.at(t - i - 1, k) + law.at(i, k);
                if (!(log_p > best_[k])) continue;
                best_[k] = log_p;
                length_.at(k, t) = static_cast<std::uint32_t>(i + 1);
            }
            if (more_[k] < best_[k]) more_[k] = minus_infinity;
        }
    }

    void begin_segments(arma::uword t, const TransitionMatrix& transition) {
        const bool follows_more = more_.max() > minus_infinity;
        for (arma::uword k = 0; k < lead_.n_cols; ++k) {
            const double* const log_a = transition.log_from_to.colptr(k);
            double largest = minus_infinity;
            double more = minus_infinity;
            for (arma::uword j = 0; j < lead_.n_cols; ++j) {
                if (follows_more) more = std::max(more, more_[j] + log_a[j]);
                if (!(best_[j] + log_a[j] > largest)) continue;
                largest = best_[j] + log_a[j];
                before_.at(k, t) = static_cast<std::uint32_t>(j);
            }
            lead_.at(t, k) = largest;
            if (more == minus_infinity || more < largest) continue;
            more_lead_.at(t, k) = more;
            met_[k] = t + 1;
        }
    }

    const DurationTable& durations_;
    const SegmentMessages& messages_;
    arma::mat lead_;                   // the best path into a segment of k after s, with its likelihood up to now
    arma::mat more_lead_;              // the same of paths beyond the table
    arma::vec overlong_;               // over the segments of k beyond the table that end with t
    std::vector<arma::uword> met_;     // of each state: one past the last t at which more_lead_ is not zero
    arma::Mat<std::uint32_t> length_;  // of the segment of k that ends with t; n_states x (n_steps + 1)
    arma::Mat<std::uint32_t> before_;  // the state that a segment of k which begins after t follows
    arma::vec best_;                   // of the paths that end with t and k
    arma::vec more_;
};

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
    if (n_steps == 0) return {};
    for (;;) {
        BestSegments best(durations, messages);
        best.fill(transition);
        if (best.is_certain()) return best.path();
        lengthen_duration_table(state, n_steps, durations);
    }
}

}  // namespace hmmlt
