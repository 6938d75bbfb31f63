#include "pipelines/pascal/mix.hpp"

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt::pascal {

arma::mat draw_weights(const Recipe& recipe, Stream& rng) {
    arma::mat weights(recipe.n_dims() + 1, recipe.n_channels);
    for (double& weight : weights)
        weight = recipe.weight_low + (recipe.weight_high - recipe.weight_low) * draw_uniform(rng);
    return weights;
}

arma::mat draw_mixture(const arma::mat& signal, const arma::mat& weights, double noise_sd, Stream& rng) {
    const arma::mat background(1, signal.n_cols, arma::fill::ones);
    arma::mat y = weights.t() * arma::join_cols(background, signal);
    for (double& value : y) value += draw_normal(0.0, noise_sd, rng);
    return y;
}

}  // namespace hmmlt::pascal
