// A matrix laid out for the product vector x matrix, which is where a forward pass spends its time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hmmlt/math/aligned_matrix.hpp"

namespace hmmlt {

// The columns are cut into panels so narrow that the sums of one panel stay in registers while all its rows go by; a
// row of a panel is contiguous, and its rows follow each other. Rows whose factor is zero are not read.
template <typename Real>
class Panels {
  public:
    // Takes the first n_cols columns of a matrix.
    void pack(const AlignedMatrix<Real>& columns, std::size_t n_cols);

    // sum[k] = sum_j factor[j] a_jk, k < n_cols, over j in order; sum has n_padded() places, the last ones get zeros.
    // The bits are those of a loop over all rows: 0 a_jk changes no sum.
    void multiply(const Real* factor, Real* sum);
    // The same, if all factors but those of these rows, in order, are known to be zero.
    void multiply(const Real* factor, std::span<const std::uint32_t> rows, Real* sum);

    std::size_t n_padded() const { return n_panels_ * width_; }

  private:
    // The products of factor_ and these rows.
    void add(const std::uint32_t* row, std::size_t n, Real* sum) const;

    std::size_t n_rows_ = 0;
    std::size_t n_panels_ = 0;
    std::size_t width_ = 0;     // of a panel, whole vectors
    AlignedMatrix<Real> data_;  // one column per row of a panel
    std::vector<std::uint32_t> row_;
    std::vector<Real> factor_;
};

extern template class Panels<float>;
extern template class Panels<double>;

}  // namespace hmmlt
