// Rows of where states live: bits, mu, Euclidean locations and lambda.
#include <cmath>

#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/similarity/lambda.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

namespace {

LinearEvidence evidence_of(const AugmentedPoint& point) {
    return evidence(point.state.emission, point.observations, point.state.z, point.model.n_states);
}

BinaryLocationState* binary(AugmentedPoint& point) {
    return std::get_if<BinaryLocationState>(&point.state.locations);
}

const BinaryLocationState* binary(const AugmentedPoint& point) {
    return std::get_if<BinaryLocationState>(&point.state.locations);
}

template <typename Density, typename Sampled>
void compare_lambda(const AugmentedPoint& point, const Density& density, const Sampled& sampled,
                    double (*joint)(const AugmentedPoint&), Stream& rng, Comparison& comparison) {
    compare_draws(
        sampled, [&](Stream& stream) { return draw_log_concave(density, {.lower = 0.0}, point.state.lambda, stream); },
        comparison);
    const auto put = [](AugmentedPoint& moved, double lambda) { moved.state.lambda = lambda; };
    const auto values = sample(n_values, [&rng] { return 0.2 + 2.0 * draw_uniform(rng); });
    compare(
        point, values, put, [&](double lambda) { return density(lambda).value; }, joint, comparison);
    for (const double lambda : values)
        comparison.slope(
            density(lambda).slope,
            [&](double shift) {
                AugmentedPoint moved = point;
                put(moved, lambda + shift);
                return joint(moved);
            },
            1e-3);
}

// A density of locations and its gradient, in the library's form.
using LocationDensity = double (*)(const arma::mat& location, const arma::mat& n, const arma::mat& given, double lambda,
                                   double location_precision);
using LocationGradient = arma::mat (*)(const arma::mat& location, const arma::mat& n, const arma::mat& given,
                                       double lambda, double location_precision);

void compare_locations(const AugmentedPoint& point, LocationDensity density, LocationGradient gradient,
                       const arma::mat& given, double (*joint)(const AugmentedPoint&), Stream& rng,
                       Comparison& comparison) {
    const auto* euclidean = std::get_if<EuclideanLocationState>(&point.state.locations);
    if (euclidean == nullptr) return;
    const double precision = std::get<EuclideanLocations>(point.model.locations).location_precision;
    const auto put = [](AugmentedPoint& moved, const arma::mat& location) {
        std::get<EuclideanLocationState>(moved.state.locations).location = location;
    };
    const ConditionalInputs in(point);
    const auto law = [&](const arma::mat& location) {
        return density(location, in.n, given, point.state.lambda, precision);
    };
    compare(point, values_around(euclidean->location, rng), put, law, joint, comparison);
    const arma::mat slopes = gradient(euclidean->location, in.n, given, point.state.lambda, precision);
    // failed jumps make the density 0 where two points meet: the steps stay far from there
    const double nearest = std::sqrt(in.distance(arma::find(in.distance > 0.0)).min());
    for (arma::uword cell = 0; cell < slopes.n_elem; ++cell)
        comparison.slope(
            slopes(cell),
            [&](double shift) {
                AugmentedPoint moved = point;
                arma::mat location = euclidean->location;
                location(cell) += shift;
                put(moved, location);
                return joint(moved);
            },
            1e-3 * std::min(1.0, nearest));
}

}  // namespace

void check_bits_given_failed_jumps(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    if (has_durations(point)) return;  // `single` is refused
    const BinaryLocationState* locations = binary(point);
    if (locations == nullptr) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    const double lambda = point.state.lambda;
    const BlockStreams streams({.seed = 1});
    arma::umat drawn = locations->theta;
    arma::umat expected = locations->theta;
    sample_bits_given_failed_jumps(locations->mu, lambda, in.n, point.q, evidence, drawn, streams);
    for (arma::uword j = 0; j < expected.n_cols; ++j) {
        Stream of_law = streams.item(j);
        for (arma::uword d = 0; d < expected.n_rows; ++d) {
            const double log_odds = bit_log_odds(j, d, expected, locations->mu, lambda, in.n, point.q, evidence);
            expected(d, j) = draw_uniform(of_law) < 1.0 / (1.0 + std::exp(-log_odds)) ? 1 : 0;
        }
    }
    comparison.equal(static_cast<double>(arma::accu(drawn != expected)), 0.0);
    for (arma::uword j = 0; j < locations->theta.n_cols; ++j)
        for (arma::uword d = 0; d < locations->theta.n_rows; ++d) {
            const double log_odds =
                bit_log_odds(j, d, locations->theta, locations->mu, lambda, in.n, point.q, evidence);
            // a forced bit has infinite odds, the other value being impossible
            const auto law = [log_odds](arma::uword bit) {
                return bit == 1 ? std::min(log_odds, 0.0) : std::min(-log_odds, 0.0);
            };
            compare(
                point, std::vector<arma::uword>{locations->theta(d, j), 1 - locations->theta(d, j)},
                [j, d](AugmentedPoint& moved, arma::uword bit) { binary(moved)->theta(d, j) = bit; }, law,
                log_joint_with_u_q, comparison);
        }
}

void check_bits_in_blocks(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const BinaryLocationState* locations = binary(point);
    if (locations == nullptr) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    for (const std::vector<arma::uword>& dims : {std::vector<arma::uword>{1}, {2, 0}, {0, 1, 2}})
        for (arma::uword j = 0; j < locations->theta.n_cols; ++j) {
            const auto law = bit_block_log_weights(j, dims, locations->theta, locations->mu, point.state.lambda, in.n,
                                                   in.log_pi_of_jumps, evidence);
            comparison.ratios(
                law.size(), [&](std::size_t candidate) { return law[candidate]; },
                [&](std::size_t candidate) {
                    AugmentedPoint moved = point;
                    for (std::size_t bit = 0; bit < dims.size(); ++bit)
                        binary(moved)->theta(dims[bit], j) = candidate >> bit & 1;
                    return log_joint_without_u_q(moved);
                });
        }
}

void check_bit_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const BinaryLocationState* locations = binary(point);
    if (locations == nullptr) return;
    const BlockStreams streams({.seed = 1});
    arma::vec drawn;
    sample_bit_probabilities(std::get<BinaryLocations>(point.model.locations).mu, locations->theta, drawn, streams);
    for (arma::uword d = 0; d < locations->mu.n_elem; ++d) {
        const BetaPrior law =
            bit_probability_law(std::get<BinaryLocations>(point.model.locations).mu, locations->theta, d);
        Stream of_law = streams.item(d);
        comparison.equal(drawn(d), draw_beta(law.a, law.b, of_law));
        compare(
            point, values_between_0_and_1(rng), [d](AugmentedPoint& moved, double mu) { binary(moved)->mu(d) = mu; },
            [law](double mu) { return log_beta_density(mu, law); }, log_joint_without_u_q, comparison);
    }
}

void check_lambda_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (has_durations(point)) return;  // `single` is refused
    const auto lambda = lambda_prior(point.model.similarity);
    const auto* prior = std::get_if<ExponentialPrior>(&lambda);
    if (prior == nullptr) return;
    const ConditionalInputs in(point);
    const auto sampled = [&](Stream& stream) {
        return sample_lambda_given_failed_jumps(*prior, in.distance, in.n, point.q, point.state.lambda, stream);
    };
    compare_lambda(point, LambdaGivenFailedJumps(*prior, in.distance, in.n, point.q), sampled, log_joint_with_u_q, rng,
                   comparison);
}

void check_lambda(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto lambda = lambda_prior(point.model.similarity);
    const auto* prior = std::get_if<ExponentialPrior>(&lambda);
    if (prior == nullptr) return;
    const ConditionalInputs in(point);
    const auto sampled = [&](Stream& stream) {
        return sample_lambda(*prior, in.distance, in.n, in.log_pi_of_jumps, point.state.lambda, stream);
    };
    compare_lambda(point, LambdaGivenRates(*prior, in.distance, in.n, in.log_pi_of_jumps), sampled,
                   log_joint_without_u_q, rng, comparison);
}

void check_locations_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (has_durations(point)) return;  // `single` is refused
    compare_locations(point, location_log_density_given_failed_jumps, location_gradient_given_failed_jumps, point.q,
                      log_joint_with_u_q, rng, comparison);
}

void check_locations(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    compare_locations(point, location_log_density, location_gradient, ConditionalInputs(point).log_pi_of_jumps,
                      log_joint_without_u_q, rng, comparison);
}

}  // namespace hmmlt::testing
