// Columns of positive numbers as shares of their sums.
#pragma once

#include <armadillo>

namespace hmmlt {

// Not arma::normalise(x, 1): it sums with OpenBLAS's dasum, whose order of additions, and so the last bit, depends on
// where in memory a column begins. Two runs of one seed would differ.
inline arma::mat column_shares(arma::mat values) {
    values.each_row() /= arma::sum(values, 0).eval();
    return values;
}

}  // namespace hmmlt
