// The categorical emission: each state has its own probabilities of n_symbols symbols.
#pragma once

#include <armadillo>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

struct CategoricalState {
    arma::mat log_theta;  // n_symbols x n_states
};
bool operator==(const CategoricalState& a, const CategoricalState& b);

struct CategoricalSpec {
    using State = CategoricalState;
    static constexpr const char* kind = "categorical";
    arma::vec concentration;  // a_theta, one entry per symbol

    static CategoricalSpec symmetric(arma::uword n_symbols, double concentration);
    arma::uword n_symbols() const { return concentration.n_elem; }
};
bool operator==(const CategoricalSpec& a, const CategoricalSpec& b);

// theta_j | y, z ~ Dirichlet(column j), column j = a_theta + C_j. : n_symbols x n_states          docs/model.md (61)
arma::mat symbol_concentration(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                               arma::uword n_states);

// E[theta | y, z], n_symbols x n_states: the smoother plug-in for held-out data                    docs/model.md (62)
arma::mat posterior_mean_theta(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                               arma::uword n_states);

// The contract of emission.hpp. `bits` are the binary locations, which this emission does not read; rng.item(j) draws
// the symbol probabilities of state j. log_prior is taken with respect to d log theta, docs/model.md (72).
CategoricalState draw_emission(const CategoricalSpec& spec, arma::uword n_states, const BlockStreams& rng);
void sample_emission(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat& bits, CategoricalState& state, const BlockStreams& rng);
CategoricalState expected_emission(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                                   const arma::umat& bits, const CategoricalState& state);
void log_likelihood(const CategoricalState& state, const arma::umat& bits, const Observations& observations,
                    arma::mat& log_lik);
double path_log_likelihood(const CategoricalState& state, const arma::umat& theta, const arma::uvec& z,
                           const Observations& observations);
double log_prior(const CategoricalSpec& spec, const CategoricalState& state);
void draw_observations(const CategoricalState& state, const arma::umat& bits, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng);
LinearEvidence evidence(const CategoricalState& state, const Observations& observations, const arma::uvec& z,
                        arma::uword n_states);

}  // namespace hmmlt
