#include "hmmlt/model/feature_density.hpp"

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"

namespace hmmlt {

namespace {

// log p(theta_.d), mu_d integrated out, up to a constant: the normaliser of the law of mu_d given the bits.
struct LogDensityWithoutMu {
    const LocationSpec& spec;

    double operator()(const NoLocationState&) const { return 0.0; }
    double operator()(const CornerLocationState&) const { return 0.0; }
    double operator()(const EuclideanLocationState&) const { return 0.0; }
    double operator()(const BinaryLocationState& state) const {
        double sum = 0.0;
        for (arma::uword d = 0; d < state.theta.n_rows; ++d)
            sum += log_beta_function(bit_probability_law(std::get<BinaryLocations>(spec).mu, state.theta, d));
        return sum;
    }
    double operator()(const IndianBuffetState& state) const {
        double sum = 0.0;
        for (arma::uword d = 0; d < state.theta.n_rows; ++d)
            sum += log_beta_function(buffet_probability_law(state.concentration, state.theta, d));
        return sum;
    }
};

bool bits_move(const LocationSpec& spec) {
    return std::holds_alternative<BinaryLocations>(spec) || std::holds_alternative<IndianBuffetLocations>(spec);
}

}  // namespace

std::optional<LearnedWeights> prior_of_unnamed_features(const Model& model, const State& state) {
    const auto* spec = std::get_if<LinearGaussianSpec>(&model.emission);
    if (spec == nullptr || !bits_move(model.locations)) return std::nullopt;
    return column_prior(spec->weights, std::get<LinearGaussianState>(state.emission).weight_precision);
}

FeatureEvidence feature_evidence(const LearnedWeights& prior, const State& state, const Observations& observations,
                                 const arma::mat& n) {
    arma::mat scratch;
    return {prior, n, scale_rows(log_pi_of_jumps(state, scratch)),
            evidence(state.emission, observations, state.z, state.log_pi.n_cols)};
}

double log_density_of_bits_without_mu(const LocationSpec& spec, const LocationState& state) {
    return std::visit(LogDensityWithoutMu{spec}, state);
}

double log_density_of_jumps(const Model& model, const State& state, const FeatureEvidence& evidence) {
    if (std::holds_alternative<ConstantSimilarity>(model.similarity)) return 0.0;
    return log_density_of_states(evidence.n, evidence.log_pi, log_similarities(state));
}

double log_density_of_features(const Model& model, const State& state, const FeatureEvidence& evidence) {
    return log_density_of_bits_without_mu(model.locations, state.locations) +
           log_density_of_jumps(model, state, evidence) +
           log_likelihood_without_weights(evidence.prior, evidence.data, bits(state.locations));
}

}  // namespace hmmlt
