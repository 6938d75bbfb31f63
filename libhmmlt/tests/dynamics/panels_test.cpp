#include "hmmlt/dynamics/panels.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dynamics/small_chains.hpp"

using namespace hmmlt;

namespace {

// With one rounding per term, as the panels have where the CPU can, and with two.
template <typename Real>
std::vector<Real> dense_product(const AlignedMatrix<Real>& a, std::size_t n_cols, const std::vector<Real>& factor,
                                bool fused) {
    std::vector<Real> sum(n_cols, Real{0});
    for (std::size_t k = 0; k < n_cols; ++k)
        for (std::size_t j = 0; j < factor.size(); ++j) {
            volatile Real product = factor[j] * a.column(k)[j];  // not to be fused behind our back
            sum[k] = fused ? std::fma(factor[j], a.column(k)[j], sum[k]) : sum[k] + product;
        }
    return sum;
}

template <typename Real>
void check_products(std::size_t n_rows, std::size_t n_cols) {
    CAPTURE(n_rows);
    CAPTURE(n_cols);
    const arma::mat values = arma::abs(testing::normals(n_rows, n_rows + 1, 1.0, 90 + n_rows));
    AlignedMatrix<Real> a;
    a.set_size(n_rows, n_rows);
    for (std::size_t k = 0; k < n_rows; ++k)
        for (std::size_t j = 0; j < n_rows; ++j)  // a third of them zero
            a.column(k)[j] = values(j, k) < 0.43 ? Real{0} : static_cast<Real>(values(j, k));
    Panels<Real> panels;
    panels.pack(a, n_cols);
    REQUIRE(panels.n_padded() >= n_cols);
    for (const double share : {0.0, 0.5, 2.0, 10.0}) {  // smaller factors are zero: none, some, nearly all, all
        std::vector<Real> factor(n_rows);
        for (std::size_t j = 0; j < n_rows; ++j)
            factor[j] = values(j, n_rows) < share ? Real{0} : static_cast<Real>(values(j, n_rows));
        std::vector<Real> sum(panels.n_padded(), Real{7});
        panels.multiply(factor.data(), sum.data());
        const std::vector<Real> found(sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(n_cols));
        // bit for bit: skipping rows changes nothing
        const bool same =
            found == dense_product(a, n_cols, factor, true) || found == dense_product(a, n_cols, factor, false);
        CHECK(same);
        for (std::size_t k = n_cols; k < sum.size(); ++k) CHECK(sum[k] == Real{0});
    }
}

}  // namespace

TEST_CASE("panels: the bits of a dense product, at every width") {
    for (const std::size_t n : {1u, 2u, 15u, 16u, 17u, 33u, 64u, 127u, 128u, 129u, 200u, 257u}) {
        check_products<float>(n, n);
        check_products<double>(n, n);
        check_products<float>(n, n / 2);
        check_products<double>(n, n / 2);
    }
}
