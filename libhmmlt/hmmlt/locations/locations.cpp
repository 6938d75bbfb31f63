#include "hmmlt/locations/locations.hpp"

#include <cmath>

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

// docs/model.md (43)
double binary_log_prior(const BinaryLocations& spec, const BinaryLocationState& state) {
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
    if (const auto* binary = std::get_if<BinaryLocationState>(&state))
        return binary_log_prior(std::get<BinaryLocations>(spec), *binary);
    if (const auto* euclidean = std::get_if<EuclideanLocationState>(&state))
        return location_log_prior(euclidean->location, std::get<EuclideanLocations>(spec).location_precision);
    return 0.0;
}

arma::mat distances(const LocationState& state, arma::uword n_states) {
    if (const auto* binary = std::get_if<BinaryLocationState>(&state)) return hamming_distances(binary->theta);
    if (const auto* euclidean = std::get_if<EuclideanLocationState>(&state))
        return squared_distances(euclidean->location);
    return arma::mat(n_states, n_states, arma::fill::zeros);
}

const arma::umat& bits(const LocationState& state) {
    static const arma::umat none;
    const auto* binary = std::get_if<BinaryLocationState>(&state);
    return binary == nullptr ? none : binary->theta;
}

}  // namespace hmmlt
