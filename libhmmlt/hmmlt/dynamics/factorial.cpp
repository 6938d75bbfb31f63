// Two-state messages are log odds, in which nothing underflows; joint messages are scaled, with a way out in log space.
#include "hmmlt/dynamics/factorial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string_view>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

constexpr arma::uword start_row = 2;

void check_emission(std::string_view function, const arma::mat& y, const arma::mat& weights, const arma::vec& h,
                    arma::uword n_dims) {
    check_size(function, "rows of weights", weights.n_rows, n_dims + 1);
    check_size(function, "columns of weights", weights.n_cols, y.n_rows);
    check_size(function, "h", h.n_elem, y.n_rows);
    for (const double precision : h) check_positive_finite(function, "h", precision);
}

// log A of one chain, (7) with phi = 1.
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

// Below this sum, the terms that underflowed might matter.
constexpr double smallest_sum = 1e-200;

// The product space: bit d of a joint state s is chain d. Vectors over it are built by doubling: the second half, where
// the next bit is 1, follows from the first, where it is 0.
class JointStates {
  public:
    JointStates(const arma::mat& y, const arma::cube& log_pi, const arma::mat& weights, const arma::vec& h)
        : n_dims_(log_pi.n_slices), y_(y), weights_(weights), h_(h), log_a_(arma::size(log_pi)) {
        for (arma::uword d = 0; d < n_dims_; ++d)
            log_a_.slice(d) = log_transition("factorial_log_likelihood", log_pi.slice(d));
        const arma::uword n_joint = arma::uword{1} << n_dims_;
        message_.set_size(n_joint);
        log_lik_.set_size(n_joint);
        quadratic_.zeros(n_joint);
        observed_.zeros(y.n_rows);
    }

    // docs/model.md (69), steps first .. last - 1
    double log_likelihood(arma::uword first, arma::uword last) {
        double total = 0.0;
        for (arma::uword step = first; step < last; ++step) {
            const double constant = fill_log_lik(step);
            check_finite("factorial_log_likelihood", fmt::format("log density of y at step {}", step),
                         constant + log_lik_.max());
            total += constant + (step == first ? start() : advance());
        }
        return total;
    }

  private:
    // Each of these makes message_ the filtered message of a step and returns log C_t + b_t       docs/model.md (67)
    double start() {
        message_(0) = 0.0;
        for (arma::uword d = 0, half = 1; d < n_dims_; ++d, half *= 2)
            for (arma::uword s = 0; s < half; ++s) {
                message_[half + s] = message_[s] + log_a_(start_row, 1, d);
                message_[s] += log_a_(start_row, 0, d);
            }
        return weigh_log_prediction();
    }

    double advance() {
        previous_ = message_;
        for (arma::uword d = 0; d < n_dims_; ++d) {
            const arma::mat a = arma::exp(log_a_.slice(d));
            const double a00 = a(0, 0), a01 = a(0, 1), a10 = a(1, 0), a11 = a(1, 1);
            for_pairs(d, [=](double& zero, double& one) {
                const double before = zero;
                zero = before * a00 + one * a10;
                one = before * a01 + one * a11;
            });
        }
        const double largest = log_lik_.max();
        message_ %= arma::exp(log_lik_ - largest);
        const double sum = arma::accu(message_);
        if (sum < smallest_sum) return advance_in_log_space();
        message_ /= sum;
        return largest + std::log(sum);
    }

    // Where nearly all that is likely a priori is ruled out by y. Slow, exact, rare.
    double advance_in_log_space() {
        message_ = arma::log(previous_);
        for (arma::uword d = 0; d < n_dims_; ++d) {
            const arma::mat& log_a = log_a_.slice(d);
            for_pairs(d, [&](double& zero, double& one) {
                const double before = zero;
                zero = log_add_exp(before + log_a(0, 0), one + log_a(1, 0));
                one = log_add_exp(before + log_a(0, 1), one + log_a(1, 1));
            });
        }
        return weigh_log_prediction();
    }

    double weigh_log_prediction() {
        message_ += log_lik_;
        const double largest = message_.max();
        message_ = arma::exp(message_ - largest);
        const double sum = arma::accu(message_);
        message_ /= sum;
        return largest + std::log(sum);
    }

    // Calls change(message of s, message of s with bit d set) for all s whose bit d is 0.
    template <typename Change>
    void for_pairs(arma::uword d, const Change& change) {
        const arma::uword half = arma::uword{1} << d;
        for (arma::uword block = 0; block < message_.n_elem; block += 2 * half) {
            double* zero = message_.memptr() + block;
            double* one = zero + half;
            for (arma::uword s = 0; s < half; ++s) change(zero[s], one[s]);
        }
    }

    // Leaves in log_lik_ the terms of (66) that depend on the joint state, and returns those that do not.
    double fill_log_lik(arma::uword step) {
        double constant = 0.0;
        arma::vec linear(n_dims_, arma::fill::zeros);
        arma::uvec observed(y_.n_rows, arma::fill::zeros);
        for (arma::uword i = 0; i < y_.n_rows; ++i) {
            if (std::isnan(y_(i, step))) continue;
            observed(i) = 1;
            const double residual = y_(i, step) - weights_(0, i);
            constant += 0.5 * (std::log(h_(i) / (2.0 * std::numbers::pi)) - h_(i) * residual * residual);
            linear += h_(i) * residual * weights_.col(i).tail(n_dims_);
        }
        // The quadratic terms depend on which channels are observed: mostly the same ones from step to step.
        if (arma::any(observed != observed_)) {
            observed_ = observed;
            quadratic_.zeros();
            for (const arma::uword i : arma::uvec(arma::find(observed))) {
                fill_sums(weights_.col(i).tail(n_dims_), log_lik_);
                quadratic_ += 0.5 * h_(i) * arma::square(log_lik_);
            }
        }
        fill_sums(linear, log_lik_);
        log_lik_ -= quadratic_;
        return constant;
    }

    // sums(s) is the sum of terms(d) over the bits d that are 1 in s.
    void fill_sums(const arma::vec& terms, arma::vec& sums) const {
        sums(0) = 0.0;
        for (arma::uword d = 0, half = 1; d < n_dims_; ++d, half *= 2)
            for (arma::uword s = 0; s < half; ++s) sums[half + s] = sums[s] + terms[d];
    }

    arma::uword n_dims_;
    const arma::mat& y_;
    const arma::mat& weights_;
    const arma::vec& h_;
    arma::cube log_a_;
    arma::vec message_, previous_, log_lik_;
    arma::vec quadratic_;  // of the channels in observed_
    arma::uvec observed_;
};

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

arma::vec factorial_log_likelihood(const arma::mat& y, const Sequences& sequences, const arma::cube& log_pi,
                                   const arma::mat& weights, const arma::vec& h) {
    const arma::uword n_dims = log_pi.n_slices;
    if (n_dims > most_factorial_dims)
        throw std::domain_error(fmt::format("{}: number of chains must be at most {} (2^n states are summed), found {}",
                                            __func__, most_factorial_dims, n_dims));
    check_not_empty(__func__, "log_pi", n_dims);
    check_size(__func__, "columns of y", y.n_cols, sequences.n_steps());
    check_emission(__func__, y, weights, h, n_dims);
    JointStates joint(y, log_pi, weights, h);
    arma::vec log_likelihood(sequences.count());
    for (arma::uword s = 0; s < sequences.count(); ++s)
        log_likelihood(s) = joint.log_likelihood(sequences.first[s], sequences.first[s + 1]);
    return log_likelihood;
}

}  // namespace hmmlt
