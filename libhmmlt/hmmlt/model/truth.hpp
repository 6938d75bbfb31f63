// What is known about the states of synthetic or labelled data: for scores, and for a start that is a diagnostic.
#pragma once

#include <armadillo>

namespace hmmlt {

struct Truth {
    arma::umat theta;  // n_dims x n_steps, 0 or 1; empty if unknown
    arma::uvec z;      // n_steps; empty if unknown

    bool empty() const { return theta.is_empty() && z.is_empty(); }
};

}  // namespace hmmlt
