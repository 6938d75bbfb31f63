#include "posterior/designs.hpp"

#include <fmt/format.h>

namespace hmmlt::testing {

namespace {

using Kind = DesignRow::Kind;
using Emits = DesignRow::Emits;
using Follows = DesignRow::Follows;

constexpr arma::uword n_states = 3;
constexpr arma::uword n_dims = 2;
constexpr arma::uword n_channels = 2;
constexpr arma::uword n_symbols = 3;

EmissionSpec emission_of(const DesignRow& row) {
    switch (row.emission) {
        case Emits::categorical:
            return CategoricalSpec::symmetric(n_symbols, 0.7);
        case Emits::gaussian:
            return GaussianSpec{std::vector<NormalGammaLaw>(n_channels, {.m = 0.5, .k = 0.8, .a = 3.0, .b = 2.0})};
        case Emits::linear_gaussian:
            break;
    }
    LinearGaussianSpec linear;
    linear.h.assign(n_channels, {3.0, 2.0});
    if (row.sticky)
        linear.weights = LearnedWeights::isotropic(n_dims, 1.0);
    else
        linear.weights = KnownWeights{arma::mat{{0.3, -0.2}, {1.1, 0.4}, {-0.6, 0.9}}};
    return linear;
}

}  // namespace

const std::vector<DesignRow>& design_rows() {
    static const std::vector<DesignRow> rows{
        // similarity, emission, sticky, blocked, ragged, in_double
        {Kind::constant, Emits::linear_gaussian, false, false, false, false},
        {Kind::constant, Emits::categorical, true, true, true, true},
        {Kind::constant, Emits::gaussian, true, false, true, true},
        {Kind::laplacian, Emits::linear_gaussian, true, false, true, true},
        {Kind::laplacian, Emits::linear_gaussian, false, true, true, true},
        {Kind::laplacian, Emits::linear_gaussian, true, true, false, true},
        {Kind::laplacian, Emits::categorical, false, false, false, false},
        {Kind::laplacian, Emits::gaussian, true, true, true, false},
        {Kind::gaussian, Emits::categorical, true, false, true, true},
        {Kind::gaussian, Emits::categorical, false, true, false, false},
        {Kind::gaussian, Emits::gaussian, true, true, false, false},
        {Kind::gaussian, Emits::gaussian, false, false, true, false},
        // and in a beam
        {Kind::constant, Emits::linear_gaussian, false, true, true, false, Follows::beam},
        {Kind::laplacian, Emits::categorical, true, false, false, true, Follows::beam},
        {Kind::gaussian, Emits::gaussian, false, false, true, false, Follows::beam},
        // and semi-Markov, never sticky, always blocked
        {Kind::constant, Emits::linear_gaussian, false, true, true, false, Follows::poisson},
        {Kind::laplacian, Emits::categorical, false, true, false, true, Follows::poisson},
        {Kind::gaussian, Emits::gaussian, false, true, true, false, Follows::poisson},
        {Kind::constant, Emits::categorical, false, true, false, true, Follows::negative_binomial},
        {Kind::laplacian, Emits::linear_gaussian, false, true, true, false, Follows::negative_binomial},
        {Kind::gaussian, Emits::gaussian, false, true, false, true, Follows::negative_binomial},
    };
    return rows;
}

GewekeDesign make_design(const DesignRow& row) {
    static const char* similarity_names[] = {"constant", "laplacian", "gaussian"};
    static const char* emission_names[] = {"linear_gaussian", "categorical", "gaussian"};
    GewekeDesign design;
    design.name = fmt::format("{} {} {} {} {} {}", similarity_names[static_cast<int>(row.similarity)],
                              emission_names[static_cast<int>(row.emission)], row.sticky ? "sticky" : "plain",
                              row.blocked ? "blocked" : "single", row.ragged ? "ragged" : "whole",
                              row.in_double ? "double" : "float");
    static const char* dynamics_names[] = {"", " beam", " poisson", " negative_binomial"};
    design.name += dynamics_names[static_cast<int>(row.dynamics)];
    Model& model = design.model;
    model.n_states = n_states;
    model.gamma = GammaPrior{2.0, 1.0};
    model.c = GammaPrior{2.0, 1.0};
    if (row.sticky) model.rho = BetaPrior{1.5, 2.0};
    if (row.similarity == Kind::laplacian) model.similarity = LaplacianSimilarity{ExponentialPrior{1.0}};
    if (row.similarity == Kind::gaussian) model.similarity = GaussianSimilarity{ExponentialPrior{1.0}};
    if (row.similarity == Kind::gaussian)
        model.locations = EuclideanLocations{.n_dims = n_dims, .n_leapfrog = 5, .initial_step_size = 0.5};
    else if (row.similarity == Kind::laplacian || row.emission == Emits::linear_gaussian)
        model.locations = BinaryLocations{n_dims, {1.5, 1.0}};
    model.emission = emission_of(row);
    if (row.dynamics == Follows::beam) model.dynamics = BeamDynamics{};
    // several states with weight, so that segments change
    if (row.dynamics == Follows::poisson || row.dynamics == Follows::negative_binomial)
        model.gamma = GammaPrior{8.0, 2.0};
    if (row.dynamics == Follows::poisson) model.dynamics = SemiMarkovDynamics{PoissonDurations{{2.0, 1.5}}};
    if (row.dynamics == Follows::negative_binomial)
        model.dynamics = SemiMarkovDynamics{NegativeBinomialDurations{{3.0, 2.0}, {0.5, 1.0, 3.0}}};

    design.sequences = row.ragged ? Sequences::of_lengths({3, 1, 2}) : Sequences::of_lengths({5});
    if (row.ragged) {
        // a missing cell, and a whole missing step (both channels)
        if (row.emission == Emits::categorical)
            design.missing_cells = {1};
        else
            design.missing_cells = {0, 2 * n_channels, 2 * n_channels + 1};
    }
    const Precision precision = row.in_double ? Precision::float64 : Precision::float32;
    design.sweep = with_dynamics(model.dynamics, row.blocked ? blocked_sweep(precision) : single_sweep(precision));
    return design;
}

namespace {

LinearGaussianSpec learned_weights() {
    return {std::vector<GammaPrior>(n_channels, {3.0, 2.0}), LearnedWeights::isotropic(n_dims, 1.0)};
}

// The bias is wider than other weights are likely to be.
LinearGaussianSpec shared_precision() {
    return {std::vector<GammaPrior>(n_channels, {3.0, 2.0}), SharedPrecisionWeights{n_dims, 0.25, {4.0, 3.0}}};
}

// A row with other parts.
GewekeDesign further(const char* name, DesignRow row, const Similarity& similarity, const LocationSpec& locations,
                     arma::uword states, const EmissionSpec& emission) {
    GewekeDesign design = make_design(row);
    design.name = name;
    design.model.similarity = similarity;
    design.model.locations = locations;
    design.model.n_states = states;
    design.model.emission = emission;
    return design;
}

}  // namespace

const std::vector<GewekeDesign>& all_designs() {
    static const std::vector<GewekeDesign> designs = [] {
        std::vector<GewekeDesign> all;
        for (const DesignRow& row : design_rows()) all.push_back(make_design(row));
        const Similarity laplacian = LaplacianSimilarity{ExponentialPrior{1.0}};
        const Similarity limit = FactorialLimitSimilarity{{2.0, 1.5}};
        const LocationSpec buffet = IndianBuffetLocations{n_dims, GammaPrior{3.0, 1.5}};
        const LocationSpec bits = BinaryLocations{n_dims, {1.5, 1.0}};
        const DesignRow single{Kind::laplacian, Emits::linear_gaussian, true, false, true, true};
        const DesignRow blocked{Kind::laplacian, Emits::linear_gaussian, false, true, false, false};
        const DesignRow symbols{Kind::laplacian, Emits::categorical, true, true, true, false};
        all.push_back(further("buffet single", single, laplacian, buffet, n_states, learned_weights()));
        all.push_back(further("buffet blocked", blocked, laplacian, buffet, n_states, learned_weights()));
        all.push_back(further("limit bits single", single, limit, bits, n_states, learned_weights()));
        all.push_back(further("limit bits blocked", blocked, limit, bits, n_states, learned_weights()));
        all.push_back(further("limit corners blocked", symbols, limit, CornerLocations{n_dims}, 4,
                              CategoricalSpec::symmetric(n_symbols, 0.7)));
        all.push_back(
            further("buffet single, precision of W", single, laplacian, buffet, n_states, shared_precision()));
        all.push_back(further("bits blocked, precision of W", blocked, laplacian, bits, n_states, shared_precision()));
        // parts that meet nowhere above: whole features that move beside durations, a beam, missing cells
        const DesignRow poisson{Kind::laplacian, Emits::linear_gaussian, false, true, true, true, Follows::poisson};
        const DesignRow binomial{Kind::laplacian,           Emits::linear_gaussian, false, true, false, true,
                                 Follows::negative_binomial};
        const DesignRow beam{Kind::laplacian, Emits::linear_gaussian, true, true, true, true, Follows::beam};
        const DesignRow sticky{Kind::laplacian, Emits::linear_gaussian, true, true, true, true};
        const LocationSpec corners = CornerLocations{n_dims};
        all.push_back(further("bits poisson, two states", poisson, laplacian, bits, 2, learned_weights()));
        all.push_back(further("buffet negative_binomial", binomial, laplacian, buffet, n_states, shared_precision()));
        all.push_back(further("limit bits poisson", poisson, limit, bits, n_states, learned_weights()));
        all.push_back(further("limit corners negative_binomial", binomial, limit, corners, 4, shared_precision()));
        all.push_back(further("limit buffet sticky", sticky, limit, buffet, n_states, learned_weights()));
        all.push_back(further("limit buffet sticky beam", beam, limit, buffet, n_states, shared_precision()));
        all.push_back(further("corners sticky", sticky, laplacian, corners, 4, learned_weights()));
        all.push_back(
            further("constant buffet sticky", sticky, ConstantSimilarity{}, buffet, n_states, learned_weights()));
        // a direction and moving bits beside every emission; values that are held fixed
        const DesignRow channels{Kind::laplacian, Emits::gaussian, true, false, true, false, Follows::beam};
        const DesignRow segments{Kind::laplacian, Emits::categorical,        false, true, true,
                                 false,           Follows::negative_binomial};
        const Similarity fixed_lambda = LaplacianSimilarity{0.8};
        const LocationSpec fixed_buffet = IndianBuffetLocations{n_dims, 1.7};
        all.push_back(further("limit buffet poisson", poisson, limit, buffet, n_states, shared_precision()));
        all.push_back(further("limit bits gaussian beam", channels, limit, bits, n_states, emission_of(channels)));
        all.push_back(further("limit bits negative_binomial symbols", segments, limit, bits, n_states,
                              CategoricalSpec::symmetric(n_symbols, 0.7)));
        all.push_back(further("limit corners single", single, limit, corners, 4, learned_weights()));
        all.push_back(further("fixed buffet and lambda, symbols", symbols, fixed_lambda, fixed_buffet, n_states,
                              CategoricalSpec::symmetric(n_symbols, 0.7)));
        // states that split and merge
        const DesignRow sticky_channels{Kind::constant, Emits::gaussian, true, true, true, false};
        const DesignRow plain_channels{Kind::constant, Emits::gaussian, false, true, false, true};
        all.push_back(make_design(sticky_channels));
        all.push_back(make_design(plain_channels));
        return all;
    }();
    return designs;
}

}  // namespace hmmlt::testing
