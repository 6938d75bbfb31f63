// The sweep of the factorial model as a function of its address; its law is the business of tests/posterior.
#include "hmmlt/sampler/factorial_sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "hmmlt/sampler/factorial_chain.hpp"
#include "hmmlt/sampler/heldout.hpp"

using namespace hmmlt;

namespace {

struct FactorialProblem {
    FactorialModel model;
    Observations observations;
    FactorialState state;
};

FactorialProblem factorial_problem(arma::uword n_dims, const std::vector<arma::uword>& lengths = {20, 5}) {
    FactorialProblem problem;
    problem.model.emission.h.assign(2, {3.0, 2.0});
    problem.model.emission.weights = LearnedWeights::isotropic(n_dims, 1.0);
    problem.observations.sequences = Sequences::of_lengths(lengths);
    problem.state = draw_parameters(problem.model, {.seed = 3});
    draw_states(problem.observations.sequences, problem.state, {.seed = 3});
    draw_data(problem.state, problem.observations, {.seed = 3});
    return problem;
}

}  // namespace

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

TEST_CASE(
    "factorial sweep: the likelihood of `blocked` is that of the parameters before it, start rows integrated out") {
    FactorialProblem problem = factorial_problem(3, {20});
    FactorialChain chain(problem.model, problem.observations, {.seed = 4, .sampler = Sampler::blocked});
    for (int i = 0; i < 3; ++i) {
        FactorialState integrated = chain.state();
        for (BinaryChainState& one : integrated.chains) one.log_pi.row(2) = one.log_beta.t();
        const double expected = arma::accu(heldout_log_likelihood(integrated, problem.observations));
        const SweepInfo info = chain.step();
        CHECK(info.log_likelihood == doctest::Approx(expected).epsilon(1e-6));
        CHECK(info.seconds.size() == chain.block_names().size());
    }
    FactorialChain single(problem.model, problem.observations, {.seed = 4, .sampler = Sampler::single});
    const SweepInfo info = single.step();
    CHECK(std::isnan(info.log_likelihood));
    CHECK(info.seconds.size() == single.block_names().size());
}

TEST_CASE("factorial sweep: more chains than can be drawn at once come in blocks, all of them") {
    FactorialProblem problem = factorial_problem(most_joint_chains + 1);
    for (BinaryChainState& chain : problem.state.chains) chain.log_pi.zeros();  // no bit stays by itself
    const arma::umat before = problem.state.theta;
    JointDrawScratch scratch;
    CHECK(std::isnan(sample_bits_jointly(problem.observations, Precision::float32, {.in_block = 6}, scratch,
                                         problem.state, {4, 0, 1})));
    for (arma::uword dim = 0; dim < before.n_rows; ++dim) {
        CAPTURE(dim);
        CHECK(arma::any(problem.state.theta.row(dim) != before.row(dim)));
    }
    FactorialState again = problem.state;
    again.theta = before;
    sample_bits_jointly(problem.observations, Precision::float32, {.in_block = 6}, scratch, again, {4, 0, 1});
    CHECK(arma::all(arma::vectorise(again.theta == problem.state.theta)));
}

TEST_CASE("factorial sweep: an error of `blocked` names sweep and part") {
    FactorialProblem problem = factorial_problem(2);
    FactorialChain chain(problem.model, problem.observations, {.seed = 4, .sampler = Sampler::blocked}, problem.state,
                         8);
    FactorialState broken = problem.state;
    broken.chains[1].log_pi(0, 1) = arma::datum::inf;
    FactorialChain bad(problem.model, problem.observations, {.seed = 4, .sampler = Sampler::blocked}, broken, 8);
    CHECK_NOTHROW(chain.step());
    CHECK_THROWS_WITH_AS(bad.step(),
                         "sweep 9 of the factorial model, bits: sample_joint_chains: log of the total rate of row 0 "
                         "must be finite, found "
                         "inf",
                         std::runtime_error);
}

TEST_CASE("factorial chain: a wide prior does not decide where `blocked` begins, and decides where `single` does") {
    FactorialProblem problem = factorial_problem(3);
    problem.model.gamma = problem.model.c = GammaPrior{1e-3, 1e-3};
    const auto smallest = [&](Sampler sampler) {
        double gamma = 1.0;
        for (std::uint32_t chain = 0; chain < 20; ++chain)
            for (const BinaryChainState& one :
                 factorial_start_state(problem.model, problem.observations, Start::iid, sampler, {}, 5, chain).chains)
                gamma = std::min(gamma, one.gamma);
        return gamma;
    };
    CHECK(smallest(Sampler::blocked) > 1e-6);
    CHECK(smallest(Sampler::single) < 1e-30);
    problem.model.gamma = 0.5;
    CHECK(factorial_start_state(problem.model, problem.observations, Start::iid, Sampler::blocked, {}, 5, 0)
              .chains[0]
              .gamma == 0.5);
}
