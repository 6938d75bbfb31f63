// A model: what the data are drawn from, docs/model.md (1)-(8), as a value made of parts.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/dynamics.hpp"
#include "hmmlt/emission/emission.hpp"
#include "hmmlt/locations/locations.hpp"
#include "hmmlt/math/priors.hpp"
#include "hmmlt/similarity/similarity.hpp"

namespace hmmlt {

struct Model {
    arma::uword n_states = 1;  // J, the weak limit
    Similarity similarity = ConstantSimilarity{};
    LocationSpec locations = NoLocations{};
    EmissionSpec emission;
    Dynamics dynamics = MarkovDynamics{};
    Hyperparameter<GammaPrior> gamma = GammaPrior{};
    Hyperparameter<GammaPrior> c = GammaPrior{};  // alpha + kappa
    Hyperparameter<BetaPrior> rho = 0.0;          // kappa / (alpha + kappa); fixed at 0: not sticky

    bool operator==(const Model&) const = default;
};

// Throws std::domain_error, naming the parts, if they do not fit together: the Laplacian similarity and the factorial
// limit need locations with bits, the Gaussian one Euclidean locations, the linear-Gaussian emission bits of its own
// size, corners a state each; semi-Markov states are at least two, and not sticky.
void check_model(const Model& model);

}  // namespace hmmlt
