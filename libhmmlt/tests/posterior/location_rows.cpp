// Rows of Euclidean locations, lambda and bit transitions.
#include <cmath>

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"
#include "hmmlt/similarity/lambda.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

namespace {

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

void check_bit_transitions(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* limit = std::get_if<FactorialLimitSimilarity>(&point.model.similarity);
    if (limit == nullptr) return;
    const BetaPrior& prior = limit->transitions;
    const ConditionalInputs in(point);
    const arma::umat& theta = bits(point.state.locations);
    const BlockStreams streams({.seed = 1});
    arma::mat drawn = point.state.bit_logits;
    arma::mat expected = point.state.bit_logits;
    sample_bit_transitions(prior, theta, in.n, in.log_pi_of_jumps, drawn, streams);
    for (arma::uword d = 0; d < theta.n_rows; ++d)
        for (arma::uword v = 0; v < 2; ++v) {
            Stream of_law = streams.item(2 * d + v);
            const auto current = bit_transition_law(prior, d, v, theta, expected, in.n, in.log_pi_of_jumps);
            expected(v, d) = draw_log_concave(current, {}, expected(v, d), of_law);
            comparison.equal(drawn(v, d), expected(v, d));

            const auto law = bit_transition_law(prior, d, v, theta, point.state.bit_logits, in.n, in.log_pi_of_jumps);
            const auto put = [d, v](AugmentedPoint& moved, double x) { moved.state.bit_logits(v, d) = x; };
            const auto values = sample(n_values, [&rng] { return 2.0 * draw_standard_normal(rng); });
            compare(
                point, values, put, [&](double x) { return law(x).value; }, log_joint_without_u_q, comparison);
            comparison.slope(
                law(values[0]).slope,
                [&](double shift) {
                    AugmentedPoint moved = point;
                    put(moved, values[0] + shift);
                    return log_joint_without_u_q(moved);
                },
                1e-3);
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
