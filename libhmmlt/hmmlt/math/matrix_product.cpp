#include "hmmlt/math/matrix_product.hpp"

extern "C" {
void sgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc);
void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace hmmlt {

namespace {

template <typename Real, typename Gemm>
void multiply(const Gemm& gemm, const AlignedMatrix<Real>& a, const Real* b, Real* c, std::size_t n_cols) {
    const auto m = static_cast<int>(a.n_cols());
    const auto n = static_cast<int>(n_cols);
    const auto k = static_cast<int>(a.n_rows());
    const auto stride = static_cast<int>(a.stride());
    const Real one{1};
    const Real zero{0};
    gemm("T", "N", &m, &n, &k, &one, a.column(0), &stride, b, &stride, &zero, c, &stride);
}

}  // namespace

void multiply_transposed(const AlignedMatrix<float>& a, const float* b, float* c, std::size_t n_cols) {
    multiply(sgemm_, a, b, c, n_cols);
}

void multiply_transposed(const AlignedMatrix<double>& a, const double* b, double* c, std::size_t n_cols) {
    multiply(dgemm_, a, b, c, n_cols);
}

}  // namespace hmmlt
