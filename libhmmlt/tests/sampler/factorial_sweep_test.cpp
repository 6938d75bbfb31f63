// The sweep of the factorial model as a function of its address; its law is the business of tests/posterior.
#include "hmmlt/sampler/factorial_sweep.hpp"

#include <doctest/doctest.h>

using namespace hmmlt;

TEST_CASE("factorial sweep: the same address gives the same state") {
    FactorialModel model;
    model.emission.h.assign(2, {3.0, 2.0});
    model.emission.weights = LearnedWeights::isotropic(2, 1.0);
    Observations observations{Sequences::of_lengths({20}), {}, {}};
    FactorialState a = draw_parameters(model, {.seed = 3});
    draw_states(observations.sequences, a, {.seed = 3});
    draw_data(a, observations, {.seed = 3});
    FactorialState b = a;
    for (std::uint32_t sweep = 1; sweep <= 10; ++sweep) {
        run_factorial_sweep(model, observations, a, {4, 0, sweep});
        run_factorial_sweep(model, observations, b, {4, 0, sweep});
    }
    CHECK(a == b);
}

TEST_CASE("factorial sweep: an error names sweep and chain") {
    FactorialModel model;
    model.emission.h.assign(1, {3.0, 2.0});
    model.emission.weights = LearnedWeights::isotropic(2, 1.0);
    Observations observations{Sequences::of_lengths({5}), {}, {}};
    FactorialState state = draw_parameters(model, {.seed = 3});
    draw_states(observations.sequences, state, {.seed = 3});
    draw_data(state, observations, {.seed = 3});
    state.chains[1].log_pi(0, 1) = arma::datum::nan;
    CHECK_THROWS_WITH_AS(
        run_factorial_sweep(model, observations, state, {4, 0, 9}),
        doctest::Contains("sweep 9 of the factorial model, chain 1: sample_chain: log of the total rate of row 0 must "
                          "be finite, found"),  // nan or -nan, as the compiler likes
        std::runtime_error);
}
