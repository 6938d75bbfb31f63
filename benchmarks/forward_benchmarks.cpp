// The filter and the backward draw alone, outside a sweep: the only benchmarks that know how a sweep calls them.
#include "benchmarks/measure.hpp"
#include "benchmarks/suites.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"

namespace hmmlt::bench {

namespace {

struct Inputs {
    TransitionMatrix transition;
    arma::mat log_lik;
};

Inputs inputs_of(const Problem& problem) {
    Inputs inputs;
    const State& state = problem.state;
    const arma::mat log_phi = -state.lambda * distances(state.locations, problem.model.n_states);
    normalise_rates(state.log_pi, log_phi, inputs.transition);
    log_likelihood(state.emission, bits(state.locations), problem.observations, inputs.log_lik);
    return inputs;
}

void measure_forward(benchmark::State& run, const Problem& problem) {
    const Inputs inputs = inputs_of(problem);
    ForwardMessages messages;
    const auto filter = [&] {
        filter_forward(inputs.transition, inputs.log_lik, problem.observations.sequences, messages);
    };
    filter();  // memory is there
    repeat(run, [&] { return seconds_of(filter); });
}

void measure_backward(benchmark::State& run, const Problem& problem) {
    const Inputs inputs = inputs_of(problem);
    const Sequences& sequences = problem.observations.sequences;
    ForwardMessages messages;
    filter_forward(inputs.transition, inputs.log_lik, sequences, messages);
    arma::uvec z = problem.state.z;
    const BlockStreams rng({.seed = 1, .block = static_cast<std::uint32_t>(StreamBlock::states)});
    repeat(run, [&] { return seconds_of([&] { sample_states(inputs.transition, messages, sequences, z, rng); }); });
}

}  // namespace

void add_forward_and_backward(const std::string& model, const Shape& shape) {
    add("forward/" + model, shape.text(), [=](benchmark::State& run) { measure_forward(run, problem(model, shape)); });
    add("backward/" + model, shape.text(),
        [=](benchmark::State& run) { measure_backward(run, problem(model, shape)); });
}

}  // namespace hmmlt::bench
