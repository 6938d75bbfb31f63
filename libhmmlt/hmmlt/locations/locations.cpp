#include "hmmlt/locations/locations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

LocationState draw(const NoLocations&, arma::uword, const BlockStreams&) {
    return NoLocationState{};
}

LocationState draw(const BinaryLocations& spec, arma::uword n_states, const BlockStreams& rng) {
    BinaryLocationState state{arma::umat(spec.n_dims, n_states), arma::vec(spec.n_dims)};
    for (arma::uword dim = 0; dim < spec.n_dims; ++dim) {
        Stream stream = rng.item(dim);
        state.mu(dim) = draw_beta(spec.mu.a, spec.mu.b, stream);
        for (arma::uword j = 0; j < n_states; ++j) state.theta(dim, j) = draw_uniform(stream) < state.mu(dim) ? 1 : 0;
    }
    return state;
}

LocationState draw(const EuclideanLocations& spec, arma::uword n_states, const BlockStreams& rng) {
    Stream stream = rng.item(0);
    return draw_euclidean_locations(spec, n_states, stream);
}

LocationState draw(const IndianBuffetLocations& spec, arma::uword n_states, const BlockStreams& rng) {
    return draw_indian_buffet(spec, n_states, rng);
}

LocationState draw(const CornerLocations& spec, arma::uword n_states, const BlockStreams&) {
    check_size("draw_locations", "n_states of corners", n_states, n_corners(spec.n_dims));
    return CornerLocationState{all_corners(spec.n_dims)};
}

double part_log_prior(const NoLocations&, const NoLocationState&) {
    return 0.0;
}

double part_log_prior(const CornerLocations&, const CornerLocationState&) {
    return 0.0;
}

double part_log_prior(const EuclideanLocations& spec, const EuclideanLocationState& state) {
    return location_log_prior(state.location, spec.location_precision);
}

double part_log_prior(const IndianBuffetLocations& spec, const IndianBuffetState& state) {
    return buffet_log_prior(spec, state);
}

// docs/model.md (43)
double part_log_prior(const BinaryLocations& spec, const BinaryLocationState& state) {
    double log_density = 0.0;
    for (arma::uword dim = 0; dim < state.mu.n_elem; ++dim) {
        const auto ones = static_cast<double>(arma::accu(state.theta.row(dim)));
        const double zeros = static_cast<double>(state.theta.n_cols) - ones;
        log_density += log_beta_density(state.mu(dim), spec.mu);
        if (ones > 0.0) log_density += ones * std::log(state.mu(dim));
        if (zeros > 0.0) log_density += zeros * std::log1p(-state.mu(dim));
    }
    return log_density;
}

}  // namespace

std::string_view location_kind(const LocationSpec& spec) {
    return std::visit([](const auto& part) -> std::string_view { return part.kind; }, spec);
}

LocationState draw_locations(const LocationSpec& spec, arma::uword n_states, const BlockStreams& rng) {
    return std::visit([&](const auto& part) { return draw(part, n_states, rng); }, spec);
}

double log_prior(const LocationSpec& spec, const LocationState& state) {
    return std::visit(
        []<typename Spec, typename State>(const Spec& of, const State& at) -> double {
            if constexpr (requires { part_log_prior(of, at); })
                return part_log_prior(of, at);
            else
                throw std::domain_error(
                    fmt::format("log_prior: state must be that of {} locations, found another", Spec::kind));
        },
        spec, state);
}

arma::mat distances(const LocationState& state, arma::uword n_states) {
    arma::mat distance;
    distances(state, n_states, distance);
    return distance;
}

void distances(const LocationState& state, arma::uword n_states, arma::mat& distance) {
    if (const arma::umat& theta = bits(state); !theta.is_empty())
        hamming_distances(theta, distance);
    else if (const auto* euclidean = std::get_if<EuclideanLocationState>(&state))
        squared_distances(euclidean->location, distance);
    else
        distance.zeros(n_states, n_states);
}

const arma::umat& bits(const LocationState& state) {
    static const arma::umat none;
    return std::visit(
        [](const auto& part) -> const arma::umat& {
            if constexpr (requires { part.theta; })
                return part.theta;
            else
                return none;
        },
        state);
}

arma::uword n_bits_of(const LocationSpec& spec) {
    return std::visit(
        []<typename Spec>(const Spec& part) -> arma::uword {
            if constexpr (std::is_same_v<Spec, NoLocations> || std::is_same_v<Spec, EuclideanLocations>)
                return 0;
            else
                return part.n_dims;
        },
        spec);
}

void set_bits(const arma::umat& bits, LocationState& state) {
    std::visit(
        [&]<typename Part>(Part& part) {
            if constexpr (std::is_same_v<Part, BinaryLocationState> || std::is_same_v<Part, IndianBuffetState>)
                part.theta.head_cols(bits.n_cols) = bits;
            else
                throw std::domain_error("set_bits: expected locations with bits that can be set, found others");
        },
        state);
}

}  // namespace hmmlt
