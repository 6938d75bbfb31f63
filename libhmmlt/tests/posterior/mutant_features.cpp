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

BlockFunction features_moved(FeatureBugs bugs) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        State& state = context.state;
        const auto& spec = std::get<LinearGaussianSpec>(context.model.emission);
        auto& emission = std::get<LinearGaussianState>(state.emission);
        const auto prior = prior_of_unnamed_features(context.model, state);
        const LinearEvidence data = evidence(emission, context.observations, state.z, context.model.n_states);
        const auto log_density = [&](const arma::umat& theta) {
            set_bits(theta, state.locations);
            double sum = log_likelihood_without_weights(*prior, data, theta);
            if (!bugs.determinant) sum += log_root_determinants(*prior, data, theta);
            if (bugs.prior) sum += log_density_of_bits_without_mu(context.model.locations, state.locations);
            if (bugs.jumps) sum += log_density_of_jumps(state, context.scratch.n);
            return sum;
        };
        arma::umat theta = bits(state.locations);
        move_features(log_density, theta, rng);
        set_bits(theta, state.locations);
        refresh_distances(context);
        if (!bugs.weights_follow) return;
        Stream stream = rng.item(theta.n_rows);
        sample_weights(spec, context.observations, state.z, theta, emission, stream);
    };
}

}  // namespace hmmlt::testing
