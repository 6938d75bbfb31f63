// Compiled with -ffp-contract=fast (CMakeLists.txt), so that products and sums become fused multiply-adds in all builds
// whose CPUs have them: the vector extensions have no name for the operation.
#include "hmmlt/dynamics/panels.hpp"

#include <algorithm>
#include <array>

namespace hmmlt {

namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

// With 16 registers, 8 sums leave room for everything else, and are enough to hide the latency of an addition.
constexpr std::size_t most_vectors = 8;

template <typename Real>
constexpr std::size_t n_lanes = vector_bytes / sizeof(Real);

// Rows of a panel whose sums fill `N` vectors; they lie `stride` numbers apart.
template <typename Real, std::size_t N>
void add_rows(const Real* panel, std::size_t stride, const std::uint32_t* row, const Real* factor, std::size_t n_rows,
              Real* sum) {
    typedef Real Vector __attribute__((vector_size(vector_bytes)));
    Vector total[N]{};
    for (std::size_t i = 0; i < n_rows; ++i) {
        const auto* a = reinterpret_cast<const Vector*>(panel + row[i] * stride);
        const Vector f = Vector{} + factor[i];
        for (std::size_t v = 0; v < N; ++v) total[v] += f * a[v];
    }
    for (std::size_t v = 0; v < N; ++v)
        for (std::size_t l = 0; l < n_lanes<Real>; ++l) sum[v * n_lanes<Real> + l] = total[v][l];
}

template <typename Real>
using AddRows = void (*)(const Real*, std::size_t, const std::uint32_t*, const Real*, std::size_t, Real*);

template <typename Real>
constexpr std::array<AddRows<Real>, most_vectors> add_rows_of_vectors{
    add_rows<Real, 1>, add_rows<Real, 2>, add_rows<Real, 3>, add_rows<Real, 4>,
    add_rows<Real, 5>, add_rows<Real, 6>, add_rows<Real, 7>, add_rows<Real, 8>};

std::size_t divide_up(std::size_t n, std::size_t by) {
    return (n + by - 1) / by;
}

}  // namespace

template <typename Real>
void Panels<Real>::pack(const AlignedMatrix<Real>& columns, std::size_t n_cols) {
    constexpr std::size_t tile = AlignedMatrix<Real>::line;  // a tile is read and written by whole cache lines
    n_rows_ = columns.n_rows();
    const std::size_t n_vectors = divide_up(n_cols, n_lanes<Real>);
    n_panels_ = divide_up(n_vectors, most_vectors);
    width_ = n_panels_ == 0 ? 0 : divide_up(n_vectors, n_panels_) * n_lanes<Real>;  // panels of equal width
    data_.set_size(width_, n_panels_ * n_rows_);
    row_.resize(n_rows_);
    factor_.resize(n_rows_);
    for (std::size_t p = 0; p < n_panels_; ++p) {
        const std::size_t first = p * width_;
        const std::size_t n_here = std::min(width_, n_cols - std::min(first, n_cols));
        for (std::size_t from = 0; from < n_rows_; from += tile) {
            const std::size_t last = std::min(from + tile, n_rows_);
            for (std::size_t k = 0; k < n_here; k += tile)
                for (std::size_t j = from; j < last; ++j) {
                    Real* out = data_.column(p * n_rows_ + j);
                    for (std::size_t l = k; l < std::min(k + tile, n_here); ++l) out[l] = columns.column(first + l)[j];
                }
            for (std::size_t j = from; j < last; ++j) {
                Real* out = data_.column(p * n_rows_ + j);
                std::fill(out + n_here, out + width_, Real{0});
            }
        }
    }
}

template <typename Real>
void Panels<Real>::multiply(const Real* factor, Real* sum) {
    std::size_t n = 0;
    for (std::size_t j = 0; j < n_rows_; ++j) {
        row_[n] = static_cast<std::uint32_t>(j);
        factor_[n] = factor[j];
        n += factor[j] != Real{0} ? 1 : 0;
    }
    add(row_.data(), n, sum);
}

template <typename Real>
void Panels<Real>::multiply(const Real* factor, std::span<const std::uint32_t> rows, Real* sum) {
    for (std::size_t i = 0; i < rows.size(); ++i) factor_[i] = factor[rows[i]];
    add(rows.data(), rows.size(), sum);
}

template <typename Real>
void Panels<Real>::add(const std::uint32_t* row, std::size_t n, Real* sum) const {
    for (std::size_t p = 0; p < n_panels_; ++p)
        add_rows_of_vectors<Real>[width_ / n_lanes<Real> - 1](data_.column(p * n_rows_), data_.stride(), row,
                                                              factor_.data(), n, sum + p * width_);
}

template class Panels<float>;
template class Panels<double>;

}  // namespace hmmlt
