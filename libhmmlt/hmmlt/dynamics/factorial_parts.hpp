// What the draws and the likelihood of a factorial HMM share.
#pragma once

#include <armadillo>
#include <string_view>

namespace hmmlt {

// Of the 3 x 2 rates of a chain.
inline constexpr arma::uword start_row = 2;

// log A of one chain, docs/model.md (7) with phi = 1; `function` is named if the rates are none.
arma::mat log_transition(std::string_view function, const arma::mat& log_pi);

// The same of every chain: 3 x 2 x n_dims.
arma::cube log_transitions_of_chains(std::string_view function, const arma::cube& log_pi);

// The terms of (66) of a step in which all chains have log density constant + linear' b - (quadratic terms of b), for
// their bits b. The quadratic terms depend on the step by which channels are observed only.     docs/model.md (66),
// (44)
struct StepTerms {
    double constant = 0.0;
    arma::vec linear;
    arma::uvec observed;  // 1 or 0 for each channel
};
void observe_step(const arma::mat& y, const arma::mat& weights, const arma::vec& h, arma::uword step, StepTerms& terms);

// The log of a message over joint states becomes that of its prediction, where nothing underflows: slow, exact, rare.
void predict_in_log_space(const arma::cube& log_a, double* log_message);

// Throws std::domain_error, naming function and argument, if shapes do not fit or a precision is none.
void check_emission(std::string_view function, const arma::mat& y, const arma::mat& weights, const arma::vec& h,
                    arma::uword n_dims);

}  // namespace hmmlt
