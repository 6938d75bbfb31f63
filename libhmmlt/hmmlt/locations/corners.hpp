// Locations that do not move: one state at every corner of a cube, that is, one for each vector of bits.
#pragma once

#include <armadillo>

namespace hmmlt {

struct CornerLocations {
    static constexpr const char* kind = "corners";
    arma::uword n_dims = 1;

    bool operator==(const CornerLocations&) const = default;
};

struct CornerLocationState {
    arma::umat theta;  // n_dims x 2^n_dims
};
bool operator==(const CornerLocationState& a, const CornerLocationState& b);

inline constexpr arma::uword most_corner_dims = 16;
arma::uword n_corners(arma::uword n_dims);  // 2^n_dims; throws std::domain_error beyond most_corner_dims

// Bit d of state j is bit d of the number j.
arma::umat all_corners(arma::uword n_dims);
// The state at each vector of bits, the columns of theta.
arma::uvec corners_of_bits(const arma::umat& theta);

}  // namespace hmmlt
