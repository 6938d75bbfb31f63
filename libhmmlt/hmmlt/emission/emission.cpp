// Hands each call to the emission that the variant holds.
#include "hmmlt/emission/emission.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hmmlt {

namespace {

template <typename Spec, typename State>
auto& matching_state(const char* function, const Spec&, State& state) {
    auto* found = std::get_if<typename Spec::State>(&state);
    if (found == nullptr)
        throw std::domain_error(
            fmt::format("{}: state must be that of a {} emission, found another", function, Spec::kind));
    return *found;
}

}  // namespace

std::string_view emission_kind(const EmissionSpec& spec) {
    return std::visit([](const auto& part) -> std::string_view { return part.kind; }, spec);
}

bool names_bits(const LinearGaussianSpec& spec) {
    return std::holds_alternative<KnownWeights>(spec.weights);
}

bool names_bits(const EmissionSpec& spec) {
    const auto* linear = std::get_if<LinearGaussianSpec>(&spec);
    return linear != nullptr && names_bits(*linear);
}

EmissionState draw_emission(const EmissionSpec& spec, arma::uword n_states, const BlockStreams& rng) {
    return std::visit([&](const auto& part) -> EmissionState { return draw_emission(part, n_states, rng); }, spec);
}

void sample_emission(const EmissionSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& theta, EmissionState& state, const BlockStreams& rng) {
    std::visit(
        [&](const auto& part) {
            sample_emission(part, observations, z, theta, matching_state("sample_emission", part, state), rng);
        },
        spec);
}

EmissionState expected_emission(const EmissionSpec& spec, const Observations& observations, const arma::uvec& z,
                                const arma::umat& theta, const EmissionState& state) {
    return std::visit(
        [&](const auto& part) -> EmissionState {
            return expected_emission(part, observations, z, theta, matching_state("expected_emission", part, state));
        },
        spec);
}

void log_likelihood(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                    arma::mat& log_lik) {
    std::visit([&](const auto& part) { log_likelihood(part, theta, observations, log_lik); }, state);
}

double path_log_likelihood(const EmissionState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations) {
    return std::visit([&](const auto& part) { return path_log_likelihood(part, theta, z, observations); }, state);
}

double log_prior(const EmissionSpec& spec, const EmissionState& state) {
    return std::visit([&](const auto& part) { return log_prior(part, matching_state("log_prior", part, state)); },
                      spec);
}

void draw_observations(const EmissionState& state, const arma::umat& theta, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng) {
    std::visit([&](const auto& part) { draw_observations(part, theta, z, observations, rng); }, state);
}

LinearEvidence evidence(const EmissionState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states) {
    return std::visit([&](const auto& part) { return evidence(part, observations, z, n_states); }, state);
}

}  // namespace hmmlt
