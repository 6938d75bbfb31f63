// The filter and the backward draw alone, outside a sweep: the only benchmarks that know how a sweep calls them
// (sampler/state_draw.cpp).
#include <cmath>

#include "benchmarks/measure.hpp"
#include "benchmarks/suites.hpp"
#include "hmmlt/emission/scaled_likelihoods.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/sampler/state_draw.hpp"

namespace hmmlt::bench {

namespace {

// Transitions and likelihoods as the filter wants them, and its messages.
template <typename Real>
FilterScratch<Real> filtered(const Problem& problem) {
    FilterScratch<Real> scratch;
    const State& state = problem.state;
    const arma::mat log_phi = log_similarities(state);
    normalise_rates(state.log_pi, log_phi, scratch.transitions);
    scaled_likelihoods(state.emission, bits(state.locations), problem.observations, scratch.transitions.states,
                       scratch.transitions.n_states(), scratch.likelihoods);
    filter_scaled(scratch.transitions, scratch.likelihoods, problem.observations.sequences, Keep::all_messages,
                  scratch.messages);
    return scratch;
}

// Counter untrusted: sequences that a sweep does again by the slow filter, which is not timed here.
template <typename Real>
void measure_forward(benchmark::State& run, const Problem& problem) {
    FilterScratch<Real> scratch = filtered<Real>(problem);
    repeat(run, [&] {
        return seconds_of([&] {
            filter_scaled(scratch.transitions, scratch.likelihoods, problem.observations.sequences, Keep::all_messages,
                          scratch.messages);
        });
    });
    double untrusted = 0.0;
    for (const double log_likelihood : scratch.messages.log_likelihood)
        if (!std::isfinite(log_likelihood)) ++untrusted;
    run.counters["untrusted"] = untrusted;
}

void measure_backward(benchmark::State& run, const Problem& problem) {
    const FilterScratch<float> scratch = filtered<float>(problem);
    arma::uvec z = problem.state.z;
    const BlockStreams rng({.seed = 1, .block = static_cast<std::uint32_t>(StreamBlock::states)});
    repeat(run, [&] {
        return seconds_of(
            [&] { sample_paths(scratch.transitions, scratch.messages, problem.observations.sequences, z, rng); });
    });
}

}  // namespace

void add_forward_and_backward(const std::string& model, const Shape& shape) {
    const auto one = [&](const std::string& name, auto measure) {
        add(name + "/" + model, shape.text(), [=](benchmark::State& run) { measure(run, problem(model, shape)); });
    };
    one("forward", measure_forward<float>);
    one("forward_double", measure_forward<double>);
    one("backward", measure_backward);
}

}  // namespace hmmlt::bench
