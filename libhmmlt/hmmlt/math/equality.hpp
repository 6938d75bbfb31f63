// Equality of matrices as values, for states that are compared: Armadillo's own == works cell by cell.
#pragma once

#include <algorithm>
#include <armadillo>

namespace hmmlt {

// The same shape and equal numbers everywhere; -infinity equals itself, NaN equals nothing.
template <typename T>
bool same_values(const arma::Mat<T>& a, const arma::Mat<T>& b) {
    return a.n_rows == b.n_rows && a.n_cols == b.n_cols && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace hmmlt
