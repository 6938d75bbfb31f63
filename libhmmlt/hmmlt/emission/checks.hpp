// Preconditions that all emissions share: do data, states and bits fit together?
#pragma once

#include <armadillo>
#include <string_view>

#include "hmmlt/emission/observations.hpp"

namespace hmmlt {

// z has a state below n_states for every step.
void check_states(std::string_view function, const Observations& observations, const arma::uvec& z,
                  arma::uword n_states);
// y is n_channels x n_steps, every cell a number or NaN (missing).
void check_channels(std::string_view function, const Observations& observations, arma::uword n_channels);
// Every step has a symbol below n_symbols or no_symbol.
void check_symbols(std::string_view function, const Observations& observations, arma::uword n_symbols);
// theta has n_dims rows of zeros and ones.
void check_bits(std::string_view function, const arma::umat& theta, arma::uword n_dims);

}  // namespace hmmlt
