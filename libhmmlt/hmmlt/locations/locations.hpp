// Where states live: nowhere, at corners of a cube, or in a Euclidean space; one list for specs, one for states.
#pragma once

#include <armadillo>
#include <string_view>
#include <variant>

#include "hmmlt/locations/binary.hpp"
#include "hmmlt/locations/corners.hpp"
#include "hmmlt/locations/euclidean.hpp"
#include "hmmlt/locations/indian_buffet.hpp"

namespace hmmlt {

struct NoLocations {
    static constexpr const char* kind = "none";
    bool operator==(const NoLocations&) const = default;
};
struct NoLocationState {
    bool operator==(const NoLocationState&) const = default;
};

// Index i of one list belongs to index i of the other.
using LocationSpec =
    std::variant<NoLocations, BinaryLocations, EuclideanLocations, IndianBuffetLocations, CornerLocations>;
using LocationState =
    std::variant<NoLocationState, BinaryLocationState, EuclideanLocationState, IndianBuffetState, CornerLocationState>;

std::string_view location_kind(const LocationSpec& spec);

// Locations, and what hangs on them, from their prior.
LocationState draw_locations(const LocationSpec& spec, arma::uword n_states, const BlockStreams& rng);
// Its normalised log density: a term of docs/model.md (72).
double log_prior(const LocationSpec& spec, const LocationState& state);

// delta: Hamming or squared Euclidean, n_states x n_states; all 0 without locations.       docs/model.md (36)-(38)
arma::mat distances(const LocationState& state, arma::uword n_states);
void distances(const LocationState& state, arma::uword n_states, arma::mat& distance);

// The bits of the states, n_dims x n_states; empty where locations have none.
const arma::umat& bits(const LocationState& state);
// The number of bits of a state, 0 where locations have none.
arma::uword n_bits_of(const LocationSpec& spec);
// Gives the first states these bits; refused, with std::domain_error, by locations without bits or with fixed ones.
void set_bits(const arma::umat& bits, LocationState& state);

}  // namespace hmmlt
