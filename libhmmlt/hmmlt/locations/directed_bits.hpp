// The bits of all states where similarity is a product of two-state transitions, docs/model.md (89): as in binary.hpp,
// with transitions (as logits, similarity/bit_transitions.hpp) in the place of lambda.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/locations/bit_score.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// theta | mu, A, z, Q, y: one coordinate after the other, by the log weights of its two values.    docs/model.md (110)
std::vector<double> directed_bit_log_weights_given_failed_jumps(arma::uword state, const BitBlock& block,
                                                                const arma::umat& theta, const arma::vec& mu,
                                                                const arma::mat& logits, const arma::mat& n,
                                                                const arma::mat& q, const LinearEvidence& evidence);
void sample_directed_bits_given_failed_jumps(const arma::vec& mu, const arma::mat& logits, const arma::mat& n,
                                             const arma::mat& q, const LinearEvidence& evidence, arma::umat& theta,
                                             const BlockStreams& rng);

// theta | mu, A, z, pi, y, u and Q integrated out: blocks of coordinates, each drawn jointly.      docs/model.md (111)
std::vector<double> directed_bit_log_weights(arma::uword state, const BitBlock& block, const arma::umat& theta,
                                             const arma::vec& mu, const arma::mat& logits, const arma::mat& n,
                                             const arma::mat& log_pi, const LinearEvidence& evidence);
void sample_directed_bits(const arma::vec& mu, const arma::mat& logits, const arma::mat& n, const arma::mat& log_pi,
                          const LinearEvidence& evidence, arma::uword block_size, arma::umat& theta,
                          const BlockStreams& rng);

}  // namespace hmmlt
