// The likelihood of a factorial HMM on its product space: messages over 2^n_dims joint states are scaled, with a way
// out in log space.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/dynamics/factorial_parts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/flush_denormals.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

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
        a_ = arma::exp(log_a_);
        for (arma::uword k = 0; k < low_size && n_dims_ >= n_low; ++k)
            for (arma::uword j = 0; j < low_size; ++j) {
                low_a_[k][j] = 1.0;
                for (arma::uword d = 0; d < n_low; ++d) low_a_[k][j] *= a_(k >> d & 1, j >> d & 1, d);
            }
        message_.set_size(n_joint);
        previous_.set_size(n_joint);
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
        previous_.swap(message_);
        predict();
        const double largest = log_lik_.max();
        const double sum = weigh(largest);
        if (sum < smallest_sum) return advance_in_log_space();
        message_ /= sum;
        return largest + std::log(sum);
    }

    // message_ becomes the prediction from previous_: every chain moves by itself. A pass over the vector costs more
    // than its arithmetic. So the lowest chains, which share a vector register, move together, all others two by two,
    // and as many as possible before a piece leaves the cache.
    void predict() {
        const arma::uword n_inside = std::min(n_dims_, n_cached);
        const arma::uword piece = arma::uword{1} << n_inside;
        for (arma::uword first = 0; first < message_.n_elem; first += piece) {
            if (n_dims_ >= n_low)
                predict_low(first, first + piece);
            else
                message_ = previous_;
            predict_chains(n_dims_ >= n_low ? n_low : 0, n_inside, first, first + piece);
        }
        predict_chains(n_inside, n_dims_, 0, message_.n_elem);
    }

    // Chains d .. d_end - 1, in the joint states first .. last - 1.
    void predict_chains(arma::uword d, arma::uword d_end, arma::uword first, arma::uword last) {
        for (; d + 1 < d_end; d += 2) predict_two(d, first, last);
        if (d == d_end) return;
        const arma::mat& a = a_.slice(d);
        for_pairs(d, first, last,
                  [a00 = a(0, 0), a01 = a(0, 1), a10 = a(1, 0), a11 = a(1, 1)](double& zero, double& one) {
                      const double before = zero;
                      zero = before * a00 + one * a10;
                      one = before * a01 + one * a11;
                  });
    }

    void predict_low(arma::uword first, arma::uword last) {
        for (arma::uword block = first; block < last; block += low_size) {
            const double* from = previous_.memptr() + block;
            double sum[low_size] = {};
            for (arma::uword k = 0; k < low_size; ++k)
                for (arma::uword j = 0; j < low_size; ++j) sum[j] += from[k] * low_a_[k][j];
            std::copy_n(sum, low_size, message_.memptr() + block);
        }
    }

    void predict_two(arma::uword d, arma::uword first_state, arma::uword last_state) {
        const arma::mat& a = a_.slice(d);
        const arma::mat& b = a_.slice(d + 1);
        const double a00 = a(0, 0), a01 = a(0, 1), a10 = a(1, 0), a11 = a(1, 1);
        const double b00 = b(0, 0), b01 = b(0, 1), b10 = b(1, 0), b11 = b(1, 1);
        const arma::uword stride = arma::uword{1} << d;
        for (arma::uword block = first_state; block < last_state; block += 4 * stride) {
            double* const first = message_.memptr() + block;
            for (arma::uword s = 0; s < stride; ++s) {
                double& at_00 = first[s];  // bit d + 1, bit d
                double& at_01 = first[stride + s];
                double& at_10 = first[2 * stride + s];
                double& at_11 = first[3 * stride + s];
                const double x00 = at_00 * a00 + at_01 * a10, x01 = at_00 * a01 + at_01 * a11;
                const double x10 = at_10 * a00 + at_11 * a10, x11 = at_10 * a01 + at_11 * a11;
                at_00 = x00 * b00 + x10 * b10;
                at_01 = x01 * b00 + x11 * b10;
                at_10 = x00 * b01 + x10 * b11;
                at_11 = x01 * b01 + x11 * b11;
            }
        }
    }

    // message_ times the likelihood, scaled to a maximum of 1, and its sum.
    double weigh(double largest) {
        double* const message = message_.memptr();
        const double* const log_lik = log_lik_.memptr();
        for (arma::uword s = 0; s < message_.n_elem; ++s) message[s] *= vector_exp(log_lik[s] - largest);
        return arma::accu(message_);
    }

    // Where nearly all that is likely a priori is ruled out by y. Slow, exact, rare.
    double advance_in_log_space() {
        message_ = arma::log(previous_);
        for (arma::uword d = 0; d < n_dims_; ++d) {
            const arma::mat& log_a = log_a_.slice(d);
            for_pairs(d, 0, message_.n_elem, [&](double& zero, double& one) {
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

    // Calls change(message of s, message of s with bit d set) for all s in first .. last - 1 whose bit d is 0.
    template <typename Change>
    void for_pairs(arma::uword d, arma::uword first, arma::uword last, const Change& change) {
        const arma::uword half = arma::uword{1} << d;
        for (arma::uword block = first; block < last; block += 2 * half) {
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

    static constexpr arma::uword n_low = 3;
    static constexpr arma::uword n_cached = 11;  // 2^11 numbers fit into the smallest cache
    static constexpr arma::uword low_size = arma::uword{1} << n_low;

    arma::uword n_dims_;
    const arma::mat& y_;
    const arma::mat& weights_;
    const arma::vec& h_;
    arma::cube log_a_;
    arma::cube a_;
    double low_a_[low_size][low_size];  // of the lowest n_low chains together
    arma::vec message_, previous_, log_lik_;
    arma::vec quadratic_;  // of the channels in observed_
    arma::uvec observed_;
};

}  // namespace

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
    const FlushDenormals while_messages_decay;
    arma::vec log_likelihood(sequences.count());
    for (arma::uword s = 0; s < sequences.count(); ++s)
        log_likelihood(s) = joint.log_likelihood(sequences.first[s], sequences.first[s + 1]);
    return log_likelihood;
}

}  // namespace hmmlt
