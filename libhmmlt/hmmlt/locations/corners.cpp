#include "hmmlt/locations/corners.hpp"

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"

namespace hmmlt {

bool operator==(const CornerLocationState& a, const CornerLocationState& b) {
    return same_values(a.theta, b.theta);
}

arma::uword n_corners(arma::uword n_dims) {
    check_not_empty("n_corners", "n_dims", n_dims);
    check_below("n_corners", "n_dims", n_dims, most_corner_dims + 1);
    return arma::uword{1} << n_dims;
}

arma::umat all_corners(arma::uword n_dims) {
    arma::umat theta(n_dims, n_corners(n_dims));
    for (arma::uword j = 0; j < theta.n_cols; ++j)
        for (arma::uword dim = 0; dim < n_dims; ++dim) theta.at(dim, j) = j >> dim & 1;
    return theta;
}

arma::uvec corners_of_bits(const arma::umat& theta) {
    arma::uvec corner(theta.n_cols, arma::fill::zeros);
    for (arma::uword t = 0; t < theta.n_cols; ++t)
        for (arma::uword dim = 0; dim < theta.n_rows; ++dim) corner[t] |= theta.at(dim, t) << dim;
    return corner;
}

}  // namespace hmmlt
