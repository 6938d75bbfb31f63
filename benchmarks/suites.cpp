// Which benchmarks belong together. Problems that follow each other share their data and their state.
#include "benchmarks/suites.hpp"

#include <map>
#include <stdexcept>

namespace hmmlt::bench {

namespace {

using Sizes = std::vector<arma::uword>;

constexpr Shape cocktail_live{};
constexpr Shape cocktail_posterior{.stage = Stage::posterior};
constexpr Shape chorales_live{.data = Data::chorales, .n_states = 200};
constexpr Shape chorales_posterior{.data = Data::chorales, .n_states = 200, .stage = Stage::posterior};

void add_everything_about(const std::string& model, const Shape& shape) {
    for (const Sampler sampler : all_samplers) add_sweep(sampler, model, shape);
    add_forward_and_backward(model, shape);
}

void add_limits_of(const Shape& shape) {
    add_bare_loops(sequences_of(shape).n_steps(), shape.n_states);
}

// Draws of z in a beam: how many transitions the slices leave depends on the state, so both stages are there.
void add_beam(arma::uword n_states) {
    for (const Stage stage : {Stage::live, Stage::posterior}) {
        const Shape shape{.n_states = n_states, .stage = stage};
        if (stage == Stage::posterior) add_everything_about("lt", shape);
        add_sweep(Sampler::single, "lt_beam", shape);
    }
}

// Chain by chain, and all at once.
void add_factorial(arma::uword n_steps) {
    add_bare_butterflies(n_steps, n_party_chains);
    for (const Sampler sampler : all_samplers) add_factorial_sweep(sampler, n_steps);
}

void add_chorale_limits() {
    add_limits_of(chorales_live);
    add_sgemm(200, 200);
    add_batched_products(chorales_live);
}

// Everything: all blocks and sweeps over the grid, both real shapes, all models.
void add_full() {
    for (const arma::uword n_steps : Sizes{500, 2000, 20000})
        for (const arma::uword n_states : Sizes{50, 100, 200, 400, 600}) {
            const Shape shape{.n_steps = n_steps, .n_states = n_states};
            add_limits_of(shape);
            add_everything_about("lt", shape);
        }
    add_chorale_limits();
    add_sgemm(600, 600);
    add_sgemm(1024, 1024);
    add_memory_bandwidth();
    for (const std::string& model : all_models) {
        if (model != "lt") add_everything_about(model, cocktail_live);
        add_everything_about(model, cocktail_posterior);
        add_everything_about(model, chorales_live);
        add_everything_about(model, chorales_posterior);
    }
    for (const arma::uword n_states : Sizes{100, 400}) add_beam(n_states);
    add_sweep(Sampler::single, "lt_beam", cocktail_live);
    add_sweep(Sampler::single, "lt_beam", cocktail_posterior);
    add_factorial(2000);
    add_two_at_a_time(cocktail_live);
}

// What the goals are about, and two sizes more for a first look at scaling.
void add_quick() {
    for (const arma::uword n_states : Sizes{100, 200, 600}) {
        const Shape shape{.n_states = n_states};
        add_limits_of(shape);
        add_everything_about("lt", shape);
    }
    add_chorale_limits();
    add_memory_bandwidth();
    add_everything_about("lt", cocktail_posterior);
    add_everything_about("lt", chorales_live);
    add_factorial(2000);
    add_two_at_a_time(cocktail_live);
}

// The shapes that other programs are timed on, with the model that they come closest to, and ours.
void add_peers() {
    for (const Shape& shape : {cocktail_live, Shape{.n_states = 200}, chorales_live}) {
        add_limits_of(shape);
        for (const char* model : {"sticky", "lt"}) add_everything_about(model, shape);
    }
}

// One sweep of each kind at a size that a simulator can bear, exactly once.
void add_instructions() {
    const Shape live{.n_steps = 500, .n_states = 100};
    const Shape posterior{.n_steps = 500, .n_states = 100, .stage = Stage::posterior};
    for (const std::string& model : all_models)
        for (const Sampler sampler : all_samplers) add_sweep(sampler, model, live, 1);
    for (const Sampler sampler : all_samplers) add_sweep(sampler, "lt", posterior, 1);
}

// For the test of the machinery itself.
void add_tiny() {
    for (const arma::uword n_states : Sizes{5, 10}) {
        const Shape shape{.n_steps = 40, .n_states = n_states};
        add_limits_of(shape);
        add_everything_about("lt", shape);
    }
    add_sweep(Sampler::single, "lt_beam", {.n_steps = 40, .n_states = 10});
    add_sgemm(10, 10);
    add_factorial(10);
    add_everything_about("sticky", {.n_steps = 40, .n_states = 10, .stage = Stage::posterior});
}

const std::map<std::string, void (*)()> suites{{"full", add_full},
                                               {"instructions", add_instructions},
                                               {"peers", add_peers},
                                               {"quick", add_quick},
                                               {"tiny", add_tiny}};

}  // namespace

const std::vector<std::string>& suite_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, add] : suites) all.push_back(name);
        return all;
    }();
    return names;
}

void add_suite(const std::string& name) {
    suites.at(name)();
}

}  // namespace hmmlt::bench
