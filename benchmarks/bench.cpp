// hmmlt-bench: times the sampler next to the machine's own limits. Google Benchmark runs it and writes JSON; the tables
// and the page are made from that by benchmarks/bench.py, which `make bench` calls.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "benchmarks/suites.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/provenance.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;

bool is_for_google_benchmark(const std::string& argument) {
    return argument.starts_with("--benchmark_") || argument.starts_with("--v=");
}

// Google Benchmark's flags come after ours, so that a user's own value of one of them wins.
void initialise_google_benchmark(char* program, const std::vector<std::string>& ours, std::vector<char*> theirs) {
    std::vector<std::string> texts = ours;
    std::vector<char*> arguments{program};
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.insert(arguments.end(), theirs.begin(), theirs.end());
    int n = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    benchmark::Initialize(&n, arguments.data());
}

// A line as each one is done; everything else is in the file that --benchmark_out names.
class Lines : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.repetition_index > 0) continue;
            const std::string name = run.run_name.function_name;
            fmt::print("{:24} {:26} {:>11.4g} ms\n", name.substr(0, name.find(':')), run.report_label,
                       1e3 * run.counters.at("seconds").value);
        }
        std::fflush(stdout);
    }
};

void run(int argc, char** argv) {
    std::vector<char*> ours{argv[0]};
    std::vector<char*> theirs;
    for (int i = 1; i < argc; ++i) (is_for_google_benchmark(argv[i]) ? theirs : ours).push_back(argv[i]);
    std::string suite = "quick";
    std::string min_time = "0.2";
    std::int64_t repetitions = 3;
    CommandLine flags(
        "hmmlt-bench",
        "Time sweeps, their blocks and the machine's own limits. Flags that begin with --benchmark_ go to "
        "Google Benchmark: --benchmark_filter=REGEX, --benchmark_list_tests=true, --benchmark_out=FILE.",
        "hmmlt-bench --suite quick --benchmark_filter='J=600'");
    flags.choice("--suite", suite, bench::suite_names(), "which benchmarks");
    flags.text("--min-time", min_time, "seconds that each is repeated for, at least");
    flags.integer("--repetitions", repetitions, {.min = 1, .max = 1000}, "how often that is done");
    flags.parse(static_cast<int>(ours.size()), ours.data());

    const Provenance machine = provenance_of_this_process("", {}, {});
    benchmark::AddCustomContext("blas", fmt::format("{}, core {}, {} thread{}", machine.blas.library, machine.blas.core,
                                                    machine.blas.threads, machine.blas.threads == 1 ? "" : "s"));
    benchmark::AddCustomContext("instruction_set", machine.instruction_set);
    benchmark::AddCustomContext("compiler", HMMLT_BENCH_COMPILER);
    benchmark::AddCustomContext("compiler_flags", HMMLT_BENCH_FLAGS);
    initialise_google_benchmark(
        argv[0], {"--benchmark_min_time=" + min_time, fmt::format("--benchmark_repetitions={}", repetitions)}, theirs);
    bench::add_suite(suite);
    Lines lines;
    if (benchmark::RunSpecifiedBenchmarks(&lines) == 0)
        throw UsageError(fmt::format("--benchmark_filter: nothing in suite {} has such a name", suite));
    benchmark::Shutdown();
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, run);
}
