// Wrong moves of whole features.
#include "hmmlt/locations/feature_moves.hpp"
#include "hmmlt/model/feature_density.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

namespace {

double log_root_determinants(const LearnedWeights& prior, const LinearEvidence& data, const arma::umat& theta) {
    double sum = 0.0;
    for (arma::uword i = 0; i < data.h.n_elem; ++i)
        sum += 0.5 * arma::log_det_sympd(weight_law(prior, data, theta, i).precision);
    return sum;
}

}  // namespace

BlockFunction features_moved(FeatureParts parts) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        State& state = context.state;
        const auto& spec = std::get<LinearGaussianSpec>(context.model.emission);
        auto& emission = std::get<LinearGaussianState>(state.emission);
        const auto prior = prior_of_unnamed_features(context.model, state);
        const FeatureEvidence evidence = feature_evidence(*prior, state, context.observations, context.scratch.n);
        const auto log_density = [&](const arma::umat& theta) {
            set_bits(theta, state.locations);
            double sum = log_likelihood_without_weights(*prior, evidence.data, theta);
            if (!parts.determinant) sum += log_root_determinants(*prior, evidence.data, theta);
            if (parts.prior) sum += log_density_of_bits_without_mu(context.model.locations, state.locations);
            if (parts.jumps) sum += log_density_of_jumps(context.model, state, evidence);
            return sum;
        };
        arma::umat theta = bits(state.locations);
        move_features(log_density, theta, rng);
        set_bits(theta, state.locations);
        refresh_distances(context);
        if (!parts.weights_follow) return;
        Stream stream = rng.item(theta.n_rows);
        sample_weights(spec, context.observations, state.z, theta, emission, stream);
    };
}

}  // namespace hmmlt::testing
