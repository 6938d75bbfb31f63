// The chain as a user drives it: determinism, resumption, starts, reductions of one model to another, and errors.
#include "hmmlt/sampler/chain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/model/state_bytes.hpp"
#include "hmmlt/sampler/trace.hpp"

using namespace hmmlt;

namespace {

Model binary_model() {
    Model model;
    model.n_states = 8;
    model.gamma = GammaPrior{1.0, 0.5};
    model.c = GammaPrior{1.0, 0.5};
    model.rho = BetaPrior{1.0, 1.0};
    model.similarity = LaplacianSimilarity{ExponentialPrior{0.5}};
    model.locations = BinaryLocations{5, {}};
    model.emission = LinearGaussianSpec{std::vector<GammaPrior>(3, {2.0, 1.0}), LearnedWeights::isotropic(5, 1.0)};
    return model;
}

Model shared_precision_model() {
    Model model = binary_model();
    std::get<LinearGaussianSpec>(model.emission).weights = SharedPrecisionWeights{5, 0.5, {2.0, 1.0}};
    return model;
}

Model euclidean_model() {
    Model model = binary_model();
    model.similarity = GaussianSimilarity{ExponentialPrior{0.5}};
    model.locations = EuclideanLocations{};
    model.emission = CategoricalSpec::symmetric(6, 0.5);
    return model;
}

Observations data_of(const Model& model) {
    Observations observations{Sequences::of_lengths({30, 1, 20}), {}, {}};
    const PriorAddress address{.seed = 99, .chain = data_chain};
    State state = draw_parameters(model, address);
    draw_states(observations.sequences, state, address);
    draw_data(state, observations, address);
    return observations;
}

State run(const Model& model, const Observations& observations, const ChainSettings& settings, std::uint32_t n) {
    Chain chain(model, observations, settings);
    for (std::uint32_t i = 0; i < n; ++i) chain.step();
    return chain.state();
}

}  // namespace

TEST_CASE("chain: the same seed gives the same state, another seed or chain another") {
    for (const Model& model : {binary_model(), euclidean_model()})
        for (const Sampler sampler : {Sampler::single, Sampler::blocked}) {
            const Observations observations = data_of(model);
            const ChainSettings settings{.seed = 5, .chain = 1, .sampler = sampler, .burn_in = 10};
            const State first = run(model, observations, settings, 20);
            CHECK(first == run(model, observations, settings, 20));
            ChainSettings other = settings;
            other.seed = 6;
            CHECK_FALSE(first == run(model, observations, other, 20));
            other = settings;
            other.chain = 2;
            CHECK_FALSE(first == run(model, observations, other, 20));
        }
}

TEST_CASE("chain: stopped and continued is the same as never stopped, also across the end of burn-in") {
    for (const Model& model : {binary_model(), euclidean_model(), shared_precision_model()}) {
        const Observations observations = data_of(model);
        const ChainSettings settings{.seed = 7, .chain = 0, .sampler = Sampler::blocked, .burn_in = 12};
        const State whole = run(model, observations, settings, 25);
        for (const std::uint32_t stop : {0u, 1u, 11u, 12u, 13u, 24u}) {
            CAPTURE(stop);
            State half;
            from_bytes(to_bytes(run(model, observations, settings, stop)), half);
            Chain continued(model, observations, settings, half, stop);
            continued.run(25 - stop, [](std::uint32_t, const State&, const SweepInfo&) {});
            CHECK(continued.n_sweeps() == 25);
            CHECK(continued.state() == whole);
        }
    }
}

TEST_CASE("chain: the sink sees every sweep from 1, with sensible numbers") {
    const Model model = binary_model();
    const Observations observations = data_of(model);
    Chain chain(model, observations, {.seed = 8});
    std::uint32_t expected = 1;
    chain.run(10, [&](std::uint32_t sweep, const State& state, const SweepInfo& info) {
        CHECK(sweep == expected++);
        CHECK(std::isfinite(info.log_likelihood));
        CHECK((info.n_used >= 1 && info.n_used <= 8));
        CHECK(std::isfinite(log_joint(model, state, observations)));
    });
    CHECK(expected == 11);
}

TEST_CASE("chain: a learnt precision of W moves and is in the trace, a fixed one is not") {
    const Model model = shared_precision_model();
    const Observations observations = data_of(model);
    Chain chain(model, observations, {.seed = 8});
    double before = std::get<LinearGaussianState>(chain.state().emission).weight_precision.value();
    CHECK(trace_names(model).back() == "weight_precision");
    chain.run(5, [&](std::uint32_t, const State& state, const SweepInfo& info) {
        const double now = std::get<LinearGaussianState>(state.emission).weight_precision.value();
        CHECK(now != before);
        CHECK(trace_values(model, observations, state, info).back() == now);
        before = now;
    });
    CHECK(trace_names(binary_model()).back() == "h_2");
}

TEST_CASE("chain: transitions of bits are in the trace one by one where bits have names, and else as one number") {
    const Observations observations = data_of(binary_model());
    Model model = binary_model();
    model.similarity = FactorialLimitSimilarity{{1.0, 1.0}};
    const auto place_of = [&model](const std::string& name) {
        const std::vector<std::string> names = trace_names(model);
        const auto found = std::find(names.begin(), names.end(), name);
        return found == names.end() ? -1 : static_cast<int>(found - names.begin());
    };
    CHECK(place_of("turns_on_0") == -1);
    CHECK(place_of("stays_on_0") == -1);
    REQUIRE(place_of("bit_changes") != -1);
    State state = Chain(model, observations, {.seed = 8}).state();
    const auto changes = [&] {
        return trace_values(model, observations, state, {}).at(static_cast<std::size_t>(place_of("bit_changes")));
    };
    const arma::mat on{{0.1, 0.6, 0.3, 0.5, 0.5}, {0.8, 0.5, 0.9, 0.5, 0.5}};
    state.bit_logits = arma::log(on / (1.0 - on));
    CHECK(changes() == doctest::Approx((0.1 + 0.2 + 0.6 + 0.5 + 0.3 + 0.1 + 2.0) / 10));
    const double before = changes();
    state.bit_logits.swap_cols(0, 2);
    state.bit_logits.col(1) = -arma::flipud(state.bit_logits.col(1));  // the other way round: off is on
    CHECK(changes() == doctest::Approx(before));

    std::get<LinearGaussianSpec>(model.emission).weights = KnownWeights{arma::mat(6, 3, arma::fill::ones)};
    CHECK(place_of("turns_on_0") != -1);
    CHECK(place_of("stays_on_4") != -1);
    CHECK(place_of("bit_changes") == -1);
}

TEST_CASE("chain: every start, on every sampler") {
    const Model model = binary_model();
    const Observations observations = data_of(model);
    for (const Sampler sampler : {Sampler::single, Sampler::blocked})
        for (const char* name : {"time_blocks", "iid", "prior"}) {
            const State state = start_state(model, observations, start_named(name), {}, sweep_of(sampler), 3, 0);
            CHECK(state.z.n_elem == observations.sequences.n_steps());
            CHECK(std::isfinite(log_joint(model, state, observations)));
        }
    CHECK_THROWS_WITH_AS(start_named("random"), "start must be one of time_blocks, iid, prior, truth, found random",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(sampler_named("gibbs"), "sampler must be single or blocked, found gibbs", std::domain_error);
    CHECK(arma::accu(time_block_states(10, 4) != arma::uvec{0, 0, 0, 1, 1, 2, 2, 2, 3, 3}) == 0);
    CHECK(time_block_states(1000, 600).max() == 99);
    // a start at given states keeps them
    const arma::uvec z = arma::regspace<arma::uvec>(0, 50) / 10;
    CHECK(arma::accu(start_state_at(model, observations, z, {}, single_sweep(), 3, 0).z != z) == 0);
}

TEST_CASE("chain: semi-Markov in one state only, under a gamma that empties all others, goes on") {
    Model model;
    model.n_states = 50;
    model.gamma = GammaPrior{0.1, 0.1};
    model.c = GammaPrior{0.1, 0.1};
    model.emission = CategoricalSpec::symmetric(2, 5.0);
    model.dynamics = SemiMarkovDynamics{PoissonDurations{}};
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        Observations observations{Sequences::of_lengths({12}), {}, {}};
        observations.symbol.zeros(12);
        const ChainSettings settings{.seed = seed, .sampler = Sampler::blocked};
        const Sweep sweep = with_dynamics(model.dynamics, sweep_of(settings.sampler));
        State start = start_state_at(model, observations, arma::uvec(12, arma::fill::zeros), {}, sweep, seed, 0);
        Chain chain(model, observations, settings, start, 0);
        bool never_empty = true;
        for (int i = 0; i < 1000; ++i) {
            CHECK(std::isfinite(chain.step().log_likelihood));
            const arma::vec log_beta = arma::sort(chain.state().log_beta, "descend");
            never_empty &= log_beta(1) > -700.0;
        }
        CHECK_FALSE(never_empty);  // it was met
        CHECK(std::isfinite(log_joint(model, chain.state(), observations)));
    }
    // and data drawn from such a prior
    for (std::uint32_t draw = 0; draw < 200; ++draw) {
        State state = draw_parameters(model, {.seed = 4, .draw = draw});
        CHECK_NOTHROW(draw_states(Sequences::of_lengths({50}), state, {.seed = 4, .draw = draw}));
    }
}

TEST_CASE("chain: semi-Markov, from every start, goes on as if it had never stopped; single is refused") {
    Model model = binary_model();
    model.rho = 0.0;
    for (const DurationSpec& durations :
         {DurationSpec{PoissonDurations{}}, DurationSpec{NegativeBinomialDurations{}}}) {
        model.dynamics = SemiMarkovDynamics{durations};
        const Observations observations = data_of(model);
        for (const Start start : {Start::time_blocks, Start::iid, Start::prior}) {
            const ChainSettings settings{.seed = 3, .sampler = Sampler::blocked, .start = start};
            Chain whole(model, observations, settings);
            Chain half(model, observations, settings);
            for (int i = 0; i < 20; ++i) {
                const SweepInfo info = whole.step();
                CHECK(std::isfinite(info.log_likelihood));
                CHECK(std::isfinite(log_joint(model, whole.state(), observations)));
            }
            for (int i = 0; i < 10; ++i) half.step();
            Chain rest(model, observations, settings, half.state(), half.n_sweeps());
            for (int i = 0; i < 10; ++i) rest.step();
            CHECK(rest.state() == whole.state());
        }
        CHECK_THROWS_WITH_AS(
            Chain(model, observations, {.sampler = Sampler::single}),
            "Chain: sampler must be blocked for a semi_markov model, found single, which would have to "
            "count jumps that always fail",
            std::domain_error);
    }
    model.rho = BetaPrior{};
    CHECK_THROWS_WITH_AS(check_model(model), doctest::Contains("semi_markov needs rho = 0"), std::domain_error);
    model.rho = 0.0;
    model.n_states = 1;
    CHECK_THROWS_WITH_AS(check_model(model), doctest::Contains("at least 2 states"), std::domain_error);
}

TEST_CASE("start at the truth: one state per distinct bit vector, with that vector") {
    // vectors in the order of appearance: 10 (3 times), 01 (2), 11 (1), 00 (2)
    const arma::umat theta{{1, 1, 0, 1, 1, 0, 0, 0}, {0, 0, 1, 1, 0, 1, 0, 0}};
    const BitStates all = states_of_bits(theta, 5);
    CHECK(arma::accu(all.z != arma::uvec{0, 0, 1, 2, 0, 1, 3, 3}) == 0);
    CHECK(arma::accu(all.vectors != arma::umat{{1, 0, 1, 0}, {0, 1, 1, 0}}) == 0);
    // three states: 11 is the rarest and goes to the first of its two nearest, 10
    const BitStates three = states_of_bits(theta, 3);
    CHECK(arma::accu(three.vectors != arma::umat{{1, 0, 0}, {0, 1, 0}}) == 0);
    CHECK(arma::accu(three.z != arma::uvec{0, 0, 1, 0, 0, 1, 2, 2}) == 0);

    const Model model = binary_model();
    const Observations observations = data_of(model);
    Truth truth;
    truth.theta.zeros(5, observations.sequences.n_steps());
    truth.theta.cols(10, 19).ones();
    for (const Sampler sampler : {Sampler::single, Sampler::blocked}) {
        const Chain chain(model, observations, {.seed = 3, .sampler = sampler, .start = Start::truth}, truth);
        CHECK(arma::accu(bits(chain.state().locations).cols(chain.state().z) != truth.theta) == 0);
        CHECK(std::isfinite(log_joint(model, chain.state(), observations)));
    }
    CHECK_THROWS_WITH_AS(Chain(model, observations, {.start = Start::truth}, {}),
                         "start = truth needs the true bits theta_0 .. theta_4, found 0 of them", std::domain_error);

    const Model symbols = euclidean_model();
    const Observations tokens = data_of(symbols);
    CHECK_THROWS_WITH_AS(Chain(symbols, tokens, {.start = Start::truth}, {}),
                         "start = truth needs the true states z, found none", std::domain_error);
    Truth states;
    states.z = arma::regspace<arma::uvec>(0, 50) / 10;
    CHECK(arma::accu(Chain(symbols, tokens, {.start = Start::truth}, states).state().z != states.z) == 0);
    states.z(7) = 8;
    CHECK_THROWS_WITH_AS(Chain(symbols, tokens, {.start = Start::truth}, states),
                         "start = truth needs z below n_states = 8, found 8", std::domain_error);
}

TEST_CASE("chain: with the vague priors of the paper, every start gives a state to sweep from") {
    // Gamma(0.1, 0.1) draws a c below 1e-10 one time in ten; rates from that prior are e^-1e10 and know nothing of z
    for (Model model : {binary_model(), euclidean_model()}) {
        const Observations observations = data_of(model);
        model.n_states = 20;
        model.gamma = model.c = GammaPrior{0.1, 0.1};
        for (const Start start : {Start::time_blocks, Start::iid, Start::prior})
            for (std::uint64_t seed = 0; seed < 60; ++seed) {
                CAPTURE(seed);
                Chain chain(model, observations, {.seed = seed, .sampler = Sampler::blocked, .start = start});
                CHECK(chain.state().lambda < 1e3);
                for (int i = 0; i < 3; ++i) CHECK_NOTHROW(chain.step());
            }
    }
}

TEST_CASE("reductions: lambda = 0 is the constant similarity, draw by draw") {
    Model local = binary_model();
    local.similarity = LaplacianSimilarity{0.0};
    Model plain = binary_model();
    plain.similarity = ConstantSimilarity{};
    const Observations observations = data_of(plain);
    for (const Sampler sampler : {Sampler::single, Sampler::blocked}) {
        const ChainSettings settings{.seed = 4, .sampler = sampler};
        CHECK(run(local, observations, settings, 10) == run(plain, observations, settings, 10));
    }
}

TEST_CASE("reductions: one sequence cut in two differs by a transition against a start") {
    Model model = euclidean_model();
    Observations whole = data_of(model);
    whole.sequences = Sequences::of_lengths({51});
    Observations cut = whole;
    cut.sequences = Sequences::of_lengths({20, 31});
    const State state = run(model, whole, {.seed = 2}, 3);
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    const double difference = transition.log_start(state.z(20)) - transition.log_from_to(state.z(19), state.z(20));
    CHECK(log_joint(model, state, cut) - log_joint(model, state, whole) == doctest::Approx(difference).epsilon(1e-9));
}

TEST_CASE("chain: an impossible value is reported with sweep, block and index") {
    const Model model = binary_model();
    Observations observations = data_of(model);
    State state = start_state(model, observations, Start::prior, {}, single_sweep(), 1, 0);
    Scratch scratch;
    Sweep broken = single_sweep();
    for (Block& block : broken)
        if (block.name == "rates")
            block.run = [](SweepContext& context, const BlockStreams&) {
                context.state.log_pi(2, 3) = std::numeric_limits<double>::quiet_NaN();
            };
    CHECK_THROWS_WITH_AS(run_sweep(broken, model, observations, state, scratch, {1, 0, 17}),
                         "sweep 17, block rates: log_pi(2, 3) is nan", std::runtime_error);
    // the parts of a state are looked at where they are drawn
    const auto report = [](const Model& parts, const char* name, const std::function<void(State&)>& spoil) {
        const Observations data = data_of(parts);
        State spoilt = start_state(parts, data, Start::prior, {}, blocked_sweep(), 1, 0);
        Sweep sweep = blocked_sweep();
        for (Block& block : sweep)
            if (block.name == name)
                block.run = [&](SweepContext& context, const BlockStreams&) { spoil(context.state); };
        try {
            Scratch own;
            run_sweep(sweep, parts, data, spoilt, own, {1, 0, 3});
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const double nan = arma::datum::nan;
    CHECK(report(model, "emission", [=](State& s) { std::get<LinearGaussianState>(s.emission).weights(2, 1) = nan; }) ==
          "sweep 3, block emission: weights(2, 1) is nan");
    CHECK(report(model, "emission", [=](State& s) { std::get<LinearGaussianState>(s.emission).h(1) = nan; }) ==
          "sweep 3, block emission: h(1, 0) is nan");
    CHECK(report(model, "features", [=](State& s) { std::get<LinearGaussianState>(s.emission).weights(0, 1) = nan; }) ==
          "sweep 3, block features: weights(0, 1) is nan");
    CHECK(report(shared_precision_model(), "emission", [=](State& s) {
              std::get<LinearGaussianState>(s.emission).weight_precision = nan;
          }) == "sweep 3, block emission: weight_precision is nan");
    CHECK(report(model, "bit_probabilities", [=](State& s) {
              std::get<BinaryLocationState>(s.locations).mu(4) = nan;
          }) == "sweep 3, block bit_probabilities: mu(4, 0) is nan");
    CHECK(report(euclidean_model(), "locations", [=](State& s) {
              std::get<EuclideanLocationState>(s.locations).location(1, 3) = nan;
          }) == "sweep 3, block locations: location(1, 3) is nan");
    CHECK(report(euclidean_model(), "emission", [=](State& s) {
              std::get<CategoricalState>(s.emission).log_theta(5, 0) = nan;
          }) == "sweep 3, block emission: log_theta(5, 0) is nan");
    observations.y.fill(std::numeric_limits<double>::infinity());
    state = draw_parameters(model, {.seed = 1});
    state.z.zeros(51);
    CHECK_THROWS_AS(run_sweep(single_sweep(), model, observations, state, scratch, {1, 0, 1}), std::runtime_error);
}

TEST_CASE("chain: the chain of synthetic data is nobody else's") {
    const Model model = binary_model();
    const Observations observations = data_of(model);
    CHECK_THROWS_WITH_AS(Chain(model, observations, {.chain = data_chain}),
                         "Chain: chain must be below 16777215, found 16777215", std::domain_error);
}

TEST_CASE("chain: data that are all missing sample the prior without complaint") {
    const Model model = binary_model();
    Observations observations = data_of(model);
    observations.y.fill(arma::datum::nan);
    Chain chain(model, observations, {.seed = 1, .sampler = Sampler::blocked});
    for (int i = 0; i < 5; ++i) CHECK(chain.step().log_likelihood == doctest::Approx(0.0));
}
