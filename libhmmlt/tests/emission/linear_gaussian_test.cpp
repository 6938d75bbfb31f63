#include "hmmlt/emission/linear_gaussian.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hmmlt/math/log_density.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

LinearGaussianSpec learned_spec() {
    return {{{2.0, 1.5}, {3.0, 0.5}},
            LearnedWeights{{0.5, -1.0, 0.2}, {{2.0, 0.3, 0.1}, {0.3, 1.5, -0.4}, {0.1, -0.4, 1.0}}}};
}

const arma::umat theta{{0, 1, 1}, {1, 0, 1}};  // 2 bits, 3 states

struct Example {
    Observations data{Sequences::of_lengths({4, 0, 3}),
                      {{0.3, missing, 1.2, -0.5, 2.0, missing, 0.7}, {1.1, missing, -0.3, 0.4, missing, missing, -1.5}},
                      {}};
    arma::uvec z{0, 1, 1, 2, 0, 2, 1};
    LinearGaussianState state{{{0.1, -0.2}, {1.0, 0.5}, {-0.7, 0.9}}, {1.7, 0.6}};
};

// log p(state) + sum_t L_{z_t t}: what every full conditional is proportional to
double log_joint(const LinearGaussianSpec& spec, const Example& example, const LinearGaussianState& state) {
    arma::mat log_lik;
    log_likelihood(state, theta, example.data, log_lik);
    double total = log_prior(spec, state);
    for (arma::uword t = 0; t < example.z.n_elem; ++t) total += log_lik(example.z[t], t);
    return total;
}

double gamma_cdf(double x, const GammaPrior& law) {
    return boost::math::gamma_p(law.shape, law.rate * x);
}

}  // namespace

TEST_CASE("linear_gaussian: means and log likelihood by hand, missing cells drop out") {
    const Example example;
    const arma::mat x = state_means(example.state.weights, theta);
    CHECK(x(0, 0) == doctest::Approx(0.1 - 0.7).epsilon(1e-15));
    CHECK(x(1, 2) == doctest::Approx(-0.2 + 0.5 + 0.9).epsilon(1e-15));
    arma::mat log_lik;
    log_likelihood(example.state, theta, example.data, log_lik);
    REQUIRE(log_lik.n_rows == 3);
    REQUIRE(log_lik.n_cols == 7);
    // log N(0.3; -0.6, 1/1.7) + log N(1.1; 0.7, 1/0.6)
    const double by_hand = 0.5 * std::log(1.7 * 0.6) - log_two_pi - 0.5 * (1.7 * 0.81 + 0.6 * 0.16);
    CHECK(log_lik(0, 0) == doctest::Approx(by_hand).epsilon(1e-14));
    for (arma::uword j = 0; j < 3; ++j) {
        CHECK(log_lik(j, 1) == 0.0);
        CHECK(log_lik(j, 5) == 0.0);
        CHECK(log_lik(j, 4) == doctest::Approx(log_normal_density(2.0, x(0, j), 1.7)).epsilon(1e-14));
    }
}

TEST_CASE("linear_gaussian: the evidence counts observed cells only") {
    const Example example;
    const LinearEvidence found = evidence(example.state, example.data, example.z, 4);
    const arma::mat n{{2.0, 2.0, 1.0, 0.0}, {1.0, 2.0, 1.0, 0.0}};
    const arma::mat sum{{2.3, 1.9, -0.5, 0.0}, {1.1, -1.8, 0.4, 0.0}};
    CHECK(arma::abs(found.n_observed - n).max() == 0.0);
    CHECK(arma::abs(found.sum_y - sum).max() < 1e-15);
    CHECK(arma::abs(found.weights - example.state.weights).max() == 0.0);
    CHECK(arma::abs(found.h - example.state.h).max() == 0.0);
}

TEST_CASE("linear_gaussian: the laws of h and W are the log joint as a function of them") {
    const LinearGaussianSpec spec = learned_spec();
    const Example example;
    const auto noise = noise_precision_law(spec, example.data, example.z, theta, example.state.weights);
    CHECK(noise[0].shape == 2.0 + 2.5);  // 5 of 7 cells are observed
    CHECK(noise[1].shape == 3.0 + 2.0);
    const double here = log_joint(spec, example, example.state);
    for (arma::uword i = 0; i < 2; ++i)
        for (const double h : {0.01, 0.5, 3.0, 20.0}) {
            LinearGaussianState other = example.state;
            other.h[i] = h;
            const double by_law = log_gamma_density(h, noise[i]) - log_gamma_density(example.state.h[i], noise[i]);
            CHECK(log_joint(spec, example, other) - here == doctest::Approx(by_law).epsilon(1e-12));
        }
    const LinearEvidence data = evidence(example.state, example.data, example.z, 3);
    for (arma::uword i = 0; i < 2; ++i) {
        const WeightLaw law = weight_law(std::get<LearnedWeights>(spec.weights), data, theta, i);
        const auto log_law = [&law](const arma::vec& w) {
            return arma::dot(w, law.shift) - 0.5 * arma::dot(w, law.precision * w);
        };
        for (const arma::vec& w : {arma::vec{0.0, 0.0, 0.0}, arma::vec{3.0, -2.0, 1.0}, arma::vec{0.1, 0.0, -5.0}}) {
            LinearGaussianState other = example.state;
            other.weights.col(i) = w;
            const double by_law = log_law(w) - log_law(example.state.weights.col(i));
            CHECK(log_joint(spec, example, other) - here == doctest::Approx(by_law).epsilon(1e-12));
        }
    }
}

TEST_CASE("linear_gaussian: the law of W's precision, and of W given it, are the log joint as a function of them") {
    const SharedPrecisionWeights shared{2, 0.3, {2.5, 1.2}};
    const LinearGaussianSpec spec{{{2.0, 1.5}, {3.0, 0.5}}, shared};
    Example example;
    example.state.weight_precision = 0.8;
    const GammaPrior law = weight_precision_law(shared, example.state.weights);
    CHECK(law.shape == 2.5 + 2.0);  // 2 features x 2 channels, no bias
    CHECK(law.rate == doctest::Approx(1.2 + 0.5 * (1.0 + 0.25 + 0.49 + 0.81)).epsilon(1e-15));
    const double here = log_joint(spec, example, example.state);
    const auto moved = [&](double tau) {
        LinearGaussianState other = example.state;
        other.weight_precision = tau;
        return log_joint(spec, example, other);
    };
    for (const double tau : {0.01, 0.5, 3.0, 20.0})
        CHECK(moved(tau) - here ==
              doctest::Approx(log_gamma_density(tau, law) - log_gamma_density(0.8, law)).epsilon(1e-12));
    constexpr double step = 1e-4;
    for (const double tau : {0.2, 0.8, 2.0}) {  // and its slope, by differences
        const double by_law = (law.shape - 1.0) / tau - law.rate;
        const double by_differences =
            (8.0 * (moved(tau + step) - moved(tau - step)) - (moved(tau + 2 * step) - moved(tau - 2 * step))) /
            (12.0 * step);
        CHECK(by_differences == doctest::Approx(by_law).epsilon(1e-9));
    }
    const LinearEvidence data = evidence(example.state, example.data, example.z, 3);
    const auto prior = column_prior(spec.weights, example.state.weight_precision);
    REQUIRE(prior);
    CHECK(*prior == LearnedWeights{{0.0, 0.0, 0.0}, arma::mat(arma::diagmat(arma::vec{0.3, 0.8, 0.8}))});
    const WeightLaw column = weight_law(*prior, data, theta, 1);
    const auto log_law = [&column](const arma::vec& w) {
        return arma::dot(w, column.shift) - 0.5 * arma::dot(w, column.precision * w);
    };
    LinearGaussianState other = example.state;
    other.weights.col(1) = arma::vec{3.0, -2.0, 1.0};
    const double by_law = log_law(other.weights.col(1)) - log_law(example.state.weights.col(1));
    CHECK(log_joint(spec, example, other) - here == doctest::Approx(by_law).epsilon(1e-12));
    const LinearGaussianState expected = expected_emission(spec, example.data, example.z, theta, example.state);
    CHECK(expected.weight_precision.value() == doctest::Approx(law.shape / law.rate).epsilon(1e-15));
}

TEST_CASE("linear_gaussian: the prior density integrates to 1") {
    const LinearGaussianSpec noise{{{1.5, 0.7}}, KnownWeights{arma::mat(1, 1, arma::fill::zeros)}};
    double total = 0.0;
    constexpr double step = 0.001;
    for (double x = -25.0; x < 5.0; x += step)  // x = log h
        total += step * std::exp(x + log_prior(noise, {arma::mat(1, 1, arma::fill::zeros), {std::exp(x)}}));
    CHECK(total == doctest::Approx(1.0).epsilon(1e-9));

    const LinearGaussianSpec weights{{{1.0, 1.0}}, LearnedWeights{{0.5, -1.0}, {{2.0, 0.6}, {0.6, 1.0}}}};
    total = 0.0;
    for (double bias = -8.0; bias < 9.0; bias += 0.05)
        for (double weight = -10.0; weight < 8.0; weight += 0.05)
            total += 0.05 * 0.05 * std::exp(log_prior(weights, {arma::mat{bias, weight}.t(), {1.0}}) + 1.0);
    CHECK(total == doctest::Approx(1.0).epsilon(1e-9));  // the density of h = 1 is exp(-1)
}

TEST_CASE("linear_gaussian: draws of h and W follow their laws") {
    const LinearGaussianSpec spec = learned_spec();
    Example example;
    const auto noise = noise_precision_law(spec, example.data, example.z, theta, example.state.weights);
    Stream rng({.seed = 700});
    std::vector<double> h;
    for (int draw = 0; draw < 100000; ++draw) {
        LinearGaussianState state = example.state;
        sample_noise_precisions(spec, example.data, example.z, theta, state, rng);
        h.push_back(state.h[1]);
    }
    CHECK(testing::kolmogorov_smirnov(h, [&](double x) { return gamma_cdf(x, noise[1]); }) > level);

    // sums of weights see the covariances
    const LinearEvidence data = evidence(example.state, example.data, example.z, 3);
    const WeightLaw law = weight_law(std::get<LearnedWeights>(spec.weights), data, theta, 0);
    const arma::mat covariance = arma::inv_sympd(law.precision);
    const arma::vec mean = covariance * law.shift;
    std::vector<arma::vec> draws;
    for (int draw = 0; draw < 100000; ++draw) {
        LinearGaussianState state = example.state;
        sample_weights(spec, example.data, example.z, theta, state, rng);
        draws.emplace_back(state.weights.col(0));
    }
    for (const arma::vec& direction :
         {arma::vec{1.0, 0.0, 0.0}, arma::vec{0.0, 0.0, 1.0}, arma::vec{1.0, 1.0, 1.0}, arma::vec{1.0, -2.0, 0.5}}) {
        std::vector<double> along;
        for (const arma::vec& w : draws) along.push_back(arma::dot(direction, w));
        const double centre = arma::dot(direction, mean);
        const double sd = std::sqrt(arma::dot(direction, covariance * direction));
        const auto cdf = [centre, sd](double x) { return testing::normal_cdf((x - centre) / sd); };
        CHECK(testing::kolmogorov_smirnov(along, cdf) > level);
    }
}

TEST_CASE("linear_gaussian: prior, data, conditional: the prior comes back") {
    const LinearGaussianSpec spec = learned_spec();
    const Example example;
    std::vector<double> h;
    std::vector<double> weight;
    for (std::uint32_t draw = 0; draw < 50000; ++draw) {
        LinearGaussianState state = draw_emission(spec, 3, BlockStreams({.seed = 701, .sweep = draw}));
        Observations data = example.data;
        draw_observations(state, theta, example.z, data, BlockStreams({.seed = 702, .sweep = draw}));
        REQUIRE(data.y.is_finite());
        data.y.elem(arma::find_nan(example.data.y)).fill(missing);
        sample_emission(spec, data, example.z, theta, state, BlockStreams({.seed = 703, .sweep = draw}));
        h.push_back(state.h[0]);
        weight.push_back(arma::accu(state.weights.col(1)));
    }
    CHECK(testing::kolmogorov_smirnov(h, [&](double x) { return gamma_cdf(x, spec.h[0]); }) > level);
    const auto& prior = std::get<LearnedWeights>(spec.weights);
    const double sd = std::sqrt(arma::accu(arma::inv_sympd(prior.precision)));
    const double mean = arma::accu(prior.mean);
    CHECK(testing::kolmogorov_smirnov(weight, [&](double x) { return testing::normal_cdf((x - mean) / sd); }) > level);
}

TEST_CASE("linear_gaussian: the prior of W's precision comes back too, and the bias keeps its own") {
    const SharedPrecisionWeights shared{2, 0.3, {2.5, 1.2}};
    const LinearGaussianSpec spec{{{2.0, 1.5}, {3.0, 0.5}}, shared};
    const Example example;
    std::vector<double> drawn;
    std::vector<double> sampled;
    std::vector<double> bias;
    std::vector<double> scaled;
    for (std::uint32_t draw = 0; draw < 50000; ++draw) {
        LinearGaussianState state = draw_emission(spec, 3, BlockStreams({.seed = 706, .sweep = draw}));
        drawn.push_back(state.weight_precision.value());
        scaled.push_back(std::sqrt(state.weight_precision.value()) * state.weights(2, 1));
        Observations data = example.data;
        draw_observations(state, theta, example.z, data, BlockStreams({.seed = 707, .sweep = draw}));
        sample_emission(spec, data, example.z, theta, state, BlockStreams({.seed = 708, .sweep = draw}));
        sampled.push_back(state.weight_precision.value());
        bias.push_back(std::sqrt(0.3) * state.weights(0, 0));
    }
    const auto prior = [&shared](double x) { return gamma_cdf(x, shared.precision); };
    CHECK(testing::kolmogorov_smirnov(drawn, prior) > level);
    CHECK(testing::kolmogorov_smirnov(sampled, prior) > level);
    CHECK(testing::kolmogorov_smirnov(bias, testing::normal_cdf) > level);
    CHECK(testing::kolmogorov_smirnov(scaled, testing::normal_cdf) > level);
}

TEST_CASE("linear_gaussian: known weights stay, isotropic ones are what they say") {
    const Example example;
    const LinearGaussianSpec spec{{{1.0, 1.0}, {1.0, 1.0}}, KnownWeights{example.state.weights}};
    CHECK(spec.n_dims() == 2);
    LinearGaussianState state = draw_emission(spec, 3, BlockStreams({.seed = 704}));
    const LinearGaussianState before = state;
    sample_emission(spec, example.data, example.z, theta, state, BlockStreams({.seed = 705}));
    CHECK(arma::all(arma::vectorise(state.weights == example.state.weights)));
    CHECK_FALSE(state == before);
    const LearnedWeights isotropic = LearnedWeights::isotropic(1, 4.0);
    CHECK(isotropic == LearnedWeights{{0.0, 0.0}, {{4.0, 0.0}, {0.0, 4.0}}});
}

TEST_CASE("linear_gaussian: bad arguments are named") {
    const Example example;
    const LinearGaussianSpec spec = learned_spec();
    LinearGaussianState state = example.state;
    arma::mat log_lik;
    CHECK_THROWS_WITH_AS(log_likelihood(state, arma::umat(3, 3, arma::fill::zeros), example.data, log_lik),
                         "state_means: the rows of theta must be of size 2, found 3", std::domain_error);
    CHECK_THROWS_WITH_AS(log_likelihood(state, arma::umat(2, 3, arma::fill::value(2)), example.data, log_lik),
                         "state_means: theta must be below 2, found 2", std::domain_error);
    CHECK_THROWS_WITH_AS(noise_precision_law(spec, example.data, {0, 1}, theta, state.weights),
                         "noise_precision_law: z must be of size 7, found 2", std::domain_error);
    CHECK_THROWS_WITH_AS(evidence(state, example.data, example.z, 2), "evidence: z must be below 2, found 2",
                         std::domain_error);
    Observations wide = example.data;
    wide.y = arma::mat(3, 7, arma::fill::zeros);
    CHECK_THROWS_WITH_AS(log_likelihood(state, theta, wide, log_lik),
                         "log_likelihood: the rows of observations.y must be of size 2, found 3", std::domain_error);
    Observations infinite = example.data;
    infinite.y(0, 0) = arma::datum::inf;
    CHECK_THROWS_WITH_AS(log_likelihood(state, theta, infinite, log_lik),
                         "log_likelihood: observations.y must be finite, found inf", std::domain_error);
    state.h[1] = 0.0;
    CHECK_THROWS_WITH_AS(log_likelihood(state, theta, example.data, log_lik),
                         "log_likelihood: state.h must be positive and finite, found 0", std::domain_error);
    LinearGaussianSpec bad = spec;
    bad.h[0].shape = -1.0;
    CHECK_THROWS_WITH_AS(draw_emission(bad, 3, BlockStreams({.seed = 1})),
                         "draw_emission: spec.h.shape must be positive and finite, found -1", std::domain_error);
    bad = spec;
    bad.weights = SharedPrecisionWeights{2, 1.0, {0.0, 1.0}};
    CHECK_THROWS_WITH_AS(draw_emission(bad, 3, BlockStreams({.seed = 1})),
                         "draw_emission: spec.weights.precision.shape must be positive and finite, found 0",
                         std::domain_error);
    bad.weights = SharedPrecisionWeights{2, 1.0, {1.0, 1.0}};
    CHECK_THROWS_WITH_AS(log_prior(bad, example.state),
                         "column_prior: the precision of the weights is learnt, but the state has none",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(weight_precision_law(SharedPrecisionWeights{3, 1.0, {1.0, 1.0}}, example.state.weights),
                         "weight_precision_law: the rows of weights must be of size 4, found 3", std::domain_error);
    bad = spec;
    std::get<LearnedWeights>(bad.weights).precision = -arma::mat(3, 3, arma::fill::eye);
    CHECK_THROWS_WITH_AS(
        draw_emission(bad, 3, BlockStreams({.seed = 1})),
        "draw_weights: the precision of the weights must be symmetric and positive definite in doubles, "
        "found one with -1 to -1 on its diagonal: standardised data, a tighter prior of the weights or fewer features "
        "help",
        std::domain_error);
}
