// The first sweeps of the chain itself, on this machine, until they tell what the later ones will cost.
#include "pipelines/train/estimate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/io/draws.hpp"
#include "hmmlt/sampler/factorial_chain.hpp"
#include "hmmlt/sampler/heldout.hpp"
#include "hmmlt/sampler/trace.hpp"
#include "pipelines/stage/progress.hpp"
#include "pipelines/stage/stage.hpp"
#include "pipelines/train/sweep_times.hpp"

namespace hmmlt {

namespace {

using Clock = std::chrono::steady_clock;

// A cell of a draw as columns, as the Arrow table made of them and as its encoded pages.
constexpr std::uint64_t bytes_per_cell = 150;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t most_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

bool can_score(const Model&) {
    return true;
}
bool can_score(const FactorialModel& model) {
    return model.emission.n_dims() <= most_factorial_dims;
}

template <typename ModelType>
using ChainOf = std::conditional_t<std::is_same_v<ModelType, Model>, Chain, FactorialChain>;

template <typename ModelType>
Estimate estimate_model(const ModelType& model, const DataDirectory& data, const TrainingRequest& request) {
    const RunSettings& run = request.run;
    const Observations& training = data.train.observations;
    const ChainSettings settings{.seed = request.seed,
                                 .chain = request.chain,
                                 .sampler = run.sampler,
                                 .start = run.start,
                                 .precision = run.precision,
                                 .burn_in = run.burn_in,
                                 .splits_and_merges = run.splits_and_merges};
    ChainOf<ModelType> chain(model, training, settings, data.train.truth);
    SweepTimes times;
    while (times.count() < request.n_sweeps && !times.is_enough()) {
        const Clock::time_point sweep = Clock::now();
        const SweepInfo info = chain.step();
        trace_values(model, training, chain.state(), info);
        times.add(seconds_since(sweep));
        stop_if_interrupted();
    }

    Estimate result{.n_sweeps = request.n_sweeps,
                    .n_timed = times.count(),
                    .n_later = times.n_later(),
                    .seconds_per_sweep = times.later(),
                    .has_settled = times.has_settled(),
                    .seconds_of_sweeps = times.total(request.n_sweeps)};
    if (data.test && can_score(model)) {
        const Clock::time_point score = Clock::now();
        heldout_log_likelihood(chain.state(), data.test->observations);
        heldout_log_likelihood(with_expected_emission(model, training, chain.state()), data.test->observations);
        result.seconds_per_score = seconds_since(score);
        result.n_scores = request.n_sweeps / run.heldout_every;
    }
    std::uint64_t n_cells = 0;
    for (const DrawArray& array : draw_arrays(model, training, chain.state())) n_cells += array.cells.size();
    const std::uint32_t first = std::min(run.burn_in, request.n_sweeps);
    const std::uint64_t n_draws = request.n_sweeps / run.draws_every - first / run.draws_every;
    result.bytes_of_draws = n_draws * n_cells * bytes_per_cell;
    result.bytes_used = most_memory();
    return result;
}

}  // namespace

double Estimate::seconds() const {
    return seconds_of_sweeps + static_cast<double>(n_scores) * seconds_per_score;
}

Estimate estimate(const AnyModel& model, const DataDirectory& data, const TrainingRequest& request) try {
    return std::visit([&](const auto& any) { return estimate_model(any, data, request); }, model);
} catch (const std::domain_error& error) {
    if (request.run.start == Start::truth) throw ImpossibleStart(error.what());
    throw DataError(error.what());
}

std::string estimate_text(const Estimate& estimate) {
    constexpr double mebibyte = 1024.0 * 1024.0;
    const double seconds = estimate.seconds();
    const auto spare_minutes = static_cast<long>(std::ceil(2 * seconds / 60)) + 2;
    std::string text = fmt::format("{}: about {} on this machine as busy as it is now, {:.0f} MiB\n",
                                   count_text(estimate.n_sweeps, "sweep"), duration_text(seconds),
                                   static_cast<double>(estimate.bytes()) / mebibyte);
    text +=
        fmt::format("  {} s a sweep: mean of the last {} of {} from the start state; {}\n",
                    number_text(estimate.seconds_per_sweep), estimate.n_later, estimate.n_timed,
                    estimate.has_settled ? "later sweeps, with other numbers of states in use, may be faster or slower"
                                         : "they had not settled, and later ones may be far faster or slower");
    if (estimate.n_scores > 0)
        text += fmt::format("  {} s for each of {} of the test sequences\n", number_text(estimate.seconds_per_score),
                            count_text(estimate.n_scores, "score"));
    text += fmt::format(
        "  {:.0f} MiB used so far, and {:.0f} MiB to assemble the draws at the end, if all are of the "
        "size of one now\n",
        static_cast<double>(estimate.bytes_used) / mebibyte, static_cast<double>(estimate.bytes_of_draws) / mebibyte);
    text +=
        fmt::format("As a job, with twice the time and half as much memory again: cores=1 memory={}M time={}\n",
                    static_cast<long>(std::ceil(1.5 * static_cast<double>(estimate.bytes()) / mebibyte / 100)) * 100,
                    spare_minutes);
    return text;
}

}  // namespace hmmlt
