// Messages in log space: products with A that lose a path only if it is impossible. All filters and the
// smoother share them.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/forward_backward.hpp"

namespace hmmlt {

// A sum of probabilities, or of products of two, that is this large has all its digits, whatever underflowed in it.
inline constexpr double smallest_safe_sum = 1e-250;

// log sum_j e^log_f(j) A_jk for all k; the largest log_f is about 0, -infinity is an exact zero
void propagate_forward(const TransitionMatrix& transition, const arma::vec& log_f, arma::vec& log_sum);

// log sum_k A_jk e^log_b(k) for all j; the same of log_b
void propagate_backward(const TransitionMatrix& transition, const arma::vec& log_b, arma::vec& log_sum);

// The same of logarithms of any size.
void propagate_any_forward(const TransitionMatrix& transition, const arma::vec& log_f, arma::vec& log_sum);
void propagate_any_backward(const TransitionMatrix& transition, const arma::vec& log_b, arma::vec& log_sum);

}  // namespace hmmlt
