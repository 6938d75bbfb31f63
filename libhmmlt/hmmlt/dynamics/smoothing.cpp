// Everything is done in log space, with plain matrix-vector products wherever they are safe.
#include "hmmlt/dynamics/smoothing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "hmmlt/dynamics/log_messages.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

void check_messages(const char* function, const ForwardMessages& messages, arma::uword n_states,
                    const Sequences& sequences) {
    check_size(function, "the rows of messages.f", messages.f.n_rows, n_states);
    check_size(function, "the columns of messages.f", messages.f.n_cols, sequences.n_steps());
    check_size(function, "messages.in_log_space", messages.in_log_space.size(), sequences.count());
}

arma::vec log_message(const ForwardMessages& messages, arma::uword sequence, arma::uword step) {
    const arma::vec f = messages.f.unsafe_col(step);
    return messages.in_log_space[sequence] ? f : arma::vec(arma::log(f));
}

// log sum_j f(j) A_jk for one k
double log_predicted(const TransitionMatrix& transition, const arma::vec& log_f, arma::uword k) {
    const double* log_a = transition.log_from_to.colptr(k);
    return log_sum_exp(log_f.n_elem, [&](arma::uword j) { return log_f[j] + log_a[j]; });
}

}  // namespace

arma::vec step_log_densities(const TransitionMatrix& transition, const arma::mat& log_lik,
                             const ForwardMessages& messages, const Sequences& sequences) {
    check_messages("step_log_densities", messages, transition.n_states(), sequences);
    check_size("step_log_densities", "the rows of log_lik", log_lik.n_rows, transition.n_states());
    check_size("step_log_densities", "the columns of log_lik", log_lik.n_cols, sequences.n_steps());
    arma::vec log_density(sequences.n_steps());
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        arma::vec before;
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
            const arma::vec now = log_message(messages, s, t);
            const arma::uword k = now.index_max();  // (93) holds for every k; this one has all its digits
            const double predicted = before.is_empty() ? transition.log_start[k] : log_predicted(transition, before, k);
            log_density[t] = predicted + log_lik.at(k, t) - now[k];
            before = now;
        }
    }
    return log_density;
}

arma::mat filtered_probabilities(const ForwardMessages& messages, const Sequences& sequences) {
    check_messages("filtered_probabilities", messages, messages.f.n_rows, sequences);
    arma::mat filtered = messages.f;
    for (arma::uword s = 0; s < sequences.count(); ++s)
        for (arma::uword t = sequences.first[s]; messages.in_log_space[s] && t < sequences.first[s + 1]; ++t)
            filtered.col(t) = arma::exp(messages.f.col(t));
    return filtered;
}

arma::mat smoothed_probabilities(const TransitionMatrix& transition, const ForwardMessages& messages,
                                 const Sequences& sequences) {
    const arma::uword n_states = transition.n_states();
    check_messages("smoothed_probabilities", messages, n_states, sequences);
    arma::mat smoothed(n_states, sequences.n_steps());
    arma::vec predicted(n_states), ratio(n_states), backward(n_states);  // all of them logarithms
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword last = sequences.first[s + 1];
        arma::vec next;  // log of the column to the right
        for (arma::uword t = last; t-- > sequences.first[s];) {
            arma::vec now = log_message(messages, s, t);
            if (t + 1 < last) {
                propagate_forward(transition, now, predicted);
                for (arma::uword k = 0; k < n_states; ++k)
                    ratio[k] = next[k] == minus_infinity ? minus_infinity : next[k] - predicted[k];
                ratio -= ratio.max();
                propagate_backward(transition, ratio, backward);
                now += backward;
            }
            now -= log_sum_exp(n_states, [&now](arma::uword k) { return now[k]; });
            smoothed.col(t) = arma::exp(now);
            next = now;
        }
    }
    return smoothed;
}

arma::uvec most_likely_path(const TransitionMatrix& transition, const arma::mat& log_lik, const Sequences& sequences) {
    const arma::uword n_states = transition.n_states();
    check_size("most_likely_path", "the rows of log_lik", log_lik.n_rows, n_states);
    check_size("most_likely_path", "the columns of log_lik", log_lik.n_cols, sequences.n_steps());
    arma::uvec path(sequences.n_steps());
    arma::Mat<std::uint32_t> best_from(n_states, sequences.n_steps());
    arma::vec before(n_states), now(n_states);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        for (arma::uword t = first; t < last; ++t) {
            for (arma::uword k = 0; k < n_states; ++k) {
                double best = t == first ? transition.log_start[k] : minus_infinity;
                arma::uword from = 0;
                const double* log_a = transition.log_from_to.colptr(k);
                for (arma::uword j = 0; t > first && j < n_states; ++j)
                    if (before[j] + log_a[j] > best) {
                        best = before[j] + log_a[j];
                        from = j;
                    }
                now[k] = best + log_lik.at(k, t);
                best_from.at(k, t) = static_cast<std::uint32_t>(from);
            }
            if (!(now.max() > minus_infinity))
                throw std::runtime_error(fmt::format(
                    "most_likely_path: sequence {}, step {}: no path has a positive probability", s, t - first));
            before = now;
        }
        arma::uword state = first < last ? before.index_max() : 0;
        for (arma::uword t = last; t-- > first;) {
            path[t] = state;
            state = best_from.at(state, t);
        }
    }
    return path;
}

}  // namespace hmmlt
