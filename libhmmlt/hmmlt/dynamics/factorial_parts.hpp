// What the draws of single chains and the likelihood on the product space of a factorial HMM share.
#pragma once

#include <armadillo>
#include <string_view>

namespace hmmlt {

// Of the 3 x 2 rates of a chain.
inline constexpr arma::uword start_row = 2;

// log A of one chain, docs/model.md (7) with phi = 1; `function` is named if the rates are none.
arma::mat log_transition(std::string_view function, const arma::mat& log_pi);

// Throws std::domain_error, naming function and argument, if shapes do not fit or a precision is none.
void check_emission(std::string_view function, const arma::mat& y, const arma::mat& weights, const arma::vec& h,
                    arma::uword n_dims);

}  // namespace hmmlt
