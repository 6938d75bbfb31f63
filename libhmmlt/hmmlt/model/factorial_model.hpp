// The factorial HMM, the baseline of the paper: D binary chains with transitions of their own and one linear-Gaussian
// emission. docs/model.md, section 14
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/emission/linear_gaussian.hpp"
#include "hmmlt/math/priors.hpp"
#include "hmmlt/model/generative.hpp"

namespace hmmlt {

struct FactorialModel {
    LinearGaussianSpec emission;  // its n_dims is the number of chains
    Hyperparameter<GammaPrior> gamma = GammaPrior{};
    Hyperparameter<GammaPrior> c = GammaPrior{};

    bool operator==(const FactorialModel&) const = default;
};

// The transition variables of one chain: (1)-(5) with two states, phi = 1 and rho = 0.
struct BinaryChainState {
    double gamma = 1.0;
    double c = 1.0;
    arma::vec log_beta;  // 2
    arma::mat log_pi;    // 3 x 2, the start row last
};
bool operator==(const BinaryChainState& a, const BinaryChainState& b);

struct FactorialState {
    std::vector<BinaryChainState> chains;  // n_dims
    arma::umat theta;                      // n_dims x n_steps: the bit of each chain at each step
    LinearGaussianState emission;
};
bool operator==(const FactorialState& a, const FactorialState& b);

// All parameters from the prior; then the bits of all chains given them; then data.
FactorialState draw_parameters(const FactorialModel& model, const PriorAddress& address);
void draw_states(const Sequences& sequences, FactorialState& state, const PriorAddress& address);
void draw_data(const FactorialState& state, Observations& observations, const PriorAddress& address);

// docs/model.md (72), with a sum over chains.
double log_joint(const FactorialModel& model, const FactorialState& state, const Observations& observations);

// The emission sees every step as a state of its own, whose bits are those of the chains.
arma::uvec steps_as_states(arma::uword n_steps);

}  // namespace hmmlt
