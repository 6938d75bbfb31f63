// The log likelihoods of normal channels as a product of two matrices: what a state is, times what a step shows.
#pragma once

#include <armadillo>

#include "hmmlt/emission/gaussian.hpp"
#include "hmmlt/emission/linear_gaussian.hpp"

namespace hmmlt {

// With y and the means counted from the centre of each channel, which keeps the terms small,
//   log p(y_it | z_t = j) = (log h_ij - log 2 pi - h_ij mean_ij^2) / 2 + h_ij mean_ij y_it - h_ij y_it^2 / 2
// The last term is the same for all states of a linear-Gaussian emission: there it is left out and returned by
// shared(). A missing cell has zeros in place of 1, y and y^2. docs/model.md (66)
class NormalProducts {
  public:
    // Of the states listed, in that order.
    NormalProducts(const LinearGaussianState& state, const arma::umat& theta, const Observations& observations,
                   const arma::uvec& states);
    NormalProducts(const GaussianState& state, const arma::umat& theta, const Observations& observations,
                   const arma::uvec& states);

    // Whether the terms are so small that what is lost when they cancel (2^-52 of the largest) is below the rounding
    // of a float.
    bool exact_enough() const;

    // states x (last - first), without what is shared
    void log_likelihood(arma::uword first, arma::uword last, arma::mat& log_lik) const;

    // What all states have in common at each step.
    const arma::vec& shared() const { return shared_; }

  private:
    // mean, h: n_channels x n_states
    void set_terms(arma::mat mean, const arma::mat& h, const Observations& observations, bool one_precision);

    arma::mat of_states_;  // n_states x terms
    arma::mat of_steps_;   // terms x n_steps
    arma::vec shared_;     // n_steps
    double largest_term_ = 0.0;
};

}  // namespace hmmlt
