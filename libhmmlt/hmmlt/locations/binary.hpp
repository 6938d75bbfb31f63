// Binary locations: every state is a vector of bits theta_j, and states are similar when few bits differ.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

struct BinaryLocations {
    static constexpr const char* kind = "binary";
    arma::uword n_dims = 1;
    BetaPrior mu;  // of the probability of a one, the same for every coordinate

    bool operator==(const BinaryLocations&) const = default;
};

struct BinaryLocationState {
    arma::umat theta;  // n_dims x n_states, 0 or 1
    arma::vec mu;      // n_dims
};
bool operator==(const BinaryLocationState& a, const BinaryLocationState& b);

// delta_jk: the number of differing bits, n_states x n_states                                     docs/model.md (37)
arma::mat hamming_distances(const arma::umat& theta);
void hamming_distances(const arma::umat& theta, arma::mat& distance);

// log P(theta_jd = 1 | .) - log P(theta_jd = 0 | .), given Q; infinite where a coordinate is forced   docs/model.md
// (45) q: n_states x n_states; n: (n_states + 1) x n_states.
double bit_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& mu, double lambda,
                    const arma::mat& n, const arma::mat& q, const LinearEvidence& evidence);

// theta | mu, lambda, z, Q, y: one coordinate after the other.                                     docs/model.md (45)
void sample_bits_given_failed_jumps(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& q,
                                    const LinearEvidence& evidence, arma::umat& theta, const BlockStreams& rng);

// theta | mu, lambda, z, pi, y, u and Q integrated out: blocks of at most 8 coordinates, each drawn jointly. The log
// weights, up to a constant, of all 2^n candidates; bit b of a candidate is coordinate dims[b].    docs/model.md (49)
std::vector<double> bit_block_log_weights(arma::uword state, const std::vector<arma::uword>& dims,
                                          const arma::umat& theta, const arma::vec& mu, double lambda,
                                          const arma::mat& n, const arma::mat& log_pi, const LinearEvidence& evidence);
void sample_bits_in_blocks(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& log_pi,
                           const LinearEvidence& evidence, arma::uword block_size, arma::umat& theta,
                           const BlockStreams& rng);

// mu_d | theta ~ Beta(a_mu + sum_j theta_jd, b_mu + J - sum_j theta_jd)                            docs/model.md (52)
BetaPrior bit_probability_law(const BetaPrior& prior, const arma::umat& theta, arma::uword dim);
void sample_bit_probabilities(const BetaPrior& prior, const arma::umat& theta, arma::vec& mu, const BlockStreams& rng);

}  // namespace hmmlt
