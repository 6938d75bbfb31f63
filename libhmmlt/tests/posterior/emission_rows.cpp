// Rows of the states and of the emissions: z, the bits of factorial chains, h, W, tau, theta, nu.
#include <cmath>

#include "hmmlt/dynamics/beam.hpp"
#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

void check_states(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (point.factorial_chain >= 0 || has_durations(point)) return;
    TransitionMatrix transition;
    ForwardMessages messages;
    arma::mat log_lik;
    normalise_rates(point.state.log_pi, ConditionalInputs(point).log_phi, transition);
    log_likelihood(point.state.emission, point.bits, point.observations, log_lik);
    filter_forward(transition, log_lik, point.observations.sequences, messages);
    // docs/model.md (68): the probability of a path, from its last step backwards
    const auto law = [&](const arma::uvec& z) {
        const Sequences& sequences = point.observations.sequences;
        double log_probability = 0.0;
        for (arma::uword s = 0; s < sequences.count(); ++s)
            for (arma::uword t = sequences.first[s + 1]; t-- > sequences.first[s];) {
                arma::vec weight = messages.f.col(t);
                if (t + 1 < sequences.first[s + 1]) weight %= transition.from_to.col(z(t + 1));
                log_probability += std::log(weight(z(t)) / arma::accu(weight));
            }
        return log_probability;
    };
    const auto put = [](AugmentedPoint& moved, const arma::uvec& z) { moved.state.z = z; };
    for (arma::uword t = 0; t < point.state.z.n_elem; ++t) {  // one state given the others
        std::vector<arma::uvec> values(point.model.n_states, point.state.z);
        for (arma::uword k = 0; k < point.model.n_states; ++k) values[k](t) = k;
        compare(point, values, put, law, log_joint_without_u_q, comparison);
    }
    std::vector<arma::uvec> paths(n_values, point.state.z);
    for (arma::uvec& path : paths)
        path.for_each([&](arma::uword& z) {
            z = static_cast<arma::uword>(draw_uniform(rng) * static_cast<double>(point.model.n_states));
        });
    compare(point, paths, put, law, log_joint_without_u_q, comparison);
}

void check_beam(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (point.factorial_chain >= 0 || has_durations(point)) return;
    const arma::uword n_states = point.model.n_states;
    const Sequences& sequences = point.observations.sequences;
    const arma::mat phi = similarities(point);
    const arma::mat rates = arma::exp(point.state.log_pi) % phi;
    const arma::mat a = rates.each_col() / arma::sum(rates, 1);
    arma::mat log_a;
    log_transitions(point.state.log_pi, arma::log(phi.head_rows(n_states)), log_a);
    for (arma::uword cell = 0; cell < a.n_elem; ++cell) comparison.equal(log_a(cell), std::log(a(cell)));
    arma::vec log_slice;
    sample_log_slices(log_a, point.state.z, sequences, log_slice, row_streams);
    // A of each step of a path, from the start row where a sequence begins
    const auto along = [&](const arma::uvec& z) {
        arma::vec probability(z.n_elem);
        for (arma::uword s = 0; s < sequences.count(); ++s)
            for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t)
                probability(t) = a(t == sequences.first[s] ? n_states : z(t - 1), z(t));
        return probability;
    };
    const arma::vec own = along(point.state.z);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = row_streams.item(s);
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t)
            comparison.equal(log_slice(t), std::log(own(t) * draw_uniform(stream)));
    }
    // the joint with s: a uniform density under each transition; (92) has the likelihood alone
    const auto is_above = [&](const arma::vec& probability) { return arma::all(probability > arma::exp(log_slice)); };
    arma::mat log_lik;
    log_likelihood(point.state.emission, point.bits, point.observations, log_lik);
    const auto law = [&](const arma::uvec& z) {
        double sum = is_above(along(z)) ? 0.0 : -arma::datum::inf;
        for (arma::uword t = 0; t < z.n_elem; ++t) sum += log_lik(z(t), t);
        return sum;
    };
    const auto joint = [&](const AugmentedPoint& moved) {
        const arma::vec probability = along(moved.state.z);
        return is_above(probability) ? log_joint_without_u_q(moved) - arma::accu(arma::log(probability))
                                     : -arma::datum::inf;
    };
    std::vector<arma::uvec> paths{point.state.z};
    for (arma::uword t = 0; t < point.state.z.n_elem; ++t) {
        paths.push_back(point.state.z);
        paths.back()(t) = static_cast<arma::uword>(draw_uniform(rng) * static_cast<double>(n_states));
    }
    compare(
        point, paths, [](AugmentedPoint& moved, const arma::uvec& z) { moved.state.z = z; }, law, joint, comparison);
}

void check_factorial_chain(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (point.factorial_chain < 0) return;
    const auto& emission = std::get<LinearGaussianState>(point.state.emission);
    const arma::vec log_odds = factorial_log_odds(static_cast<arma::uword>(point.factorial_chain), point.observations.y,
                                                  point.bits, emission.weights, emission.h);
    TransitionMatrix transition;
    normalise_rates(point.state.log_pi, {}, transition);
    const auto law = [&](const arma::uvec& z) {
        double sum = 0.0;
        for (arma::uword s = 0; s < point.observations.sequences.count(); ++s) {
            const arma::uword first = point.observations.sequences.first[s];
            for (arma::uword t = first; t < point.observations.sequences.first[s + 1]; ++t)
                sum += (t == first ? transition.log_start(z(t)) : transition.log_from_to(z(t - 1), z(t))) +
                       (z(t) == 1 ? log_odds(t) : 0.0);
        }
        return sum;
    };
    std::vector<arma::uvec> paths(4 * n_values, point.state.z);
    for (arma::uvec& path : paths) path.for_each([&](arma::uword& bit) { bit = draw_uniform(rng) < 0.5 ? 1 : 0; });
    compare(
        point, paths, [](AugmentedPoint& moved, const arma::uvec& z) { moved.state.z = z; }, law, log_joint_without_u_q,
        comparison);
}

void check_noise_precisions(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* spec = std::get_if<LinearGaussianSpec>(&point.model.emission);
    if (spec == nullptr) return;
    const auto& emission = std::get<LinearGaussianState>(point.state.emission);
    const auto laws = noise_precision_law(*spec, point.observations, point.emitter, point.bits, emission.weights);
    LinearGaussianState drawn = emission;
    Stream of_conditional({.seed = 1});
    Stream of_law({.seed = 1});
    sample_noise_precisions(*spec, point.observations, point.emitter, point.bits, drawn, of_conditional);
    for (arma::uword i = 0; i < laws.size(); ++i) {
        comparison.equal(drawn.h(i), draw_gamma(laws[i].shape, laws[i].rate, of_law));
        compare(
            point, positive_values(rng),
            [i](AugmentedPoint& moved, double h) { std::get<LinearGaussianState>(moved.state.emission).h(i) = h; },
            [&](double h) { return log_gamma_density(h, laws[i]); }, log_joint_without_u_q, comparison);
    }
}

void check_weights(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* spec = std::get_if<LinearGaussianSpec>(&point.model.emission);
    if (spec == nullptr) return;
    const auto& emission = std::get<LinearGaussianState>(point.state.emission);
    const std::optional<LearnedWeights> prior = column_prior(spec->weights, emission.weight_precision);
    if (!prior) return;
    const LinearEvidence data = evidence(emission, point.observations, point.emitter, point.bits.n_cols);
    LinearGaussianState drawn = emission;
    Stream of_conditional({.seed = 1});
    Stream of_law({.seed = 1});
    sample_weights(*spec, point.observations, point.emitter, point.bits, drawn, of_conditional);
    for (arma::uword i = 0; i < emission.h.n_elem; ++i) {
        const WeightLaw law = weight_law(*prior, data, point.bits, i);
        // with P = L L' and e standard normal, P^-1 (shift + L e) has mean P^-1 shift and variance P^-1
        arma::vec e(law.shift.n_elem);
        e.for_each([&](double& value) { value = draw_standard_normal(of_law); });
        const arma::vec expected = arma::solve(law.precision, law.shift + arma::chol(law.precision, "lower") * e);
        for (arma::uword d = 0; d < e.n_elem; ++d) comparison.equal(drawn.weights(d, i), expected(d));
        compare(
            point, values_around(emission.weights.col(i), rng),
            [i](AugmentedPoint& moved, const arma::mat& column) {
                std::get<LinearGaussianState>(moved.state.emission).weights.col(i) = column;
            },
            [&law](const arma::mat& column) {
                return arma::dot(law.shift, column) - 0.5 * arma::dot(column, law.precision * column);
            },
            log_joint_without_u_q, comparison);
    }
}

void check_weight_precision(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* spec = std::get_if<LinearGaussianSpec>(&point.model.emission);
    if (spec == nullptr || !std::holds_alternative<SharedPrecisionWeights>(spec->weights)) return;
    LinearGaussianState drawn = std::get<LinearGaussianState>(point.state.emission);
    const GammaPrior law = weight_precision_law(std::get<SharedPrecisionWeights>(spec->weights), drawn.weights);
    Stream of_conditional({.seed = 1});
    Stream of_law({.seed = 1});
    sample_weight_precision(*spec, drawn, of_conditional);
    comparison.equal(drawn.weight_precision.value(), draw_gamma(law.shape, law.rate, of_law));
    compare(
        point, positive_values(rng),
        [](AugmentedPoint& moved, double tau) {
            std::get<LinearGaussianState>(moved.state.emission).weight_precision = tau;
        },
        [&law](double tau) { return log_gamma_density(tau, law); }, log_joint_without_u_q, comparison);
}

void check_symbol_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* spec = std::get_if<CategoricalSpec>(&point.model.emission);
    if (spec == nullptr) return;
    const arma::mat concentration =
        symbol_concentration(*spec, point.observations, point.state.z, point.model.n_states);
    CategoricalState drawn = std::get<CategoricalState>(point.state.emission);
    sample_emission(*spec, point.observations, point.state.z, point.bits, drawn, row_streams);
    for (arma::uword j = 0; j < concentration.n_cols; ++j) {
        Stream of_law = row_streams.item(j);
        arma::vec expected(concentration.n_rows);
        draw_log_dirichlet(arma::vec(concentration.col(j)), expected, of_law);
        for (arma::uword v = 0; v < expected.n_elem; ++v) comparison.equal(drawn.log_theta(v, j), expected(v));
    }
    std::vector<arma::mat> values = values_around(std::get<CategoricalState>(point.state.emission).log_theta, rng);
    for (arma::mat& log_theta : values) log_theta.each_row() -= arma::log(arma::sum(arma::exp(log_theta), 0));
    compare(
        point, values,
        [](AugmentedPoint& moved, const arma::mat& log_theta) {
            std::get<CategoricalState>(moved.state.emission).log_theta = log_theta;
        },
        [&](const arma::mat& log_theta) { return arma::accu(concentration % log_theta); }, log_joint_without_u_q,
        comparison);
}

void check_means_and_precisions(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* spec = std::get_if<GaussianSpec>(&point.model.emission);
    if (spec == nullptr) return;
    const GaussianStatistics data =
        gaussian_statistics(point.observations, point.state.z, spec->n_channels(), point.model.n_states);
    GaussianState drawn = std::get<GaussianState>(point.state.emission);
    sample_emission(*spec, point.observations, point.state.z, point.bits, drawn, row_streams);
    Stream of_law = row_streams.item(0);
    for (arma::uword cell = 0; cell < data.n.n_elem; ++cell) {  // a mean and its precision, drawn together
        const NormalGammaLaw law =
            normal_gamma_law(spec->channels[cell % data.n.n_rows], data.n(cell), data.mean(cell), data.s(cell));
        if (cell % data.n.n_rows == 0) of_law = row_streams.item(cell / data.n.n_rows);
        comparison.equal(drawn.h(cell), draw_gamma(law.a, law.b, of_law));
        comparison.equal(drawn.mean(cell), draw_normal(law.m, 1.0 / std::sqrt(law.k * drawn.h(cell)), of_law));
        std::vector<std::pair<double, double>> values;
        for (std::size_t i = 0; i < n_values; ++i) {
            const double mean = 2.0 * draw_standard_normal(rng);
            values.emplace_back(mean, std::exp(draw_standard_normal(rng)));
        }
        compare(
            point, values,
            [cell](AugmentedPoint& moved, const std::pair<double, double>& value) {
                auto& emission = std::get<GaussianState>(moved.state.emission);
                emission.mean(cell) = value.first;
                emission.h(cell) = value.second;
            },
            [&law](const std::pair<double, double>& value) {
                return log_gamma_density(value.second, {law.a, law.b}) +
                       log_normal_density(value.first, law.m, law.k * value.second);
            },
            log_joint_without_u_q, comparison);
    }
}

}  // namespace hmmlt::testing
