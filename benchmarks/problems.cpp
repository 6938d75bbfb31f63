#include "benchmarks/problems.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "hmmlt/model/generative.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/chain.hpp"
#include "hmmlt/sampler/factorial_chain.hpp"
#include "pipelines/stage/stage.hpp"

namespace hmmlt::bench {

namespace {

constexpr std::uint64_t seed = 20170806;
constexpr std::uint32_t n_warm_up = 20;  // sweeps from the truth to a state of the posterior
constexpr arma::uword n_dims = n_party_chains;
constexpr arma::uword n_channels = 12;
constexpr double party_seconds = 40.0;
constexpr double mean_turn = 1.84;
constexpr double mean_silence = 0.25;
constexpr arma::uword n_chorales = 200;
constexpr arma::uword n_tokens = 18818;
constexpr arma::uword n_symbols = 3308;

// Rising lengths with a long tail, from 40 to 257, that add up to n_tokens; benchmarks/peers/peers.py has the same
// ones.
std::vector<arma::uword> chorale_lengths() {
    std::vector<arma::uword> lengths(n_chorales);
    arma::uword total = 0;
    for (arma::uword s = 0; s < n_chorales; ++s) total += lengths[s] = 40 + 216 * s * s * s / (199 * 199 * 199);
    for (arma::uword s = n_chorales - 1; total < n_tokens; --s, ++total) ++lengths[s];
    return lengths;
}

// The truth of a party: in each conversation one of four people speaks, then there is a short silence.
arma::umat party_bits(arma::uword n_steps, Stream& rng) {
    constexpr arma::uword per_conversation = 4;
    arma::umat theta(n_dims, n_steps, arma::fill::zeros);
    const double step_seconds = party_seconds / static_cast<double>(n_steps);
    for (arma::uword first = 0; first < n_dims; first += per_conversation) {
        double now = draw_uniform(rng) * mean_turn;
        while (now < party_seconds) {
            const arma::uword who = first + static_cast<arma::uword>(draw_uniform(rng) * per_conversation);
            const double end = now + mean_turn * (0.6 + 0.8 * draw_uniform(rng));
            for (auto step = static_cast<arma::uword>(now / step_seconds);
                 step < n_steps && static_cast<double>(step) * step_seconds < end; ++step)
                theta(who, step) = 1;
            now = end + 2.0 * mean_silence * draw_uniform(rng);
        }
    }
    return theta;
}

struct DataAndTruth {
    Observations observations;
    Truth truth;
    arma::mat weights;  // of a party: (n_dims + 1) x n_channels
};

// Voices of loudness N(1, 0.5^2) at each step, mixed with weights U(0, 1), seen with noise N(0, 0.3^2): the recipe of
// the cocktail party. The loudness is not in the model, so a posterior is as untidy as on real data.
DataAndTruth party(arma::uword n_steps) {
    Stream rng(
        {.seed = seed, .chain = data_chain, .block = static_cast<std::uint32_t>(StreamBlock::prior_observations)});
    DataAndTruth made;
    made.truth.theta = party_bits(n_steps, rng);
    made.weights.set_size(n_dims + 1, n_channels);
    made.weights.for_each([&rng](double& weight) { weight = draw_uniform(rng); });
    arma::mat loudness(n_dims + 1, n_steps, arma::fill::ones);
    for (arma::uword step = 0; step < n_steps; ++step)
        for (arma::uword d = 0; d < n_dims; ++d)
            loudness(d + 1, step) = made.truth.theta(d, step) == 1 ? draw_normal(1.0, 0.5, rng) : 0.0;
    made.observations.sequences = Sequences::of_lengths({n_steps});
    made.observations.y = made.weights.t() * loudness;
    made.observations.y.for_each([&rng](double& value) { value += draw_normal(0.0, 0.3, rng); });
    return made;
}

DataAndTruth chorales(arma::uword n_states) {
    Model model;
    model.n_states = n_states;
    model.emission = CategoricalSpec::symmetric(n_symbols, 0.01);
    model.gamma = 20.0;
    model.c = 10.0;
    const PriorAddress address{.seed = seed, .chain = data_chain};
    State state = draw_parameters(model, address);
    DataAndTruth made;
    made.observations.sequences = Sequences::of_lengths(chorale_lengths());
    draw_states(made.observations.sequences, state, address);
    draw_data(state, made.observations, address);
    made.truth.z = state.z;
    return made;
}

// Priors of the experiments: vague Gammas, lambda ~ Exponential(0.1), Dirichlet(1) symbols.
Model model_named(const std::string& name, const Shape& shape, const DataAndTruth& made) {
    const bool is_sticky = name == "sticky" || name == "sticky_lt";
    const bool is_local = name == "lt" || name == "sticky_lt";
    if (!is_sticky && !is_local && name != "hdp_hmm")
        throw std::domain_error(fmt::format("a model must be lt, sticky_lt, hdp_hmm or sticky, found {}", name));
    Model model;
    model.n_states = shape.n_states;
    model.gamma = GammaPrior{0.1, 0.1};
    model.c = GammaPrior{0.1, 0.1};
    if (is_sticky) model.rho = BetaPrior{1.0, 1.0};
    if (shape.data == Data::party) {
        if (is_local) model.similarity = LaplacianSimilarity{ExponentialPrior{0.1}};
        model.locations = BinaryLocations{n_dims, {}};
        model.emission =
            LinearGaussianSpec{std::vector<GammaPrior>(n_channels, GammaPrior{0.1, 0.1}), KnownWeights{made.weights}};
    } else {
        if (is_local) {
            model.similarity = GaussianSimilarity{ExponentialPrior{0.1}};
            model.locations = EuclideanLocations{};
        }
        model.emission = CategoricalSpec::symmetric(n_symbols, 1.0);
    }
    return model;
}

Problem make_problem(const std::string& name, const Shape& shape) {
    DataAndTruth made = shape.data == Data::party ? party(shape.n_steps) : chorales(shape.n_states);
    const Model model = model_named(name, shape, made);
    if (shape.stage == Stage::live) {
        const Chain chain(model, made.observations, {.seed = seed, .start = Start::iid});
        return {model, std::move(made.observations), chain.state()};
    }
    // Under the vague priors the concentrations take long to find their place; held where long chains have them, the
    // number of states in use and the share of messages that vanish soon are those of such chains.
    Model held = model;
    held.gamma = 20.0;
    held.c = 10.0;
    Chain chain(held, made.observations, {.seed = seed, .sampler = Sampler::blocked, .start = Start::truth},
                made.truth);
    for (std::uint32_t sweep = 0; sweep < n_warm_up; ++sweep) {
        stop_if_interrupted();
        chain.step();
    }
    return {model, std::move(made.observations), chain.state()};
}

// The same problem, from the same state, with z drawn in a beam.
constexpr std::string_view in_beam = "_beam";

Problem make_any_problem(const std::string& name, const Shape& shape) {
    if (!name.ends_with(in_beam)) return make_problem(name, shape);
    Problem made = make_problem(name.substr(0, name.size() - in_beam.size()), shape);
    made.model.dynamics = BeamDynamics{};
    return made;
}

}  // namespace

std::string Shape::text() const {
    const char* suffix = stage == Stage::live ? "live" : "posterior";
    return data == Data::party ? fmt::format("T={} J={} {}", n_steps, n_states, suffix)
                               : fmt::format("chorales J={} {}", n_states, suffix);
}

Sequences sequences_of(const Shape& shape) {
    return Sequences::of_lengths(shape.data == Data::party ? std::vector<arma::uword>{shape.n_steps}
                                                           : chorale_lengths());
}

FactorialProblem factorial_problem(arma::uword n_steps) {
    DataAndTruth made = party(n_steps);
    FactorialModel model;
    model.gamma = GammaPrior{0.1, 0.1};
    model.c = GammaPrior{0.1, 0.1};
    model.emission =
        LinearGaussianSpec{std::vector<GammaPrior>(n_channels, GammaPrior{0.1, 0.1}), KnownWeights{made.weights}};
    FactorialChain chain(model, made.observations, {.seed = seed, .start = Start::truth}, made.truth);
    for (std::uint32_t sweep = 0; sweep < n_warm_up; ++sweep) chain.step();
    return {model, std::move(made.observations), chain.state()};
}

const Problem& problem(const std::string& model, const Shape& shape) {
    static std::optional<std::pair<std::string, Problem>> last;
    const std::string key = model + " " + shape.text();
    if (!last || last->first != key) {
        last.reset();
        last.emplace(key, make_any_problem(model, shape));
    }
    return last->second;
}

}  // namespace hmmlt::bench
