#include "hmmlt/math/matrix_product.hpp"

#include <armadillo>

namespace hmmlt {

namespace {

template <typename Real>
void multiply(const AlignedMatrix<Real>& a, const Real* b, Real* c, std::size_t n_cols) {
    const auto m = static_cast<arma::blas_int>(a.n_cols());
    const auto n = static_cast<arma::blas_int>(n_cols);
    const auto k = static_cast<arma::blas_int>(a.n_rows());
    const auto stride = static_cast<arma::blas_int>(a.stride());
    const Real one{1};
    const Real zero{0};
    arma::blas::gemm<Real>("T", "N", &m, &n, &k, &one, a.column(0), &stride, b, &stride, &zero, c, &stride);
}

}  // namespace

void multiply_transposed(const AlignedMatrix<float>& a, const float* b, float* c, std::size_t n_cols) {
    multiply(a, b, c, n_cols);
}

void multiply_transposed(const AlignedMatrix<double>& a, const double* b, double* c, std::size_t n_cols) {
    multiply(a, b, c, n_cols);
}

}  // namespace hmmlt
