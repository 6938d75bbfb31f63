// The Gaussian emission: each state has its own mean and precision in every channel.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// h ~ Gamma(a, b), nu | h ~ N(m, 1 / (k h)): the prior (63) with index 0, the conditional (65) with index N.
struct NormalGammaLaw {
    double m = 0.0;
    double k = 1.0;
    double a = 1.0;
    double b = 1.0;

    bool operator==(const NormalGammaLaw&) const = default;
};

struct GaussianState {
    arma::mat mean;  // nu: n_channels x n_states
    arma::mat h;     // n_channels x n_states
};
bool operator==(const GaussianState& a, const GaussianState& b);

struct GaussianSpec {
    using State = GaussianState;
    static constexpr const char* kind = "gaussian";
    std::vector<NormalGammaLaw> channels;  // the prior of each channel

    arma::uword n_channels() const { return channels.size(); }
    bool operator==(const GaussianSpec&) const = default;
};

// What the data say about each state and channel, all n_channels x n_states.
struct GaussianStatistics {
    arma::mat n;     // N, observed cells
    arma::mat mean;  // ybar; 0 where N = 0
    arma::mat s;     // S, the sum of squares about ybar
};
GaussianStatistics gaussian_statistics(const Observations& observations, const arma::uvec& z, arma::uword n_channels,
                                       arma::uword n_states);

// (m_N, k_N, a_N, b_N)                                                                            docs/model.md (64)
NormalGammaLaw normal_gamma_law(const NormalGammaLaw& prior, double n, double ybar, double s);

// The contract of emission.hpp. `bits` are the binary locations, which this emission does not read; rng.item(j) draws
// the parameters of state j. sample_emission: docs/model.md (65).
GaussianState draw_emission(const GaussianSpec& spec, arma::uword n_states, const BlockStreams& rng);
void sample_emission(const GaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& bits, GaussianState& state, const BlockStreams& rng);
GaussianState expected_emission(const GaussianSpec& spec, const Observations& observations, const arma::uvec& z,
                                const arma::umat& bits, const GaussianState& state);
void log_likelihood(const GaussianState& state, const arma::umat& bits, const Observations& observations,
                    arma::mat& log_lik);
double path_log_likelihood(const GaussianState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations);
double log_prior(const GaussianSpec& spec, const GaussianState& state);
void draw_observations(const GaussianState& state, const arma::umat& bits, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng);
LinearEvidence evidence(const GaussianState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states);

}  // namespace hmmlt
