#include "posterior/factorial_geweke.hpp"

#include <cmath>
#include <utility>

namespace hmmlt::testing {

namespace {

FactorialModel tiny_model() {
    FactorialModel model;
    model.gamma = GammaPrior{2.0, 1.0};
    model.c = GammaPrior{2.0, 1.0};
    model.emission.h.assign(2, {3.0, 2.0});
    return model;
}

struct FactorialFunctional {
    std::string name;
    double (*value)(const FactorialModel&, const FactorialState&, const Observations&);
};

double probability_of_one(const BinaryChainState& chain, arma::uword from) {
    return 1.0 / (1.0 + std::exp(chain.log_pi(from, 0) - chain.log_pi(from, 1)));
}

const std::vector<FactorialFunctional>& functionals() {
    using M = const FactorialModel&;
    using S = const FactorialState&;
    using O = const Observations&;
    static const std::vector<FactorialFunctional> list{
        {"gamma of chain 0", [](M, S s, O) { return s.chains[0].gamma; }},
        {"log gamma of chain 1", [](M, S s, O) { return std::log(s.chains[1].gamma); }},
        {"c of chain 0", [](M, S s, O) { return s.chains[0].c; }},
        {"log c of chain 1", [](M, S s, O) { return std::log(s.chains[1].c); }},
        {"beta_0 of chain 0", [](M, S s, O) { return std::exp(s.chains[0].log_beta(0)); }},
        {"A_01 of chain 0", [](M, S s, O) { return probability_of_one(s.chains[0], 0); }},
        {"A_11 of chain 1", [](M, S s, O) { return probability_of_one(s.chains[1], 1); }},
        {"A_start,1 of chain 0", [](M, S s, O) { return probability_of_one(s.chains[0], 2); }},
        {"bits", [](M, S s, O) { return static_cast<double>(arma::accu(s.theta)); }},
        {"equal first bits", [](M, S s, O) { return static_cast<double>(s.theta(0, 0) == s.theta(1, 0)); }},
        {"h_0", [](M, S s, O) { return s.emission.h(0); }},
        {"W_10", [](M, S s, O) { return s.emission.weights(1, 0); }},
        {"precision of W", [](M, S s, O) { return s.emission.weight_precision.value_or(1.0); }},
        {"y_11", [](M, S, O o) { return o.y(1, 1) / (1.0 + std::abs(o.y(1, 1))); }},
        {"log joint", [](M m, S s, O o) { return log_joint(m, s, o); }},
    };
    return list;
}

}  // namespace

FactorialSweep factorial_sweep_with(BitsDraw draw_bits) {
    return [draw_bits = std::move(draw_bits)](const FactorialModel& model, const Observations& observations,
                                              FactorialState& state, const SweepAddress& address) {
        run_blocked_factorial_sweep(model, observations, state, draw_bits, address);
    };
}

const std::vector<FactorialDesign>& factorial_designs() {
    static const std::vector<FactorialDesign> designs = [] {
        const auto drawn_jointly = [](Precision precision, const JointBlocks& blocks) {
            return factorial_sweep_with(
                [=](const Observations& observations, FactorialState& state, const SweepAddress& address) {
                    JointDrawScratch scratch;
                    return sample_bits_jointly(observations, precision, blocks, scratch, state, address);
                });
        };
        FactorialModel known = tiny_model();
        known.emission.weights = KnownWeights{arma::mat{{0.3, -0.2}, {1.1, 0.4}, {-0.6, 0.9}}};
        FactorialModel learned = tiny_model();
        learned.emission.weights = LearnedWeights::isotropic(2, 1.0);
        FactorialModel shared = tiny_model();
        shared.emission.weights = SharedPrecisionWeights{2, 0.25, {4.0, 3.0}};
        FactorialModel three = tiny_model();
        three.emission.weights = LearnedWeights::isotropic(3, 1.0);
        return std::vector<FactorialDesign>{
            {"factorial, W known", known, run_factorial_sweep},
            {"factorial, W learned", learned, run_factorial_sweep},
            {"factorial, precision of W learned", shared, run_factorial_sweep},
            {"factorial, joint, W known, float", known, drawn_jointly(Precision::float32, {})},
            {"factorial, joint, precision of W learned, double", shared, drawn_jointly(Precision::float64, {})},
            {"factorial, joint blocks, W learned, float", three,
             drawn_jointly(Precision::float32, {.at_once = 2, .in_block = 2})}};
    }();
    return designs;
}

std::vector<std::string> factorial_functionals() {
    std::vector<std::string> names;
    for (const FactorialFunctional& functional : functionals()) names.push_back(functional.name);
    return names;
}

std::vector<GewekeScore> factorial_geweke(const FactorialDesign& design, const GewekeOptions& options) {
    const FactorialModel& model = design.model;
    const Sequences sequences = Sequences::of_lengths({3, 1, 2});
    Observations observations{sequences, {}, {}};
    FactorialState state;
    const auto redraw_data = [&](const PriorAddress& address) {
        draw_data(state, observations, address);
        observations.y(0, 0) = observations.y(0, 2) = observations.y(1, 2) = arma::datum::nan;
    };
    const auto draw_everything = [&](std::uint32_t draw) {
        const PriorAddress address{.seed = options.seed, .chain = 1, .draw = draw};
        state = draw_parameters(model, address);
        draw_states(sequences, state, address);
        redraw_data(address);
    };
    const auto sweep_and_redraw = [&](std::uint32_t sweep) {
        design.sweep(model, observations, state, {options.seed, 2, sweep});
        redraw_data({.seed = options.seed, .chain = 3, .draw = sweep});
    };
    const auto values = [&](std::vector<double>& row) {
        for (std::size_t f = 0; f < row.size(); ++f) row[f] = functionals()[f].value(model, state, observations);
    };
    const BatchMeans prior = record_batches(functionals().size(), options.n_sweeps, draw_everything, values);
    draw_everything(0);
    const BatchMeans chain = record_batches(functionals().size(), options.n_sweeps, sweep_and_redraw, values);
    return compare_batches(factorial_functionals(), prior, chain);
}

}  // namespace hmmlt::testing
