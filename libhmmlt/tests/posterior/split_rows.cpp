// The row of splits and merges: the law of z and beta that they move by, pi and the emission's parameters integrated
// out of the joint by Bayes' rule.
#include <algorithm>
#include <cmath>

#include "hmmlt/conditionals/state_pairs.hpp"
#include "hmmlt/emission/groups.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/split_merge.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

namespace {

// log p(pi | z, beta, c, rho), rows scaled to any sum; pi stays where it is, so that the measure does not matter.
double log_law_of_collapsed_rates(const AugmentedPoint& point) {
    const arma::mat shapes = prior_shapes(point) + transition_counts(point);
    double sum = 0.0;
    for (arma::uword j = 0; j < shapes.n_rows; ++j) {
        const arma::rowvec log_rates = point.state.log_pi.row(j);
        const double log_scale = std::log(arma::accu(arma::exp(log_rates)));
        sum += std::lgamma(arma::accu(shapes.row(j)));
        for (arma::uword k = 0; k < shapes.n_cols; ++k)
            sum += shapes(j, k) * (log_rates(k) - log_scale) - std::lgamma(shapes(j, k));
        sum += log_gamma_density(std::exp(log_scale), {point.state.c, 1.0});
    }
    return sum;
}

// log p(theta | z, y), by (61) or (65)
double log_law_of_emission(const AugmentedPoint& point) {
    const arma::uword n_states = point.model.n_states;
    double sum = 0.0;
    if (const auto* normal = std::get_if<GaussianSpec>(&point.model.emission)) {
        const auto& theta = std::get<GaussianState>(point.state.emission);
        const GaussianStatistics data =
            gaussian_statistics(point.observations, point.state.z, normal->n_channels(), n_states);
        for (arma::uword k = 0; k < n_states; ++k)
            for (arma::uword i = 0; i < normal->n_channels(); ++i) {
                const NormalGammaLaw law =
                    normal_gamma_law(normal->channels[i], data.n(i, k), data.mean(i, k), data.s(i, k));
                sum += log_gamma_density(theta.h(i, k), {law.a, law.b}) +
                       log_normal_density(theta.mean(i, k), law.m, law.k * theta.h(i, k));
            }
        return sum;
    }
    const arma::mat shapes = symbol_concentration(std::get<CategoricalSpec>(point.model.emission), point.observations,
                                                  point.state.z, n_states);
    const auto& theta = std::get<CategoricalState>(point.state.emission);
    for (arma::uword k = 0; k < n_states; ++k) {
        sum += std::lgamma(arma::accu(shapes.col(k)));
        for (arma::uword v = 0; v < shapes.n_rows; ++v)
            sum += shapes(v, k) * theta.log_theta(v, k) - std::lgamma(shapes(v, k));
    }
    return sum;
}

std::vector<double> weights_of_empty_states(const State& state) {
    std::vector<double> found;
    for (arma::uword k = 0; k < state.log_beta.n_elem; ++k)
        if (!arma::any(state.z == k)) found.push_back(state.log_beta(k));
    return found;
}

double log_total_of(const std::vector<double>& logs) {
    return log_sum_exp(logs.size(), [&](std::size_t i) { return logs[i]; });
}

// log of the density of how the empty states divide what is left to them; log_joint has beta by d log beta.
double log_law_of_division(const AugmentedPoint& point) {
    const double g = point.state.gamma / static_cast<double>(point.model.n_states);
    const std::vector<double> left = weights_of_empty_states(point.state);
    double sum = arma::accu(point.state.log_beta);
    if (left.empty()) return sum;
    const auto n_empty = static_cast<double>(left.size());
    const double log_left = log_total_of(left);
    sum += std::lgamma(n_empty * g) - (n_empty - 1.0) * log_left;
    for (const double value : left) sum += (g - 1.0) * (value - log_left) - std::lgamma(g);
    return sum;
}

struct SharedOut {
    Labels labels;
    arma::vec log_beta;
};

}  // namespace

void check_splits(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (!has_splits_and_merges(point.model) || !point.fixed_phi.is_empty() || point.factorial_chain >= 0) return;
    const arma::uword n_states = point.model.n_states;
    const arma::uword pair[] = {point.state.z(0), (point.state.z(0) + 1) % n_states};
    PairSteps steps;
    collect_steps(point.state.z, point.observations.sequences, n_states, pair[0], pair[1], steps);
    std::vector<SharedOut> values;
    for (std::size_t i = 0; i < 4 * n_values; ++i) {
        SharedOut value{Labels(steps.t.size(), 0), point.state.log_beta};
        for (auto& label : value.labels) label = i > 1 && draw_uniform(rng) < 0.5 ? 1 : 0;
        const double share = draw_uniform(rng);
        const double both = log_add_exp(value.log_beta(pair[0]), value.log_beta(pair[1]));
        value.log_beta(pair[0]) = both + std::log(share);
        value.log_beta(pair[1]) = both + std::log1p(-share);
        values.push_back(value);
    }
    const auto put = [&](AugmentedPoint& moved, const SharedOut& value) {
        moved.state.log_beta = value.log_beta;
        for (std::size_t i = 0; i < value.labels.size(); ++i) moved.state.z(steps.t[i]) = pair[value.labels[i]];
        moved.emitter = moved.state.z;
    };
    const auto law = [&](const SharedOut& value) {
        AugmentedPoint moved = point;
        put(moved, value);
        const State& state = moved.state;
        PairCounts counts;
        count_pair(steps, value.labels, counts);
        const double g = state.gamma / static_cast<double>(n_states);
        const std::vector<double> left = weights_of_empty_states(state);
        std::vector<double> log_beta;
        for (const arma::uword k : pair)
            if (arma::any(state.z == k)) log_beta.push_back(state.log_beta(k));
        const double log_likelihood = std::visit(
            [&](const auto& spec) {
                double sum = 0.0;
                if constexpr (requires { groups_of(spec, moved.observations); }) {
                    const auto groups = groups_of(spec, moved.observations);
                    for (std::uint8_t label = 0; label < 2; ++label) {
                        auto group = groups.nothing();
                        for (std::size_t i = 0; i < value.labels.size(); ++i)
                            if (value.labels[i] == label) groups.add(steps.t[i], group);
                        sum += groups.log_marginal_likelihood(group);
                    }
                }
                return sum;
            },
            moved.model.emission);
        return log_likelihood +
               log_density_of_transitions(counts, {g, state.c, state.rho, state.log_beta},
                                          {state.log_beta(pair[0]), state.log_beta(pair[1])}) +
               log_density_of_weights(g, left.size(), log_beta, left.empty() ? 0.0 : log_total_of(left));
    };
    const auto joint = [&](const AugmentedPoint& moved) {
        return log_joint_without_u_q(moved) - log_law_of_collapsed_rates(moved) - log_law_of_emission(moved) -
               log_law_of_division(moved);
    };
    compare(point, values, put, law, joint, comparison);
}

}  // namespace hmmlt::testing
