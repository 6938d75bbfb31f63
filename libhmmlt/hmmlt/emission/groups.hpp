// Emissions whose parameters can be integrated out: what a set of steps says if they all come from one state, whose
// parameters are not known. The linear-Gaussian emission has no such form: there states share bits, weights and noise.
#pragma once

#include <armadillo>
#include <concepts>
#include <span>

#include "hmmlt/emission/categorical_groups.hpp"
#include "hmmlt/emission/gaussian_groups.hpp"

namespace hmmlt {

// A group is what must be known of a set of steps; missing cells drop out. Made by groups_of(spec, observations) where
// an emission has it; spec and observations must outlive it.
template <typename Groups>
concept EmissionGroups = requires(const Groups groups, typename Groups::Group group, std::span<const arma::uword> steps,
                                  arma::uword t, std::span<double> log_density, double log_apart) {
    { groups.nothing() } -> std::same_as<typename Groups::Group>;  // of no steps
    { groups.add(t, group) } -> std::same_as<void>;
    { groups.joined(group, group) } -> std::same_as<typename Groups::Group>;  // of disjoint sets
    // log M: of all steps of a group together                                       docs/model.md (131), (132)
    { groups.log_marginal_likelihood(group) } -> std::same_as<double>;
    // log M of both together less log M of each; log_apart is the sum of the latter two, where that saves work
    { groups.log_gain(group, group, log_apart) } -> std::same_as<double>;
    // log M of the group and step t, less log M of the group, for each t of `steps`
    { groups.log_predictive(group, steps, log_density) } -> std::same_as<void>;
};

static_assert(EmissionGroups<GaussianGroups> && EmissionGroups<CategoricalGroups>);

}  // namespace hmmlt
