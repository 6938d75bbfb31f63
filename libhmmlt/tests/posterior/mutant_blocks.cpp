#include "posterior/mutant_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hmmlt/conditionals/concentrations.hpp"
#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "hmmlt/similarity/lambda.hpp"

namespace hmmlt::testing {

namespace {

arma::mat no_failed_jumps(const SweepContext& context) {
    return arma::mat(context.model.n_states, context.model.n_states, arma::fill::zeros);
}

LinearEvidence evidence_of(const SweepContext& context) {
    return evidence(context.state.emission, context.observations, context.state.z, context.model.n_states);
}

void shapes_without_kappa_in_one_row(SweepContext& context) {
    const State& state = context.state;
    rate_shapes(state.log_beta, state.c, state.rho, context.scratch.a);
    context.scratch.a(0, 0) = (1.0 - state.rho) * state.c * std::exp(state.log_beta(0));
}

}  // namespace

void holding_times_of_normalised_rows(SweepContext& context, const BlockStreams& rng) {
    const arma::vec departures = count_departures(context.scratch.n);
    sample_holding_times(departures, arma::vec(departures.n_elem, arma::fill::zeros), context.scratch.log_u, rng);
}

void holding_times_of_visits(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    arma::vec visits = count_departures(scratch.n);
    visits.head(context.model.n_states).zeros();
    for (const arma::uword state : context.state.z) visits(state) += 1.0;
    sample_holding_times(visits, log_total_rates(context.state.log_pi, scratch.log_phi), scratch.log_u, rng);
}

void tables_without_failed_jumps(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    rate_shapes(context.state.log_beta, context.state.c, context.state.rho, scratch.a);
    sample_table_counts_given_failed_jumps(scratch.a, scratch.n, no_failed_jumps(context), scratch.m, rng);
}

void tables_without_kappa_in_one_row(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    shapes_without_kappa_in_one_row(context);
    sample_table_counts_given_failed_jumps(scratch.a, scratch.n, scratch.q, scratch.m, rng);
}

void rates_without_kappa_in_one_row(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    shapes_without_kappa_in_one_row(context);
    sample_rates_given_failed_jumps(scratch.a, scratch.n, scratch.q, scratch.log_u, context.state.log_pi, rng);
}

void rates_without_similarity(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    rate_shapes(context.state.log_beta, context.state.c, context.state.rho, scratch.a);
    sample_rates(scratch.a, scratch.n, scratch.log_u, no_failed_jumps(context), context.state.log_pi, rng);
}

void sticky_tables_without_one_minus_rho(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    const double rho = context.state.rho / (1.0 + context.state.rho);  // odds rho instead of rho / (1 - rho)
    scratch.w = sample_sticky_tables(scratch.m, context.state.log_beta, rho, rng);
    scratch.base = base_tables(scratch.m, scratch.w);
}

void top_tables_of_weight_one(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    const double gamma = context.state.gamma;
    scratch.r = sample_top_tables(scratch.base, gamma * static_cast<double>(context.model.n_states), rng);
    Stream eta_rng = rng.item(context.model.n_states);
    scratch.log_eta = sample_log_eta(scratch.base, gamma, eta_rng);
}

void eta_of_gamma_plus_one(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    scratch.r = sample_top_tables(scratch.base, context.state.gamma, rng);
    Stream eta_rng = rng.item(context.model.n_states);
    scratch.log_eta = sample_log_eta(scratch.base, context.state.gamma + 1.0, eta_rng);
}

void stickiness_with_start_row(SweepContext& context, const BlockStreams& rng) {
    const auto& prior = std::get<BetaPrior>(context.model.rho);
    const double sticky = arma::accu(context.scratch.w);
    Stream stream = rng.item(0);
    context.state.rho = draw_beta(prior.a + sticky, prior.b + arma::accu(context.scratch.m) - sticky, stream);
}

void concentration_without_start_row(SweepContext& context, const BlockStreams& rng) {
    const arma::uword n_states = context.model.n_states;
    Stream stream = rng.item(0);
    context.state.c = sample_concentration(std::get<GammaPrior>(context.model.c), context.scratch.m.head_rows(n_states),
                                           context.scratch.log_u.head(n_states), stream);
}

double right_log_ratio(double h, double w, double residual, double count) {
    return h * w * (residual - 0.5 * count * w);
}

double log_ratio_without_precision(double, double w, double residual, double count) {
    return right_log_ratio(1.0, w, residual, count);
}

double log_ratio_of_wrong_sign(double h, double w, double residual, double count) {
    return -h * w * (residual + 0.5 * count * w);
}

BlockFunction bits_given_failed_jumps(GaussianLogRatio log_ratio, bool incoming_jumps) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        auto& [theta, mu] = std::get<BinaryLocationState>(context.state.locations);
        const LinearEvidence data = evidence_of(context);
        for (arma::uword j = 0; j < theta.n_cols; ++j) {
            Stream stream = rng.item(j);
            arma::mat n = context.scratch.n;
            if (!incoming_jumps) n.col(j).zeros();
            for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
                double log_odds = bit_log_odds(j, dim, theta, mu, context.state.lambda, n, context.scratch.q, {});
                theta(dim, j) = 0;  // so that state_means is the mean without the bit
                const arma::vec without = state_means(data.weights, theta.col(j));
                for (arma::uword i = 0; i < data.h.n_elem && std::isfinite(log_odds); ++i) {
                    const double count = data.n_observed(i, j);
                    log_odds +=
                        log_ratio(data.h(i), data.weights(dim + 1, i), data.sum_y(i, j) - count * without(i), count);
                }
                const double u = draw_uniform(stream);
                theta(dim, j) = std::log(u) - std::log1p(-u) < log_odds ? 1 : 0;
            }
        }
        refresh_similarity(context);
    };
}

BlockFunction bits_integrated(bool other_totals) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        State& state = context.state;
        Scratch& scratch = context.scratch;
        auto& [theta, mu] = std::get<BinaryLocationState>(state.locations);
        const LinearEvidence data = evidence_of(context);
        const arma::vec departures = count_departures(scratch.n);
        for (arma::uword j = 0; j < theta.n_cols; ++j) {
            std::vector<double> score(std::size_t{1} << theta.n_rows, 0.0);
            const auto choose = [&](std::size_t candidate) {
                for (arma::uword dim = 0; dim < theta.n_rows; ++dim) theta(dim, j) = candidate >> dim & 1;
                refresh_similarity(context);
            };
            for (std::size_t candidate = 0; candidate < score.size(); ++candidate) {
                choose(candidate);
                score[candidate] = log_density_of_states(scratch.n, state.log_pi, scratch.log_phi);
                const arma::vec log_total = log_total_rates(state.log_pi, scratch.log_phi);
                for (arma::uword k = 0; k < theta.n_cols; ++k)
                    if (!other_totals && k != j) score[candidate] += departures(k) * log_total(k);
                for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
                    score[candidate] += theta(dim, j) == 1 ? std::log(mu(dim)) : std::log1p(-mu(dim));
                const arma::vec mean = state_means(data.weights, theta.col(j));
                for (arma::uword i = 0; i < data.h.n_elem; ++i)
                    score[candidate] +=
                        data.h(i) * mean(i) * (data.sum_y(i, j) - 0.5 * data.n_observed(i, j) * mean(i));
            }
            Stream stream = rng.item(j);
            choose(draw_categorical_log(score, stream));
        }
    };
}

void bit_probabilities_of_steps(SweepContext& context, const BlockStreams& rng) {
    auto& [theta, mu] = std::get<BinaryLocationState>(context.state.locations);
    sample_bit_probabilities(std::get<BinaryLocations>(context.model.locations).mu, theta.cols(context.state.z), mu,
                             rng);
}

GammaPrior weight_precision_of_whole_counts(const SharedPrecisionWeights& prior, const arma::mat& weights) {
    GammaPrior law = weight_precision_law(prior, weights);
    law.shape += law.shape - prior.precision.shape;
    return law;
}

GammaPrior weight_precision_with_bias(const SharedPrecisionWeights& prior, const arma::mat& weights) {
    return {prior.precision.shape + 0.5 * static_cast<double>(weights.n_elem),
            prior.precision.rate + 0.5 * arma::accu(arma::square(weights))};
}

BlockFunction emission_with_weight_precision(WeightPrecisionLaw law_of) {
    return [law_of](SweepContext& context, const BlockStreams& rng) {
        const auto& spec = std::get<LinearGaussianSpec>(context.model.emission);
        auto& state = std::get<LinearGaussianState>(context.state.emission);
        const arma::umat& theta = bits(context.state.locations);
        Stream stream = rng.item(0);
        sample_noise_precisions(spec, context.observations, context.state.z, theta, state, stream);
        sample_weights(spec, context.observations, context.state.z, theta, state, stream);
        const GammaPrior law = law_of(std::get<SharedPrecisionWeights>(spec.weights), state.weights);
        state.weight_precision = draw_gamma(law.shape, law.rate, stream);
    };
}

BlockFunction with_zeros_for_missing(BlockFunction block) {
    return [block = std::move(block)](SweepContext& context, const BlockStreams& rng) {
        Observations filled = context.observations;
        filled.y.replace(arma::datum::nan, 0.0);
        std::replace(filled.symbol.begin(), filled.symbol.end(), no_symbol, arma::sword{0});
        SweepContext inner{context.model, filled, context.state, context.scratch, context.info};
        block(inner, rng);
    };
}

BlockFunction with_sequences_joined(BlockFunction block) {
    return [block = std::move(block)](SweepContext& context, const BlockStreams& rng) {
        Observations joined = context.observations;
        joined.sequences = Sequences::of_lengths({joined.sequences.n_steps()});
        SweepContext inner{context.model, joined, context.state, context.scratch, context.info};
        block(inner, rng);
    };
}

void unnormalise_start_row(const arma::mat& log_pi, const arma::mat&, TransitionMatrix& transition) {
    transition.log_start = log_pi.tail_rows(1).t();
    transition.start = arma::exp(transition.log_start);
}

void transpose_similarities(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition) {
    normalise_rates(log_pi, log_phi.t(), transition);
}

}  // namespace hmmlt::testing
