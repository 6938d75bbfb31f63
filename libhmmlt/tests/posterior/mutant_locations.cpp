// The wrong moves of Euclidean locations and of lambda.
#include <cmath>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "hmmlt/similarity/lambda.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

namespace {

// As (57) and (59), but with a bracket that is not symmetric.
template <typename Bracket>
arma::mat gradient_of(const arma::mat& location, double lambda, double location_precision, const Bracket& bracket) {
    arma::mat gradient = -location_precision * location;
    for (arma::uword j = 0; j < location.n_cols; ++j)
        for (arma::uword k = 0; k < location.n_cols; ++k)
            if (j != k) gradient.col(j) -= 2.0 * lambda * bracket(j, k) * (location.col(j) - location.col(k));
    return gradient;
}

ExponentialPrior prior_of_lambda(const SweepContext& context) {
    return std::get<ExponentialPrior>(lambda_prior(context.model.similarity));
}

void draw_lambda(SweepContext& context, const std::function<LogDensity(double)>& density, const BlockStreams& rng) {
    Stream stream = rng.item(0);
    context.state.lambda = draw_log_concave(density, {.lower = 0.0}, context.state.lambda, stream);
    refresh_similarity(context);
}

}  // namespace

BlockFunction locations_by_hmc(bool accept_always) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        const auto& spec = std::get<EuclideanLocations>(context.model.locations);
        auto& [location, step_size] = std::get<EuclideanLocationState>(context.state.locations);
        const arma::mat& n = context.scratch.n;
        const arma::mat& q = context.scratch.q;
        const double lambda = context.state.lambda;
        const HmcTarget target{
            [&](const arma::mat& l) {
                return location_log_density_given_failed_jumps(l, n, q, lambda, spec.location_precision);
            },
            [&](const arma::mat& l) {
                return location_gradient_given_failed_jumps(l, n, q, lambda, spec.location_precision);
            }};
        const double epsilon = std::exp(step_size.log_step_size);
        Stream stream = rng.item(0);
        if (accept_always) {
            arma::mat proposal = location;
            arma::mat momentum(arma::size(location));
            momentum.for_each([&](double& g) { g = draw_standard_normal(stream); });
            if (leapfrog(target, epsilon, spec.n_leapfrog, proposal, momentum)) location = proposal;
        } else {
            hmc_update(target, epsilon, spec.n_leapfrog, location, stream);
        }
        refresh_similarity(context);
    };
}

void locations_given_half_the_failed_jumps(SweepContext& context, const BlockStreams& rng) {
    Stream stream = rng.item(0);
    sample_locations_given_failed_jumps(std::get<EuclideanLocations>(context.model.locations), context.scratch.n,
                                        arma::trimatu(context.scratch.q), context.state.lambda,
                                        std::get<EuclideanLocationState>(context.state.locations), stream);
    refresh_similarity(context);
}

arma::mat outgoing_gradient_given_failed_jumps(const arma::mat& location, const arma::mat& n, const arma::mat& q,
                                               double lambda, double location_precision) {
    const arma::mat distance = squared_distances(location);
    return gradient_of(location, lambda, location_precision, [&](arma::uword j, arma::uword k) {
        return n(j, k) - q(j, k) / std::expm1(lambda * distance(j, k));
    });
}

arma::mat outgoing_gradient(const arma::mat& location, const arma::mat& n, const arma::mat& log_pi, double lambda,
                            double location_precision) {
    TransitionMatrix transition;
    normalise_rates(log_pi, -lambda * squared_distances(location), transition);
    const arma::vec departures = count_departures(n);
    return gradient_of(location, lambda, location_precision, [&](arma::uword j, arma::uword k) {
        return n(j, k) - departures(j) * transition.from_to(j, k);
    });
}

BlockFunction lambda_given_failed_jumps(bool with_distance) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        const Scratch& scratch = context.scratch;
        const ExponentialPrior prior = prior_of_lambda(context);
        LambdaGivenFailedJumps density(prior, scratch.distance, scratch.n, scratch.q);
        if (!with_distance) density.rate = prior.rate + arma::accu(scratch.n.head_rows(context.model.n_states));
        draw_lambda(context, density, rng);
    };
}

void lambda_without_totals(SweepContext& context, const BlockStreams& rng) {
    const Scratch& scratch = context.scratch;
    LambdaGivenRates density(prior_of_lambda(context), scratch.distance, scratch.n, context.state.log_pi);
    density.rows.clear();
    draw_lambda(context, density, rng);
}

void lambda_form_chosen_by_failed_jumps(SweepContext& context, const BlockStreams& rng) {
    if (arma::accu(context.scratch.q) > 1.0)
        sample_lambda_block(context, rng);
    else
        sample_lambda_given_failed_jumps_block(context, rng);
}

}  // namespace hmmlt::testing
