// One small model of every kind of location, emission, weights and duration, for what must hold for all of them.
#pragma once

#include <vector>

#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/model.hpp"

namespace hmmlt::testing {

inline std::vector<Model> small_models() {
    Model binary;
    binary.n_states = 4;
    binary.similarity = LaplacianSimilarity{ExponentialPrior{1.0}};
    binary.locations = BinaryLocations{3, {}};
    binary.emission = LinearGaussianSpec{std::vector<GammaPrior>(2, {2.0, 1.0}), LearnedWeights::isotropic(3, 1.0)};
    Model euclidean;
    euclidean.n_states = 5;
    euclidean.similarity = GaussianSimilarity{ExponentialPrior{1.0}};
    euclidean.locations = EuclideanLocations{};
    euclidean.emission = CategoricalSpec::symmetric(6, 0.01);
    Model plain;
    plain.n_states = 3;
    plain.emission = GaussianSpec{std::vector<NormalGammaLaw>(2)};
    Model poisson = binary;
    poisson.dynamics = SemiMarkovDynamics{PoissonDurations{}};
    Model binomial = plain;
    binomial.dynamics = SemiMarkovDynamics{NegativeBinomialDurations{}};
    Model buffet = binary;
    buffet.locations = IndianBuffetLocations{3, GammaPrior{2.0, 1.0}};
    Model limit = binary;
    limit.similarity = FactorialLimitSimilarity{};
    Model all_corners = limit;
    all_corners.n_states = 8;
    all_corners.locations = CornerLocations{3};
    Model shared = buffet;
    shared.emission =
        LinearGaussianSpec{std::vector<GammaPrior>(2, {2.0, 1.0}), SharedPrecisionWeights{3, 0.5, {2.0, 1.0}}};
    Model shared_poisson = shared;
    shared_poisson.dynamics = poisson.dynamics;
    return {binary, euclidean, plain, poisson, binomial, buffet, limit, all_corners, shared, shared_poisson};
}

inline FactorialModel small_factorial_model() {
    FactorialModel model;
    model.emission = {std::vector<GammaPrior>(2, {2.0, 1.0}), LearnedWeights::isotropic(3, 1.0)};
    return model;
}

inline FactorialModel small_factorial_model_of_shared_precision() {
    FactorialModel model = small_factorial_model();
    model.emission.weights = SharedPrecisionWeights{3, 0.5, {2.0, 1.0}};
    return model;
}

}  // namespace hmmlt::testing
