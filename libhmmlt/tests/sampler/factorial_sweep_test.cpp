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
