// How one thing is timed: Google Benchmark decides how often, we hand it the seconds of each time. What is not to be
// timed (restoring a state) so costs nothing, and medians are kept, which a busy machine moves less than means.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "pipelines/stage/stage.hpp"

namespace hmmlt::bench {

template <typename Work>
double seconds_of(Work&& work) {
    const auto started = std::chrono::steady_clock::now();
    work();
    benchmark::ClobberMemory();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// `once` returns the seconds of one time. Its median becomes the counter "seconds".
template <typename Once>
void repeat(benchmark::State& state, Once&& once) {
    std::vector<double> seconds;
    for ([[maybe_unused]] auto _ : state) {
        stop_if_interrupted();
        seconds.push_back(once());
        state.SetIterationTime(seconds.back());
    }
    state.counters["seconds"] = median(seconds);
}

// The table's name and shape: "sweep/single/lt" and "T=2000 J=600 live". The shape is the label, and part of the full
// name ("sweep/single/lt:T=2000_J=600_live") so that --benchmark_filter can choose it.
inline benchmark::internal::Benchmark* add(const std::string& name, const std::string& shape,
                                           const std::function<void(benchmark::State&)>& run) {
    std::string full = name + ":" + shape;
    std::replace(full.begin(), full.end(), ' ', '_');
    return benchmark::RegisterBenchmark(full.c_str(),
                                        [shape, run](benchmark::State& state) {
                                            run(state);
                                            state.SetLabel(shape);
                                        })
        ->UseManualTime();
}

}  // namespace hmmlt::bench
