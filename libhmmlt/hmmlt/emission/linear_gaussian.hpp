// The linear-Gaussian emission: each channel is a bias plus weights of the bits that are on in a state, plus noise.
#pragma once

#include <armadillo>
#include <optional>
#include <vector>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/emission/weight_law.hpp"
#include "hmmlt/emission/weight_priors.hpp"
#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

struct LinearGaussianState {
    arma::mat weights;                                      // W: (n_dims + 1) x n_channels
    arma::vec h;                                            // n_channels, noise precisions
    std::optional<double> weight_precision = std::nullopt;  // tau, if it is learnt
};
bool operator==(const LinearGaussianState& a, const LinearGaussianState& b);

struct LinearGaussianSpec {
    using State = LinearGaussianState;
    static constexpr const char* kind = "linear_gaussian";
    std::vector<GammaPrior> h;  // per channel
    WeightSpec weights;

    arma::uword n_channels() const { return h.size(); }
    arma::uword n_dims() const;
    bool operator==(const LinearGaussianSpec&) const = default;
};

// theta is n_dims x n_states, observations.y n_channels x n_steps, NaN = missing: it drops out everywhere.
// x_ji: n_channels x n_states                                                                     docs/model.md (44)
arma::mat state_means(const arma::mat& weights, const arma::umat& theta);

// N_ji and the sum of y over them, with the current W and h.                                      docs/model.md (48)
LinearEvidence evidence(const LinearGaussianState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states);

// h_i | y, z, theta, W, of every channel                                                          docs/model.md (54)
std::vector<GammaPrior> noise_precision_law(const LinearGaussianSpec& spec, const Observations& observations,
                                            const arma::uvec& z, const arma::umat& theta, const arma::mat& weights);
void sample_noise_precisions(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                             const arma::umat& theta, LinearGaussianState& state, Stream& rng);

// W | y, z, theta, h, tau, column by column; known weights stay.                                   docs/model.md (55)
void sample_weights(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                    const arma::umat& theta, LinearGaussianState& state, Stream& rng);

// tau | W, which need no data; weights whose law is given leave the state as it is.              docs/model.md (115)
void sample_weight_precision(const LinearGaussianSpec& spec, LinearGaussianState& state, Stream& rng);

// The contract of emission.hpp; sample_emission draws h, then W, then tau.
LinearGaussianState draw_emission(const LinearGaussianSpec& spec, arma::uword n_states, const BlockStreams& rng);
void sample_emission(const LinearGaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& theta, LinearGaussianState& state, const BlockStreams& rng);
LinearGaussianState expected_emission(const LinearGaussianSpec& spec, const Observations& observations,
                                      const arma::uvec& z, const arma::umat& theta, const LinearGaussianState& state);
void log_likelihood(const LinearGaussianState& state, const arma::umat& theta, const Observations& observations,
                    arma::mat& log_lik);
double path_log_likelihood(const LinearGaussianState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations);
double log_prior(const LinearGaussianSpec& spec, const LinearGaussianState& state);
void draw_observations(const LinearGaussianState& state, const arma::umat& theta, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng);

}  // namespace hmmlt
