// From the speakers' signals to the microphones: y = W' (1, signal) + noise.
#pragma once

#include <armadillo>

#include "hmmlt/random/stream.hpp"
#include "pipelines/pascal/recipe.hpp"

namespace hmmlt::pascal {

// (n_dims + 1) x n_channels, row 0 the background, each ~ U(weight_low, weight_high).
arma::mat draw_weights(const Recipe& recipe, Stream& rng);

// n_channels x n_steps; every entry has its own noise ~ N(0, noise_sd^2). signal: n_dims x n_steps.
arma::mat draw_mixture(const arma::mat& signal, const arma::mat& weights, double noise_sd, Stream& rng);

}  // namespace hmmlt::pascal
