// The likelihood of a factorial HMM on its product space: messages over 2^n_dims joint states are scaled, with a way
// out in log space.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/dynamics/factorial_parts.hpp"
#include "hmmlt/dynamics/joint_transition.hpp"
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
        : n_dims_(log_pi.n_slices),
          y_(y),
          weights_(weights),
          h_(h),
          log_a_(log_transitions_of_chains("factorial_log_likelihood", log_pi)),
          transition_(arma::exp(log_a_)) {
        const arma::uword n_joint = transition_.n_states();
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
        transition_.predict(previous_.memptr(), 1.0, message_.memptr());
        const double largest = log_lik_.max();
        const double sum = weigh(largest);
        if (sum < smallest_sum) return advance_in_log_space();
        message_ /= sum;
        return largest + std::log(sum);
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
        predict_in_log_space(log_a_, message_.memptr());
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

    // Leaves in log_lik_ the terms of (66) that depend on the joint state, and returns those that do not.
    double fill_log_lik(arma::uword step) {
        observe_step(y_, weights_, h_, step, terms_);
        // The quadratic terms depend on which channels are observed: mostly the same ones from step to step.
        if (arma::any(terms_.observed != observed_)) {
            observed_ = terms_.observed;
            quadratic_.zeros();
            for (const arma::uword i : arma::uvec(arma::find(observed_))) {
                fill_sums(weights_.col(i).tail(n_dims_), log_lik_);
                quadratic_ += 0.5 * h_(i) * arma::square(log_lik_);
            }
        }
        fill_sums(terms_.linear, log_lik_);
        log_lik_ -= quadratic_;
        return terms_.constant;
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
    JointTransition<double> transition_;
    StepTerms terms_;
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
