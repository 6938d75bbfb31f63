// The emissions a model can have, and the contract that each of them keeps. Only the linear-Gaussian one depends on the
// bits of a state; all are handed theta, so that a sweep need not know which one it has.
#pragma once

#include <armadillo>
#include <concepts>
#include <string_view>
#include <variant>

#include "hmmlt/emission/categorical.hpp"
#include "hmmlt/emission/gaussian.hpp"
#include "hmmlt/emission/linear_gaussian.hpp"

namespace hmmlt {

// A spec is the prior, its State the sampled parameters; both are values. Data are observations, of which missing cells
// drop out; z has a state for each of their steps; theta: n_dims x n_states, 0 or 1, empty if states have no bits.
template <typename Spec>
concept Emission = std::copyable<Spec> && std::equality_comparable<Spec> && std::copyable<typename Spec::State> &&
    std::equality_comparable<typename Spec::State> &&
    requires(const Spec spec, const typename Spec::State state, typename Spec::State out, const Observations data,
             Observations data_out, const arma::uvec z, const arma::umat theta, arma::mat log_lik, arma::uword n_states,
             const BlockStreams rng) {
    { Spec::kind } -> std::convertible_to<std::string_view>;  // its name in a model file
    // The parameters from their prior.
    { draw_emission(spec, n_states, rng) } -> std::same_as<typename Spec::State>;
    // The parameters from their full conditional (given each other, if it draws several in turn).
    { sample_emission(spec, data, z, theta, out, rng) } -> std::same_as<void>;
    // Their expectations under that law (each given the others): a smoother plug-in for held-out data.
    { expected_emission(spec, data, z, theta, state) } -> std::same_as<typename Spec::State>;
    // log p(y_t | z_t = j), n_states x n_steps, all constants included                            docs/model.md (66)
    { log_likelihood(state, theta, data, log_lik) } -> std::same_as<void>;
    // The sum of log p(y_t | z_t) over all steps.
    { path_log_likelihood(state, theta, z, data) } -> std::same_as<double>;
    // The normalised log density of the parameters under their prior                              docs/model.md (72)
    { log_prior(spec, state) } -> std::same_as<double>;
    // New data for the sequences of data_out, no cell missing; rng.item(s) draws sequence s.
    { draw_observations(state, theta, z, data_out, rng) } -> std::same_as<void>;
    // What the data say about the bits; empty if the emission does not depend on them.
    { evidence(state, data, z, n_states) } -> std::same_as<LinearEvidence>;
};

// Index i of one list belongs to index i of the other.
template <Emission... Specs>
struct EmissionList {
    using Spec = std::variant<Specs...>;
    using State = std::variant<typename Specs::State...>;
};
using Emissions = EmissionList<LinearGaussianSpec, CategoricalSpec, GaussianSpec>;
using EmissionSpec = Emissions::Spec;
using EmissionState = Emissions::State;

// The contract for whichever emission a variant holds. Spec and state of different emissions: std::domain_error.
std::string_view emission_kind(const EmissionSpec& spec);
// Whether bits have names: known weights say what each of them does. Without them the bits of a model, and of two draws
// of it, are the same up to their order.
bool names_bits(const EmissionSpec& spec);
bool names_bits(const LinearGaussianSpec& spec);
EmissionState draw_emission(const EmissionSpec& spec, arma::uword n_states, const BlockStreams& rng);
void sample_emission(const EmissionSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& theta, EmissionState& state, const BlockStreams& rng);
EmissionState expected_emission(const EmissionSpec& spec, const Observations& observations, const arma::uvec& z,
                                const arma::umat& theta, const EmissionState& state);
void log_likelihood(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                    arma::mat& log_lik);
double path_log_likelihood(const EmissionState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations);
double log_prior(const EmissionSpec& spec, const EmissionState& state);
void draw_observations(const EmissionState& state, const arma::umat& theta, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng);
LinearEvidence evidence(const EmissionState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states);

}  // namespace hmmlt
