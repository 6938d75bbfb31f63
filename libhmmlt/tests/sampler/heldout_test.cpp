// Held-out likelihood against the filter on data a model has been trained on, and expectations of emissions.
#include "hmmlt/sampler/heldout.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/model/generative.hpp"
#include "hmmlt/sampler/factorial_chain.hpp"

using namespace hmmlt;

TEST_CASE("held-out likelihood: a single step is a mixture, by hand") {
    Model model;
    model.n_states = 2;
    model.emission = CategoricalSpec::symmetric(2, 1.0);
    State state = draw_parameters(model, {.seed = 1});
    state.log_pi.row(2) = arma::log(arma::rowvec{1.0, 3.0});  // the start row: 1/4, 3/4
    std::get<CategoricalState>(state.emission).log_theta = arma::log(arma::mat{{0.2, 0.6}, {0.8, 0.4}});
    Observations test{Sequences::of_lengths({1, 1}), {}, arma::ivec{0, 1}};
    const arma::vec score = heldout_log_likelihood(state, test);
    CHECK(score(0) == doctest::Approx(std::log(0.25 * 0.2 + 0.75 * 0.6)));
    CHECK(score(1) == doctest::Approx(std::log(0.25 * 0.8 + 0.75 * 0.4)));
}

TEST_CASE("expected emission: counts plus prior, normalised") {
    Model model;
    model.n_states = 2;
    model.emission = CategoricalSpec::symmetric(2, 0.5);
    State state = draw_parameters(model, {.seed = 1});
    const Observations training{Sequences::of_lengths({4}), {}, arma::ivec{0, 0, 1, no_symbol}};
    state.z = {0, 0, 0, 1};
    const State expected = with_expected_emission(model, training, state);
    const arma::mat& log_theta = std::get<CategoricalState>(expected.emission).log_theta;
    CHECK(std::exp(log_theta(0, 0)) == doctest::Approx(2.5 / 4.0));
    CHECK(std::exp(log_theta(1, 0)) == doctest::Approx(1.5 / 4.0));
    CHECK(std::exp(log_theta(0, 1)) == doctest::Approx(0.5));
    CHECK(expected.z(3) == 1);
}

TEST_CASE("expected emission: means of the conjugate laws, by hand") {
    const Observations training{Sequences::of_lengths({3}), arma::rowvec{1.0, 3.0, 10.0}, {}};
    Model gaussian;
    gaussian.n_states = 2;
    gaussian.emission = GaussianSpec{{{.m = 0.0, .k = 1.0, .a = 2.0, .b = 1.0}}};
    State state = draw_parameters(gaussian, {.seed = 1});
    state.z = {0, 0, 1};
    const auto normal = std::get<GaussianState>(with_expected_emission(gaussian, training, state).emission);
    CHECK(normal.mean(0, 0) == doctest::Approx(4.0 / 3.0));  // (1 * 0 + 2 * 2) / (1 + 2)
    // a = 2 + 1, b = 1 + ((1-2)^2 + (3-2)^2) / 2 + 1 * 2 * 2^2 / (2 * 3)
    CHECK(normal.h(0, 0) == doctest::Approx(3.0 / (2.0 + 4.0 / 3.0)));

    Model linear;
    linear.n_states = 2;
    linear.locations = BinaryLocations{1, {}};
    linear.emission = LinearGaussianSpec{{{2.0, 1.0}}, KnownWeights{arma::vec{1.0, 2.0}}};
    state = draw_parameters(linear, {.seed = 1});
    std::get<BinaryLocationState>(state.locations).theta = arma::urowvec{0, 1};
    state.z = {0, 1, 1};
    const auto noise = std::get<LinearGaussianState>(with_expected_emission(linear, training, state).emission);
    CHECK(noise.h(0) == doctest::Approx(3.5 / (1.0 + 49.0 / 2.0)));  // residuals 0, 0, 7
    CHECK(noise.weights(1, 0) == 2.0);
}

TEST_CASE("factorial chain: starts, resumption, and a likelihood that sums out the bits") {
    FactorialModel model;
    model.emission = {std::vector<GammaPrior>(2, {2.0, 1.0}), LearnedWeights::isotropic(3, 1.0)};
    Observations data{Sequences::of_lengths({20, 1, 9}), {}, {}};
    FactorialState truth = draw_parameters(model, {.seed = 5, .chain = data_chain});
    draw_states(data.sequences, truth, {.seed = 5, .chain = data_chain});
    draw_data(truth, data, {.seed = 5, .chain = data_chain});
    const std::vector<std::pair<Start, Sampler>> settings_of_runs{{Start::time_blocks, Sampler::single},
                                                                  {Start::iid, Sampler::blocked},
                                                                  {Start::prior, Sampler::single},
                                                                  {Start::truth, Sampler::single},
                                                                  {Start::truth, Sampler::blocked}};
    for (const auto& [start, sampler] : settings_of_runs) {
        const ChainSettings settings{.seed = 2, .chain = 1, .sampler = sampler, .start = start};
        FactorialChain whole(model, data, settings, {truth.theta, {}});
        if (start == Start::truth) CHECK(arma::accu(whole.state().theta != truth.theta) == 0);
        for (int i = 0; i < 6; ++i) whole.step();
        FactorialChain half(model, data, settings, {truth.theta, {}});
        for (int i = 0; i < 3; ++i) half.step();
        FactorialChain rest(model, data, settings, half.state(), half.n_sweeps());
        for (int i = 0; i < 3; ++i) rest.step();
        CHECK(rest.state() == whole.state());
        CHECK(rest.n_sweeps() == 6);
        const arma::vec score = heldout_log_likelihood(whole.state(), data);
        CHECK(score.n_elem == 3);
        CHECK(score.is_finite());
        CHECK(heldout_log_likelihood(with_expected_emission(model, data, whole.state()), data).is_finite());
    }
    CHECK_THROWS_WITH_AS(FactorialChain(model, data, {.start = Start::truth}),
                         "start = truth needs the true bits theta_0 .. theta_2, found 0 of them", std::domain_error);
}
