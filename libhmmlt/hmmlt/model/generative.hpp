// Draws from the generative process, docs/model.md (1)-(8): so far the HDP-HMM (similarity constant, not sticky) with
// binary states and a linear-Gaussian emission.
#pragma once

#include <armadillo>
#include <cstdint>

namespace hmmlt {

struct BinaryHmmPrior {
    arma::uword n_states = 1;    // J
    arma::uword n_dims = 1;      // D
    arma::uword n_channels = 1;  // K
    double gamma = 1.0;          // concentration of beta
    double concentration = 1.0;  // c = alpha (kappa = 0)
    double mu_a = 1.0;           // mu_d ~ Beta(mu_a, mu_b)
    double mu_b = 1.0;
    double weight_sd = 1.0;        // weights and bias ~ N(0, weight_sd^2)
    double precision_shape = 1.0;  // h ~ Gamma(shape, rate), one per channel
    double precision_rate = 1.0;
};

struct BinaryHmmParameters {
    arma::vec log_beta;   // J
    arma::mat log_pi;     // (J + 1) x J, log of the normalised rows A; row J is the initial row
    arma::umat theta;     // D x J, 0 or 1
    arma::mat weights;    // (D + 1) x K; row 0 is the bias
    arma::vec precision;  // K
};

struct BinaryHmmSequence {
    arma::uvec z;  // T
    arma::mat y;   // K x T
};

BinaryHmmParameters draw_parameters(const BinaryHmmPrior& prior, std::uint64_t seed);

// Sequence number `sequence` of n_steps steps; sequences of one seed are independent given the parameters.
BinaryHmmSequence draw_sequence(const BinaryHmmParameters& parameters, arma::uword n_steps, std::uint32_t sequence,
                                std::uint64_t seed);

}  // namespace hmmlt
