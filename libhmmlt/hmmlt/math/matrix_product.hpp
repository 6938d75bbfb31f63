// The one matrix product that the filter needs of BLAS, for matrices whose columns lie further apart than they are long
// (AlignedMatrix), which Armadillo has no name for.
#pragma once

#include <cstddef>

#include "hmmlt/math/aligned_matrix.hpp"

namespace hmmlt {

// c = a' b, n_cols columns of b and c from the ones pointed to; a: n x m, columns of b: n, of c: m. The strides of b
// and c are that of a.
void multiply_transposed(const AlignedMatrix<float>& a, const float* b, float* c, std::size_t n_cols);
void multiply_transposed(const AlignedMatrix<double>& a, const double* b, double* c, std::size_t n_cols);

}  // namespace hmmlt
