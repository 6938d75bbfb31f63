// The likelihood of a step under every joint state of some binary chains with a linear-Gaussian emission: a quadratic
// form in their bits. Its square part changes with the channels that are observed, mostly never; its linear part is a
// sum of two entries of short tables, for the lower and the higher bits.
#pragma once

#include <armadillo>
#include <cstddef>
#include <vector>

#include "hmmlt/dynamics/factorial_parts.hpp"

namespace hmmlt {

class JointLikelihood {
  public:
    // weights: row 0 the bias, then one row for each chain; bit d of a joint state is row d + 1. y, weights and h must
    // outlive it.
    JointLikelihood(const arma::mat& y, const arma::mat& weights, const arma::vec& h);

    std::size_t n_states() const { return quadratic_.size(); }

    // All below is about this step.
    void set_step(arma::uword step);

    double largest() const { return terms_.constant + largest_; }  // b_t, docs/model.md (67)

    // message(s) becomes message(s) e^(L_st - b_t), in float or double; returns what it then sums to. The sum is taken
    // in double over pieces of the joint states.
    template <typename Real>
    double weigh(Real* message) const;

    // log_message(s) becomes log_message(s) + L_st - b_t.
    void weigh_log(double* log_message) const;

  private:
    void fill_quadratic();

    const arma::mat& y_;
    const arma::mat& weights_;
    const arma::vec& h_;
    StepTerms terms_;
    arma::uvec observed_;            // the channels that quadratic_ is about
    std::vector<double> quadratic_;  // of each joint state
    std::vector<double> cross_;      // scratch: products of one chain with all before it
    std::vector<double> low_;        // linear part of the lower bits
    std::vector<double> high_;       // and of the others; one piece of joint states for each
    std::vector<double> piece_largest_;
    double largest_ = 0.0;
};

}  // namespace hmmlt
