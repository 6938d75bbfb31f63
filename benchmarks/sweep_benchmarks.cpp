// Whole sweeps and their blocks. Every time starts from the same state with the same random numbers, so the work is the
// same too; the scratch space is kept, as a chain keeps it.
#include <fmt/format.h>

#include <fstream>
#include <string>
#include <thread>

#include "benchmarks/limits.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/suites.hpp"
#include "hmmlt/sampler/factorial_chain.hpp"

namespace hmmlt::bench {

namespace {

const char* name_of(Sampler sampler) {
    return sampler == Sampler::single ? "single" : "blocked";
}

// Not inlined: its name is where callgrind begins and ends to count (benchmarks/instructions.py).
[[gnu::noinline]] SweepInfo measured_sweep(const Sweep& sweep, const Problem& problem, State& state, Scratch& scratch) {
    return run_sweep(sweep, problem.model, problem.observations, state, scratch, {.seed = 1, .chain = 0, .sweep = 1});
}

// The most memory this process has had so far; 0 where /proc does not tell.
double peak_mib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024.0;
    return 0.0;
}

void measure_sweep(benchmark::State& run, Sampler sampler, const Problem& problem, bool warm_up) {
    const Sweep sweep = sweep_of(sampler);
    Scratch scratch;
    State state = problem.state;
    std::vector<std::vector<double>> seconds(sweep.size());
    if (warm_up) run_sweep(sweep, problem.model, problem.observations, state, scratch, {});  // memory is there
    SweepInfo info;
    repeat(run, [&] {
        state = problem.state;
        const double whole = seconds_of([&] { info = measured_sweep(sweep, problem, state, scratch); });
        for (std::size_t block = 0; block < sweep.size(); ++block) seconds[block].push_back(info.seconds[block]);
        return whole;
    });
    for (std::size_t block = 0; block < sweep.size(); ++block)
        run.counters[fmt::format("block/{}", sweep[block].name)] = median(seconds[block]);
    run.counters["peak_mib"] = peak_mib();
    run.counters["states_used"] = static_cast<double>(info.n_used);
}

// How long one time takes if `n` run at once: the slowest of them counts.
template <typename Work>
double seconds_at_once(int n, const Work& work) {
    return seconds_of([&] {
        std::vector<std::jthread> threads;
        for (int i = 0; i < n; ++i) threads.emplace_back([&work, i] { work(i); });
    });
}

}  // namespace

void add_sweep(Sampler sampler, const std::string& model, const Shape& shape, int n_times) {
    const std::string name = fmt::format("sweep/{}/{}", name_of(sampler), model);
    auto* added = add(name, shape.text(), [=](benchmark::State& state) {
        measure_sweep(state, sampler, problem(model, shape), n_times == 0);
    });
    if (n_times > 0) added->Iterations(n_times)->Repetitions(1);
}

void add_factorial_sweep(Sampler sampler, arma::uword n_steps) {
    const std::string name = fmt::format("sweep/{}/factorial", name_of(sampler));
    add(name, fmt::format("T={} D={}", n_steps, n_party_chains), [=](benchmark::State& run) {
        const FactorialProblem problem = factorial_problem(n_steps);
        FactorialChain chain(problem.model, problem.observations, {.seed = 1, .sampler = sampler}, problem.state, 0);
        const std::vector<std::string> blocks = chain.block_names();
        std::vector<std::vector<double>> seconds(blocks.size());
        chain.step();  // memory is there
        repeat(run, [&] {
            SweepInfo info;
            const double whole = seconds_of([&] { info = chain.step(); });
            for (std::size_t block = 0; block < blocks.size(); ++block) seconds[block].push_back(info.seconds[block]);
            return whole;
        });
        for (std::size_t block = 0; block < blocks.size(); ++block)
            run.counters[fmt::format("block/{}", blocks[block])] = median(seconds[block]);
        run.counters["peak_mib"] = peak_mib();
    });
}

void add_two_at_a_time(const Shape& shape) {
    for (const int n : {1, 2}) {
        add(fmt::format("at_once/{}/sweep", n), shape.text(), [=](benchmark::State& run) {
            const Problem& one = problem("lt", shape);
            const Sweep sweep = sweep_of(Sampler::single);
            std::vector<Scratch> scratch(2);
            std::vector<State> states(2);
            const auto step = [&](int i) {
                const auto chain = static_cast<std::size_t>(i);
                measured_sweep(sweep, one, states[chain], scratch[chain]);
            };
            const auto once = [&] {
                states.assign(2, one.state);
                return seconds_at_once(n, step);
            };
            once();  // memory is there
            repeat(run, once);
        });
        add(fmt::format("at_once/{}/bare_float", n), shape.text(), [=](benchmark::State& run) {
            const arma::uword n_states = shape.n_states;
            const std::vector<float> a(n_states * n_states, 1.0f / static_cast<float>(n_states));
            const std::vector<float> lik(n_states * shape.n_steps, 0.5f);
            const auto loop = [&](int) {
                const std::vector<float> own = a;  // a chain has its own
                std::vector<float> f(n_states, 1.0f / static_cast<float>(n_states));
                std::vector<float> next(n_states);
                run_bare_loop<float, 4>(own.data(), lik.data(), n_states, shape.n_steps, f.data(), next.data());
                benchmark::DoNotOptimize(f.data());
            };
            repeat(run, [&] { return seconds_at_once(n, loop); });
        });
    }
}

}  // namespace hmmlt::bench
