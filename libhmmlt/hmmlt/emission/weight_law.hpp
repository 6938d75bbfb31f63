// What the data say about the weights of one channel, and about the bits once the weights are integrated out.
#pragma once

#include <armadillo>

#include "hmmlt/emission/weight_priors.hpp"
#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// W_.i | y, z, theta, h, tau ~ N(P^-1 shift, P^-1); data holds y, z, h, the prior tau; theta is n_dims x n_states.
//                                                                                                  docs/model.md (55)
struct WeightLaw {
    arma::vec shift;      // P_0 m_0 + h_i X'y_i
    arma::mat precision;  // P
};
WeightLaw weight_law(const LearnedWeights& prior, const LinearEvidence& data, const arma::umat& theta,
                     arma::uword channel);
arma::vec draw_weights(const WeightLaw& law, Stream& rng);

// log p(W | tau), all columns; weights: (n_dims + 1) x n_channels
double log_density_of_weights(const LearnedWeights& prior, const arma::mat& weights);

// log p(y | z, theta, h, tau), W integrated out, without terms that theta does not enter; -infinity where the
// weights of collinear features are so vague that P has no Cholesky factor in double            docs/model.md (119)
double log_likelihood_without_weights(const LearnedWeights& prior, const LinearEvidence& data, const arma::umat& theta);

}  // namespace hmmlt
