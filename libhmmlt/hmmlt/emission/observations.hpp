// The data of a model: real channels or symbols over all steps of all sequences. NaN and no_symbol are missing values.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt {

inline constexpr arma::sword no_symbol = -1;

struct Observations {
    Sequences sequences;
    arma::mat y;        // n_channels x n_steps; NaN = missing; empty for symbols
    arma::ivec symbol;  // n_steps; no_symbol = missing; empty for real channels
};

}  // namespace hmmlt
