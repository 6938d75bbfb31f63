// Referees without chance, for bugs that leave the law of the draws as it is: a wrong gradient (HMC stays exact),
// and a likelihood that is off by a constant. Each takes the suspect and returns its largest relative error on a fixed
// case.
#pragma once

#include <armadillo>
#include <functional>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"

namespace hmmlt::testing {

// (location, n, q or log_pi, lambda, precision of locations)
using Gradient =
    std::function<arma::mat(const arma::mat&, const arma::mat&, const arma::mat&, double lambda, double precision)>;

// Against central differences of the library's log density, docs/model.md (56) and (58).
inline constexpr double gradient_tolerance = 1e-7;
double gradient_error_given_failed_jumps(const Gradient& gradient);
double gradient_error(const Gradient& gradient);

// The filter's log likelihood, docs/model.md (69), against the sum over all paths, one by one, under a phi that is not
// symmetric and has a diagonal below 1; `tamper` may change A in between.
inline constexpr double likelihood_tolerance = 1e-12;
using Tamper = std::function<void(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix&)>;
double likelihood_error(const Tamper& tamper);

// log p(y) of one sequence of a semi-Markov chain, docs/model.md (79), against the sum over segments of every length: a
// segment that its state all but excludes, and steps that a state cannot have emitted.
using SegmentFilter = std::function<double(const TransitionMatrix&, const DurationState&, const arma::mat& log_lik)>;
double segments_error(const SegmentFilter& filter);

}  // namespace hmmlt::testing
