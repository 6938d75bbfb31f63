// The filter spends its time in one matrix-vector product per step; everything else is O(n_states) per step.
#include "hmmlt/dynamics/forward_backward.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

namespace {

// A path lighter than 1e-308 of the others is lost to the scaled messages. Where C_t of docs/model.md (67) is below
// this, it might have deserved better.
constexpr double smallest_scale = 1e-100;

// A sum of products of probabilities this large has all its digits, whatever underflowed in it.
constexpr double smallest_safe_sum = 1e-250;

// Terms this far below the largest change no digit of a sum, however many there are.
constexpr double negligible = -60.0;

// log sum_i exp(term(i)), i = 0..n-1
template <typename Term>
double log_sum_exp(arma::uword n, const Term& term) {
    double largest = minus_infinity;
    for (arma::uword i = 0; i < n; ++i) largest = std::max(largest, term(i));
    if (largest == minus_infinity) return minus_infinity;
    double sum = 0.0;
    for (arma::uword i = 0; i < n; ++i) {
        const double relative = term(i) - largest;
        if (relative > negligible) sum += std::exp(relative);
    }
    return largest + std::log(sum);
}

// Messages of the steps first..last-1 of one sequence and their log likelihood; NaN if they came close to underflow.
double filter_scaled(const TransitionMatrix& transition, const arma::mat& log_lik, arma::uword first, arma::uword last,
                     arma::mat& f) {
    const arma::uword n_states = transition.n_states();
    double log_likelihood = 0.0;
    for (arma::uword t = first; t < last; ++t) {
        arma::vec now = f.unsafe_col(t);
        if (t == first)
            now = transition.start;
        else
            now = transition.from_to.t() * f.unsafe_col(t - 1);
        const double* log_density = log_lik.colptr(t);
        const double largest = *std::max_element(log_density, log_density + n_states);
        double scale = 0.0;
        for (arma::uword k = 0; k < n_states; ++k) {
            now[k] *= std::exp(log_density[k] - largest);
            scale += now[k];
        }
        if (!(scale >= smallest_scale)) return arma::datum::nan;  // also where log_lik is not a number
        now /= scale;
        log_likelihood += std::log(scale) + largest;
    }
    return log_likelihood;
}

[[noreturn]] void fail_at(arma::uword sequence, arma::uword step, const std::string& reason) {
    throw std::runtime_error(fmt::format("filter_forward: sequence {}, step {}: {}", sequence, step, reason));
}

// log sum_j exp(log_f(j)) A_jk for all k. Sums that come out too small to be trusted are done again in log space, so
// that a path is lost only if it is impossible. f is scratch.
void propagate_log(const TransitionMatrix& transition, const double* log_f, arma::vec& f, arma::vec& log_sum) {
    const arma::uword n_states = transition.n_states();
    for (arma::uword j = 0; j < n_states; ++j) f[j] = std::exp(log_f[j]);
    log_sum = transition.from_to.t() * f;
    for (arma::uword k = 0; k < n_states; ++k) {
        const double* log_a = transition.log_from_to.colptr(k);
        log_sum[k] = log_sum[k] >= smallest_safe_sum
                         ? std::log(log_sum[k])
                         : log_sum_exp(n_states, [&](arma::uword j) { return log_f[j] + log_a[j]; });
    }
}

// The same as filter_scaled in log space; messages are left as logarithms.
double filter_log(const TransitionMatrix& transition, const arma::mat& log_lik, arma::uword sequence, arma::uword first,
                  arma::uword last, arma::mat& f) {
    const arma::uword n_states = transition.n_states();
    arma::vec scratch(n_states);
    arma::vec log_sum = transition.log_start;
    double log_likelihood = 0.0;
    for (arma::uword t = first; t < last; ++t) {
        if (t > first) propagate_log(transition, f.colptr(t - 1), scratch, log_sum);
        double* now = f.colptr(t);
        for (arma::uword k = 0; k < n_states; ++k) {
            const double log_density = log_lik.at(k, t);
            if (std::isnan(log_density) || log_density == -minus_infinity)
                fail_at(
                    sequence, t - first,
                    fmt::format("log_lik of state {} must be below infinity and not NaN, found {}", k, log_density));
            now[k] = log_sum[k] + log_density;
        }
        const double log_scale = log_sum_exp(n_states, [now](arma::uword k) { return now[k]; });
        if (log_scale == minus_infinity) fail_at(sequence, t - first, "no path has a positive probability");
        for (arma::uword k = 0; k < n_states; ++k) now[k] -= log_scale;
        log_likelihood += log_scale;
    }
    return log_likelihood;
}

}  // namespace

void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition) {
    const arma::vec log_total = log_total_rates(log_pi, log_phi);
    const arma::uword n_states = log_pi.n_cols;
    transition.log_from_to.set_size(n_states, n_states);
    transition.log_start.set_size(n_states);
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        double& cell = from == n_states ? transition.log_start[to] : transition.log_from_to.at(from, to);
        cell = log_rate - log_total[from];
    });
    transition.from_to = arma::exp(transition.log_from_to);
    transition.start = arma::exp(transition.log_start);
}

void filter_forward(const TransitionMatrix& transition, const arma::mat& log_lik, const Sequences& sequences,
                    ForwardMessages& messages) {
    check_not_empty("filter_forward", "transition", transition.n_states());
    check_size("filter_forward", "the rows of log_lik", log_lik.n_rows, transition.n_states());
    check_size("filter_forward", "the columns of log_lik", log_lik.n_cols, sequences.n_steps());
    messages.f.set_size(transition.n_states(), sequences.n_steps());
    messages.in_log_space.assign(sequences.count(), false);
    messages.log_likelihood.set_size(sequences.count());
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        double& log_likelihood = messages.log_likelihood[s];
        log_likelihood = filter_scaled(transition, log_lik, first, last, messages.f);
        if (!std::isfinite(log_likelihood)) {
            log_likelihood = filter_log(transition, log_lik, s, first, last, messages.f);
            messages.in_log_space[s] = true;
        }
    }
}

void sample_states(const TransitionMatrix& transition, const ForwardMessages& messages, const Sequences& sequences,
                   arma::uvec& z, const BlockStreams& rng) {
    const arma::uword n_states = transition.n_states();
    check_size("sample_states", "the rows of messages.f", messages.f.n_rows, n_states);
    check_size("sample_states", "the columns of messages.f", messages.f.n_cols, sequences.n_steps());
    check_size("sample_states", "messages.in_log_space", messages.in_log_space.size(), sequences.count());
    z.set_size(sequences.n_steps());
    arma::vec weight(n_states);
    const std::span<const double> weights(weight.memptr(), n_states);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        const bool in_log_space = messages.in_log_space[s];
        const arma::uword last = sequences.first[s + 1];
        for (arma::uword t = last; t-- > sequences.first[s];) {
            const double* f = messages.f.colptr(t);
            std::copy_n(f, n_states, weight.begin());
            if (t + 1 < last) {
                const double* a = (in_log_space ? transition.log_from_to : transition.from_to).colptr(z[t + 1]);
                for (arma::uword j = 0; j < n_states; ++j) weight[j] = in_log_space ? f[j] + a[j] : f[j] * a[j];
            }
            z[t] = in_log_space ? draw_categorical_log(weights, stream) : draw_categorical(weights, stream);
        }
    }
}

}  // namespace hmmlt
