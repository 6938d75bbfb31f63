// A matrix whose columns begin on cache lines and are padded to whole ones, so that loops over a column need no ends
// and vector loads never straddle a line. It grows and never shrinks: a sweep that reuses it allocates nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hmmlt {

inline constexpr std::size_t cache_line = 64;

template <typename Real>
class AlignedMatrix {
  public:
    static constexpr std::size_t line = cache_line / sizeof(Real);  // numbers in a cache line

    // What was in it is lost, and what is in it now is anything finite that was.
    void set_size(std::size_t n_rows, std::size_t n_cols) {
        n_rows_ = n_rows;
        n_cols_ = n_cols;
        stride_ = (n_rows + line - 1) / line * line;
        const std::size_t needed = stride_ / line * n_cols;
        if (lines_.size() >= needed) return;
        lines_.clear();
        lines_.resize(needed);
    }

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_cols() const { return n_cols_; }
    std::size_t stride() const { return stride_; }  // from column to column

    Real* column(std::size_t index) { return first() + index * stride_; }
    const Real* column(std::size_t index) const { return first() + index * stride_; }

    // Zeros below the last row.
    void clear_padding(std::size_t index) { std::fill(column(index) + n_rows_, column(index) + stride_, Real{0}); }

  private:
    struct alignas(cache_line) Line {
        std::array<Real, line> value{};
    };

    Real* first() { return lines_.empty() ? nullptr : lines_.data()->value.data(); }
    const Real* first() const { return lines_.empty() ? nullptr : lines_.data()->value.data(); }

    std::size_t n_rows_ = 0;
    std::size_t n_cols_ = 0;
    std::size_t stride_ = 0;
    std::vector<Line> lines_;
};

}  // namespace hmmlt
