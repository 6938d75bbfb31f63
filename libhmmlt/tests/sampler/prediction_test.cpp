// Pooling by hand, and data that arrive one by one against data that are there as a whole.
#include "hmmlt/sampler/prediction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/sampler/heldout.hpp"

using namespace hmmlt;

namespace {

Model model_with_bits() {
    Model model;
    model.n_states = 5;
    model.similarity = LaplacianSimilarity{ExponentialPrior{1.0}};
    model.locations = BinaryLocations{3, {}};
    model.emission = LinearGaussianSpec{std::vector<GammaPrior>(2, {2.0, 1.0}), LearnedWeights::isotropic(3, 1.0)};
    return model;
}

std::vector<Model> models() {
    Model symbols;
    symbols.n_states = 4;
    symbols.emission = CategoricalSpec::symmetric(6, 0.5);
    Model gaussian;
    gaussian.n_states = 3;
    gaussian.emission = GaussianSpec{std::vector<NormalGammaLaw>(2)};
    return {model_with_bits(), symbols, gaussian};
}

Observations data_drawn_from(const State& state) {
    Observations data{Sequences::of_lengths({20, 0, 1, 12}), {}, {}};
    State drawn = state;
    const PriorAddress address{.seed = 9};
    draw_states(data.sequences, drawn, address);
    draw_data(drawn, data, address);
    if (data.symbol.is_empty()) {
        data.y(0, 3) = arma::datum::nan;
        data.y.col(7).fill(arma::datum::nan);
    } else {
        data.symbol(3) = no_symbol;
    }
    return data;
}

Observations step_of(const Observations& data, arma::uword t) {
    Observations step{Sequences::of_lengths({1}), {}, {}};
    if (data.symbol.is_empty())
        step.y = data.y.col(t);
    else
        step.symbol = arma::ivec{data.symbol(t)};
    return step;
}

}  // namespace

TEST_CASE("prediction: densities of two draws, by hand") {
    Model model;
    model.n_states = 1;
    model.emission = CategoricalSpec::symmetric(2, 1.0);
    std::vector<State> draws(2, draw_parameters(model, {.seed = 1}));
    std::get<CategoricalState>(draws[0].emission).log_theta = arma::log(arma::vec{0.9, 0.1});
    std::get<CategoricalState>(draws[1].emission).log_theta = arma::log(arma::vec{0.3, 0.7});
    const Observations data{Sequences::of_lengths({3, 1}), {}, arma::ivec{0, 0, 1, 1}};
    PooledSteps pooled;
    for (const State& draw : draws) add_draw(pooled, draw, filter_data(draw, data), data.sequences);
    const arma::vec& log_density = pooled.log_density;
    CHECK(std::exp(log_density(0)) == doctest::Approx(0.6));
    CHECK(std::exp(log_density(1)) == doctest::Approx((0.81 + 0.09) / 1.2));
    CHECK(std::exp(log_density(2)) == doctest::Approx((0.081 + 0.063) / 0.9));
    CHECK(std::exp(log_density(3)) == doctest::Approx(0.4));  // a new sequence: both draws count the same again
    CHECK(pooled.filtered.is_empty());
}

TEST_CASE("prediction: one by one as all at once, for every emission; densities add up; order does not matter") {
    for (const Model& model : models()) {
        std::vector<State> draws;
        for (const std::uint32_t g : {0u, 1u, 2u}) draws.push_back(draw_parameters(model, {.seed = 3, .draw = g}));
        const Observations data = data_drawn_from(draws[0]);
        const Sequences& sequences = data.sequences;
        PooledSteps pooled, first, rest;
        arma::mat log_likelihood(sequences.count(), draws.size());
        for (arma::uword g = 0; g < draws.size(); ++g) {
            const FilteredData filtered = filter_data(draws[g], data);
            log_likelihood.col(g) = sequence_log_likelihoods(filtered);
            add_draw(pooled, draws[g], filtered, sequences);
            add_draw(g == 0 ? first : rest, draws[g], filtered, sequences);
        }
        add_pooled(rest, first, sequences);
        CHECK(arma::approx_equal(rest.log_density, pooled.log_density, "both", 1e-12, 1e-12));
        CHECK(arma::approx_equal(rest.smoothed, pooled.smoothed, "both", 1e-12, 1e-12));
        CHECK(rest.n_draws == 3);

        const arma::vec& log_density = pooled.log_density;
        OnlineFilter online(draws);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            online.restart();
            double total = 0.0;
            for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
                const double found = online.step(step_of(data, t));
                CHECK(found == doctest::Approx(log_density(t)).epsilon(1e-11));
                total += found;
                const arma::vec bits = online.bits();
                CHECK(bits.n_elem == pooled.filtered.n_rows);
                if (!bits.is_empty()) CHECK(arma::abs(bits - pooled.filtered.col(t) / 3.0).max() < 1e-12);
                CHECK(arma::accu(online.states(2)) == doctest::Approx(1.0).epsilon(1e-12));
            }
            const double mean = log_sum_exp(3, [&](arma::uword g) { return log_likelihood(s, g); }) - std::log(3.0);
            CHECK(total == doctest::Approx(sequences.length(s) == 0 ? 0.0 : mean).epsilon(1e-12));
        }
    }
}

TEST_CASE("prediction: a step that nothing explains costs the steps after it no digits") {
    Model model;
    model.n_states = 3;
    model.emission = GaussianSpec{{NormalGammaLaw{.m = 0.0, .k = 0.5, .a = 2.0, .b = 2.0}}};
    std::vector<State> draws;
    for (const std::uint32_t g : {0u, 1u, 2u}) draws.push_back(draw_parameters(model, {.seed = 3, .draw = g}));
    for (const double slip : {1e5, 1e12, 1e150}) {
        const Observations data{Sequences::of_lengths({4, 2}), arma::mat{{0.3, slip, -0.4, 0.1, 0.2, -0.3}}, {}};
        PooledSteps pooled;
        for (const State& draw : draws) add_draw(pooled, draw, filter_data(draw, data), data.sequences);
        OnlineFilter online(draws);
        for (arma::uword t = 0; t < 6; ++t) {
            if (t == 4) online.restart();
            const double found = online.step(step_of(data, t));
            CHECK(found == doctest::Approx(pooled.log_density[t]).epsilon(1e-12));
            if (t != 1) CHECK(std::abs(found) < 10.0);
        }
    }
}

TEST_CASE("prediction: a bit is as probable as the states that have it") {
    const Model model = model_with_bits();
    State draw = draw_parameters(model, {.seed = 3});
    draw.log_pi.zeros();  // no state is a favourite
    const Observations data = data_drawn_from(draw);
    PooledSteps pooled;
    add_draw(pooled, draw, filter_data(draw, data), data.sequences);
    REQUIRE(pooled.smoothed.n_rows == 3);
    OnlineFilter online({draw});
    online.step(step_of(data, 0));
    const arma::vec states = online.states(0);
    double expected = 0.0;
    for (arma::uword j = 0; j < 5; ++j)
        if (bits(draw.locations)(1, j) == 1) expected += states(j);
    CHECK(online.bits()(1) == doctest::Approx(expected));
    CHECK(pooled.filtered(1, 0) == doctest::Approx(expected));
    // at the last step of a sequence nothing is left to smooth with
    CHECK(arma::abs(pooled.smoothed.col(19) - pooled.filtered.col(19)).max() < 1e-12);
    CHECK(arma::abs(pooled.smoothed - pooled.filtered).max() > 1e-3);
}

TEST_CASE("prediction: states that have durations are pooled like others") {
    Model model = model_with_bits();
    model.dynamics = SemiMarkovDynamics{PoissonDurations{{4.0, 1.0}}};
    std::vector<State> draws;
    for (const std::uint32_t g : {0u, 1u}) draws.push_back(draw_parameters(model, {.seed = 3, .draw = g}));
    const Observations data = data_drawn_from(draws[0]);
    PooledSteps pooled;
    arma::mat log_likelihood(data.sequences.count(), 2);
    for (arma::uword g = 0; g < 2; ++g) {
        const FilteredData filtered = filter_data(draws[g], data);
        log_likelihood.col(g) = sequence_log_likelihoods(filtered);
        CHECK(arma::approx_equal(log_likelihood.col(g), heldout_log_likelihood(draws[g], data), "both", 1e-12, 1e-12));
        CHECK(arma::abs(arma::sum(smoothed_probabilities(filtered, data.sequences)) - 1.0).max() < 1e-12);
        add_draw(pooled, draws[g], filtered, data.sequences);
    }
    const arma::vec& log_density = pooled.log_density;
    const double mean = log_add_exp(log_likelihood(0, 0), log_likelihood(0, 1)) - std::log(2.0);
    CHECK(arma::accu(log_density.head(20)) == doctest::Approx(mean).epsilon(1e-12));
    REQUIRE(pooled.smoothed.n_rows == 3);
    CHECK(arma::abs(pooled.smoothed.col(19) - pooled.filtered.col(19)).max() < 1e-12);
    CHECK(arma::abs(pooled.smoothed - pooled.filtered).max() > 1e-3);
    CHECK_THROWS_WITH_AS(OnlineFilter{draws}, doctest::Contains("durations"), std::domain_error);
}

TEST_CASE("prediction: what cannot be is refused, and the filter stands where it stood") {
    const State draw = draw_parameters(models()[2], {.seed = 3});
    OnlineFilter online({draw});
    const Observations good{Sequences::of_lengths({1}), arma::vec{0.1, 0.2}, {}};
    const Observations bad{Sequences::of_lengths({1}), arma::vec{1e300, 0.2}, {}};
    online.step(good);
    OnlineFilter other = online;
    CHECK_THROWS_WITH_AS(online.step(bad), "OnlineFilter::step: no state has a positive probability",
                         std::runtime_error);
    CHECK(online.step(good) == other.step(good));
    CHECK_THROWS_AS(online.step({Sequences::of_lengths({2}), arma::mat(2, 2, arma::fill::zeros), {}}),
                    std::domain_error);
    CHECK_THROWS_AS(online.states(1), std::domain_error);
    CHECK_THROWS_AS(OnlineFilter({}), std::domain_error);
}
