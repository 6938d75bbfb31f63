// The row of whole features: their density and the moves that it accepts, W and mu integrated out of the joint.
#include <cmath>

#include "hmmlt/locations/feature_moves.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/model/feature_density.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

namespace {

const arma::umat& bits_of(const AugmentedPoint& point) {
    return bits(point.state.locations);
}

// log p(mu | theta), by (52) or (87); mu stays where it is, so that the measure does not matter.
double log_law_of_mu(const AugmentedPoint& point) {
    double sum = 0.0;
    for (arma::uword d = 0; d < bits_of(point).n_rows; ++d)
        if (const auto* buffet = std::get_if<IndianBuffetState>(&point.state.locations))
            sum += log_beta_density(std::exp(buffet->log_mu(d)),
                                    buffet_probability_law(buffet->concentration, buffet->theta, d));
        else
            sum += log_beta_density(
                std::get<BinaryLocationState>(point.state.locations).mu(d),
                bit_probability_law(std::get<BinaryLocations>(point.model.locations).mu, bits_of(point), d));
    return sum;
}

// log p(W | .), by (55)
double log_law_of_weights(const AugmentedPoint& point, const LearnedWeights& prior) {
    const auto& emission = std::get<LinearGaussianState>(point.state.emission);
    const LinearEvidence data = evidence(emission, point.observations, point.state.z, point.model.n_states);
    double sum = 0.0;
    for (arma::uword i = 0; i < emission.h.n_elem; ++i) {
        const WeightLaw law = weight_law(prior, data, bits_of(point), i);
        const arma::vec mean = arma::solve(law.precision, law.shift);
        const arma::vec apart = emission.weights.col(i) - mean;
        sum += 0.5 * std::log(arma::det(law.precision)) - 0.5 * arma::dot(apart, law.precision * apart);
    }
    return sum;
}

double log_joint_without_weights_and_mu(const AugmentedPoint& point, const LearnedWeights& prior) {
    return log_joint_without_u_q(point) - log_law_of_weights(point, prior) - log_law_of_mu(point);
}

// The same block, from the joint density.
void move_by_the_joint(AugmentedPoint& point, const LearnedWeights& prior, const BlockStreams& streams) {
    arma::umat theta = bits_of(point);
    const auto n_features = static_cast<double>(theta.n_rows);
    for (arma::uword i = 0; i < theta.n_rows; ++i) {
        Stream rng = streams.item(i);
        const auto d = static_cast<arma::uword>(n_features * draw_uniform(rng));
        const auto e = static_cast<arma::uword>(n_features * draw_uniform(rng));
        AugmentedPoint moved = point;
        for (arma::uword j = 0; j < theta.n_cols; ++j)
            theta(d, j) = d == e ? 1 - theta(d, j) : static_cast<arma::uword>(theta(d, j) != theta(e, j));
        set_bits(theta, moved.state.locations);
        const double log_ratio =
            log_joint_without_weights_and_mu(moved, prior) - log_joint_without_weights_and_mu(point, prior);
        if (draw_uniform(rng) < std::exp(log_ratio)) point = moved;
        theta = bits_of(point);
    }
    Stream of_weights = streams.item(theta.n_rows);
    sample_weights(std::get<LinearGaussianSpec>(point.model.emission), point.observations, point.state.z, theta,
                   std::get<LinearGaussianState>(point.state.emission), of_weights);
}

}  // namespace

void check_features(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto prior = prior_of_unnamed_features(point.model, point.state);
    if (!prior || point.factorial_chain >= 0) return;
    const ConditionalInputs in(point);
    const FeatureEvidence evidence = feature_evidence(*prior, point.state, point.observations, in.n);
    std::vector<arma::umat> values(4 * n_values, bits_of(point));
    for (arma::umat& theta : values)
        theta.for_each([&rng](arma::uword& bit) { bit = draw_uniform(rng) < 0.5 ? 1 : 0; });
    const auto put = [](AugmentedPoint& moved, const arma::umat& theta) { set_bits(theta, moved.state.locations); };
    const auto law = [&](const arma::umat& theta) {
        AugmentedPoint moved = point;
        put(moved, theta);
        return log_density_of_features(point.model, moved.state, evidence);
    };
    const auto joint = [&](const AugmentedPoint& moved) { return log_joint_without_weights_and_mu(moved, *prior); };
    compare(point, values, put, law, joint, comparison);

    const BlockStreams streams({.seed = 1});
    AugmentedPoint expected = point;
    move_by_the_joint(expected, *prior, streams);
    AugmentedPoint drawn = point;
    Scratch scratch;
    SweepInfo info;
    scratch.n = in.n;
    SweepContext context{drawn.model, drawn.observations, drawn.state, scratch, info};
    sample_features_block(context, streams);
    comparison.equal(static_cast<double>(arma::accu(bits_of(drawn) != bits_of(expected))), 0.0);
    const auto& drawn_weights = std::get<LinearGaussianState>(drawn.state.emission).weights;
    const auto& expected_weights = std::get<LinearGaussianState>(expected.state.emission).weights;
    for (arma::uword cell = 0; cell < drawn_weights.n_elem; ++cell)
        comparison.equal(drawn_weights(cell), expected_weights(cell));
}

}  // namespace hmmlt::testing
