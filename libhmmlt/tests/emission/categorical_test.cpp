#include "hmmlt/emission/categorical.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

const CategoricalSpec spec{{0.5, 1.0, 2.5}};
const Observations data{Sequences::of_lengths({3, 0, 4}), {}, {0, no_symbol, 2, 2, 1, 2, no_symbol}};
const arma::uvec z{0, 0, 1, 0, 1, 0, 1};
const CategoricalState example{arma::log(arma::mat{{0.2, 0.6, 0.1}, {0.3, 0.3, 0.1}, {0.5, 0.1, 0.8}})};

double log_joint(const CategoricalState& state) {
    arma::mat log_lik;
    log_likelihood(state, {}, data, log_lik);
    double total = log_prior(spec, state);
    for (arma::uword t = 0; t < z.n_elem; ++t) total += log_lik(z[t], t);
    return total;
}

}  // namespace

TEST_CASE("categorical emission: log likelihood, concentration and posterior mean by hand") {
    arma::mat log_lik;
    log_likelihood(example, {}, data, log_lik);
    REQUIRE(log_lik.n_rows == 3);
    REQUIRE(log_lik.n_cols == 7);
    CHECK(log_lik(1, 0) == std::log(0.6));
    CHECK(log_lik(2, 3) == std::log(0.8));
    CHECK(arma::abs(log_lik.col(1)).max() == 0.0);
    CHECK(arma::abs(log_lik.col(6)).max() == 0.0);

    const arma::mat concentration = symbol_concentration(spec, data, z, 3);
    const arma::mat by_hand{{1.5, 0.5, 0.5}, {1.0, 2.0, 1.0}, {4.5, 3.5, 2.5}};
    CHECK(arma::abs(concentration - by_hand).max() == 0.0);
    const arma::mat mean = posterior_mean_theta(spec, data, z, 3);
    CHECK(mean(0, 0) == doctest::Approx(1.5 / 7.0).epsilon(1e-14));
    CHECK(mean(2, 1) == doctest::Approx(3.5 / 6.0).epsilon(1e-14));
    CHECK(mean(2, 2) == doctest::Approx(2.5 / 4.0).epsilon(1e-14));
}

TEST_CASE("categorical emission: the law of theta is the log joint as a function of it") {
    const arma::mat concentration = symbol_concentration(spec, data, z, 3);
    const CategoricalState other{arma::log(arma::mat{{0.9, 0.01, 0.3}, {0.05, 0.01, 0.3}, {0.05, 0.98, 0.4}})};
    const double by_law = arma::accu(concentration % (other.log_theta - example.log_theta));
    CHECK(log_joint(other) - log_joint(example) == doctest::Approx(by_law).epsilon(1e-13));
}

TEST_CASE("categorical emission: the prior density, per d log theta, integrates to 1") {
    const CategoricalSpec two{{0.3, 1.7}};
    double total = 0.0;
    constexpr double step = 0.001;
    // theta_0 = e^x / (1 + e^x); d theta_0 = theta_0 theta_1 dx cancels the factor theta_0 theta_1 of the density
    for (double x = -120.0; x < 60.0; x += step)
        total += step * std::exp(log_prior(two, {arma::mat{-log1p_exp(-x), -log1p_exp(x)}.t()}));
    CHECK(total == doctest::Approx(1.0).epsilon(1e-9));
    // independent over states; the plain Dirichlet(1, 1, 1) density is 2
    const CategoricalSpec flat = CategoricalSpec::symmetric(3, 1.0);
    CHECK(log_prior(flat, example) ==
          doctest::Approx(3.0 * std::log(2.0) + arma::accu(example.log_theta)).epsilon(1e-13));
}

TEST_CASE("categorical emission: draws of theta follow their law, states without data the prior") {
    std::vector<double> seen;
    std::vector<double> unseen;
    CategoricalState state = example;
    for (std::uint32_t draw = 0; draw < 100000; ++draw) {
        sample_emission(spec, data, z, {}, state, BlockStreams({.seed = 720, .sweep = draw}));
        seen.push_back(std::exp(state.log_theta(2, 0)));
        unseen.push_back(std::exp(state.log_theta(0, 2)));
    }
    CHECK(testing::kolmogorov_smirnov(seen, [](double x) { return boost::math::ibeta(4.5, 2.5, x); }) > level);
    CHECK(testing::kolmogorov_smirnov(unseen, [](double x) { return boost::math::ibeta(0.5, 3.5, x); }) > level);
}

TEST_CASE("categorical emission: prior, data, conditional: the prior comes back") {
    std::vector<double> first;
    for (std::uint32_t draw = 0; draw < 100000; ++draw) {
        CategoricalState state = draw_emission(spec, 2, BlockStreams({.seed = 721, .sweep = draw}));
        Observations drawn{data.sequences, {}, {}};
        draw_observations(state, {}, z, drawn, BlockStreams({.seed = 722, .sweep = draw}));
        drawn.symbol[1] = no_symbol;
        sample_emission(spec, drawn, z, {}, state, BlockStreams({.seed = 723, .sweep = draw}));
        first.push_back(std::exp(state.log_theta(1, 0)));
    }
    CHECK(testing::kolmogorov_smirnov(first, [](double x) { return boost::math::ibeta(1.0, 3.0, x); }) > level);
}

TEST_CASE("categorical emission: symbols are drawn with the probabilities of their state") {
    constexpr arma::uword n = 100000;
    Observations drawn{Sequences::of_lengths({n}), {}, {}};
    draw_observations(example, {}, arma::uvec(n, arma::fill::value(1)), drawn, BlockStreams({.seed = 724}));
    std::vector<double> counts(3, 0.0);
    for (const arma::sword symbol : drawn.symbol) counts.at(static_cast<std::size_t>(symbol)) += 1.0;
    CHECK(testing::chi_square(counts, {0.6 * n, 0.3 * n, 0.1 * n}) > level);
}

TEST_CASE("categorical emission: bad arguments are named") {
    arma::mat log_lik;
    Observations bad = data;
    bad.symbol[2] = 3;
    CHECK_THROWS_WITH_AS(log_likelihood(example, {}, bad, log_lik),
                         "log_likelihood: observations.symbol must be in 0..2 or -1 (missing), found 3",
                         std::domain_error);
    bad.symbol[2] = -2;
    CHECK_THROWS_AS(symbol_concentration(spec, bad, z, 3), std::domain_error);
    CHECK_THROWS_WITH_AS(symbol_concentration(spec, data, {0, 1}, 3),
                         "symbol_concentration: z must be of size 7, found 2", std::domain_error);
    CHECK_THROWS_WITH_AS(symbol_concentration(spec, data, z, 1), "symbol_concentration: z must be below 1, found 1",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(draw_emission({{1.0, 0.0}}, 3, BlockStreams({.seed = 1})),
                         "draw_emission: spec.concentration must be positive and finite, found 0", std::domain_error);
    CategoricalState narrow{arma::mat(2, 2, arma::fill::zeros)};
    CHECK_THROWS_WITH_AS(sample_emission(spec, data, z, {}, narrow, BlockStreams({.seed = 1})),
                         "sample_emission: the rows of state.log_theta must be of size 3, found 2", std::domain_error);
}
