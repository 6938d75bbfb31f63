// Two-state messages are log odds, in which nothing underflows.
#include "hmmlt/dynamics/factorial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "hmmlt/dynamics/factorial_parts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

void check_emission(std::string_view function, const arma::mat& y, const arma::mat& weights, const arma::vec& h,
                    arma::uword n_dims) {
    check_size(function, "rows of weights", weights.n_rows, n_dims + 1);
    check_size(function, "columns of weights", weights.n_cols, y.n_rows);
    check_size(function, "h", h.n_elem, y.n_rows);
    for (const double precision : h) check_positive_finite(function, "h", precision);
}

arma::mat log_transition(std::string_view function, const arma::mat& log_pi) {
    check_size(function, "rows of log_pi", log_pi.n_rows, 3);
    check_size(function, "columns of log_pi", log_pi.n_cols, 2);
    arma::mat log_a = log_pi;
    for (arma::uword from = 0; from < 3; ++from) {
        const double log_total = log_add_exp(log_pi(from, 0), log_pi(from, 1));
        check_finite(function, fmt::format("log of the total rate of row {}", from), log_total);
        log_a.row(from) -= log_total;
    }
    return log_a;
}

arma::cube log_transitions_of_chains(std::string_view function, const arma::cube& log_pi) {
    arma::cube log_a(arma::size(log_pi));
    for (arma::uword d = 0; d < log_pi.n_slices; ++d) log_a.slice(d) = log_transition(function, log_pi.slice(d));
    return log_a;
}

void observe_step(const arma::mat& y, const arma::mat& weights, const arma::vec& h, arma::uword step,
                  StepTerms& terms) {
    const arma::uword n_dims = weights.n_rows - 1;
    terms.constant = 0.0;
    terms.linear.zeros(n_dims);
    terms.observed.zeros(y.n_rows);
    for (arma::uword i = 0; i < y.n_rows; ++i) {
        if (std::isnan(y(i, step))) continue;
        terms.observed(i) = 1;
        const double residual = y(i, step) - weights(0, i);
        terms.constant += 0.5 * (std::log(h(i) / (2.0 * std::numbers::pi)) - h(i) * residual * residual);
        terms.linear += h(i) * residual * weights.col(i).tail(n_dims);
    }
}

void predict_in_log_space(const arma::cube& log_a, double* log_message) {
    const arma::uword n_joint = arma::uword{1} << log_a.n_slices;
    for (arma::uword d = 0; d < log_a.n_slices; ++d) {
        const arma::mat& a = log_a.slice(d);
        const arma::uword stride = arma::uword{1} << d;
        for (arma::uword block = 0; block < n_joint; block += 2 * stride) {
            double* const zero = log_message + block;
            double* const one = zero + stride;
            for (arma::uword s = 0; s < stride; ++s) {
                const double before = zero[s];
                zero[s] = log_add_exp(before + a(0, 0), one[s] + a(1, 0));
                one[s] = log_add_exp(before + a(0, 1), one[s] + a(1, 1));
            }
        }
    }
}

namespace {

// log of P(next = 1) / P(next = 0) if the current bit has log odds r. Dividing by the larger of the two weights keeps
// infinite odds (a bit that is certain) from meeting each other.
double predicted_log_odds(double r, const arma::mat& log_a) {
    const double from_zero = r > 0.0 ? -r : 0.0;
    const double from_one = r > 0.0 ? 0.0 : r;
    return log_add_exp(from_zero + log_a(0, 1), from_one + log_a(1, 1)) -
           log_add_exp(from_zero + log_a(0, 0), from_one + log_a(1, 0));
}

arma::uword draw_bit(double log_odds, Stream& rng) {
    return draw_uniform(rng) < 1.0 / (1.0 + std::exp(-log_odds)) ? 1 : 0;
}

}  // namespace

arma::vec factorial_log_odds(arma::uword dim, const arma::mat& y, const arma::umat& theta, const arma::mat& weights,
                             const arma::vec& h) {
    check_below(__func__, "dim", dim, theta.n_rows);
    check_size(__func__, "columns of theta", theta.n_cols, y.n_cols);
    check_emission(__func__, y, weights, h, theta.n_rows);
    const arma::mat w = weights.t();  // the weights of a chain are contiguous
    arma::vec log_odds(y.n_cols, arma::fill::zeros);
    arma::vec mean(y.n_rows);  // x^(-d)
    for (arma::uword step = 0; step < y.n_cols; ++step) {
        mean = w.col(0);
        for (arma::uword other = 0; other < theta.n_rows; ++other)
            if (other != dim && theta(other, step) == 1) mean += w.col(other + 1);
        for (arma::uword i = 0; i < y.n_rows; ++i)
            if (!std::isnan(y(i, step)))
                log_odds(step) += h(i) * w(i, dim + 1) * (y(i, step) - mean(i) - 0.5 * w(i, dim + 1));
    }
    return log_odds;
}

void sample_chain(arma::uword dim, const arma::mat& log_pi, const arma::vec& log_odds, const Sequences& sequences,
                  arma::umat& theta, const BlockStreams& rng) {
    check_below("sample_chain", "dim", dim, theta.n_rows);
    check_size("sample_chain", "columns of theta", theta.n_cols, sequences.n_steps());
    check_size("sample_chain", "log_odds", log_odds.n_elem, sequences.n_steps());
    const arma::mat log_a = log_transition("sample_chain", log_pi);
    arma::vec filtered;  // log odds of the bit given y up to its step: all there is to a message over two states
    for (arma::uword sequence = 0; sequence < sequences.count(); ++sequence) {
        const arma::uword first = sequences.first[sequence];
        const arma::uword length = sequences.length(sequence);
        Stream stream = rng.item(dim * sequences.count() + sequence);
        filtered.set_size(length);
        for (arma::uword t = 0; t < length; ++t) {
            check_finite("sample_chain", "log_odds", log_odds(first + t));
            const double predicted =
                t == 0 ? log_a(start_row, 1) - log_a(start_row, 0) : predicted_log_odds(filtered(t - 1), log_a);
            filtered(t) = predicted + log_odds(first + t);
        }
        for (arma::uword t = length; t-- > 0;) {
            const bool is_last = t + 1 == length;
            const arma::uword next = is_last ? 0 : theta(dim, first + t + 1);
            const double backward = is_last ? 0.0 : log_a(1, next) - log_a(0, next);
            theta(dim, first + t) = draw_bit(filtered(t) + backward, stream);
        }
    }
}

}  // namespace hmmlt
