#include "hmmlt/model/feature_density.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"

namespace hmmlt {

namespace {

double log_beta_function(const BetaPrior& law) {
    return boost::math::lgamma(law.a) + boost::math::lgamma(law.b) - boost::math::lgamma(law.a + law.b);
}

// The law of mu_d given the bits: its normalising constant is what is left of them when mu_d is integrated out.
struct LawOfMu {
    const LocationSpec& spec;
    arma::uword dim;

    BetaPrior operator()(const BinaryLocationState& state) const {
        return bit_probability_law(std::get<BinaryLocations>(spec).mu, state.theta, dim);
    }
    BetaPrior operator()(const IndianBuffetState& state) const {
        return buffet_probability_law(state.concentration, state.theta, dim);
    }
    template <typename WithoutMu>
    BetaPrior operator()(const WithoutMu&) const {
        return {1.0, 1.0};
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

double log_density_of_bits_without_mu(const LocationSpec& spec, const LocationState& state) {
    double sum = 0.0;
    for (arma::uword d = 0; d < bits(state).n_rows; ++d) sum += log_beta_function(std::visit(LawOfMu{spec, d}, state));
    return sum;
}

double log_density_of_jumps(const State& state, const arma::mat& n) {
    arma::mat scratch;
    return log_density_of_states(n, scale_rows(log_pi_of_jumps(state, scratch)), log_similarities(state));
}

double log_density_of_features(const Model& model, const State& state, const LearnedWeights& weights,
                               const arma::mat& n, const LinearEvidence& data) {
    return log_density_of_bits_without_mu(model.locations, state.locations) + log_density_of_jumps(state, n) +
           log_likelihood_without_weights(weights, data, bits(state.locations));
}

}  // namespace hmmlt
