// hmmlt-diagnose: do chains agree, and how many independent draws are they worth?
#include <fmt/format.h>

#include <chrono>

#include "hmmlt/io/table_file.hpp"
#include "pipelines/diagnose/report.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/progress.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

void write(const fs::path& out, const Table& table, const AlignedChains& aligned, const std::vector<ChainTrace>& chains,
           const std::function<RunRecord()>& run) {
    std::map<std::string, std::string> inputs;
    for (const ChainTrace& chain : chains) inputs.insert(chain.inputs.begin(), chain.inputs.end());
    const Provenance provenance = provenance_of_this_process(fmt::format("diagnose.burn_in = {}\n", aligned.burn_in),
                                                             std::nullopt, std::move(inputs));
    const OutputDirectory directory(out);
    write_table(out / "diagnostics.parquet", diagnostics_schema(), table, provenance);
    directory.finish(provenance, run());
}

std::vector<ScalarSummary> summarise_with_progress(const AlignedChains& chains) {
    Progress progress("diagnose", "scalar", chains.scalars.size());
    return summarise(chains, [&](std::size_t done) {
        stop_if_interrupted();
        if (progress.is_due(done) && done < chains.scalars.size()) progress.show(done);
    });
}

void diagnose(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    std::vector<fs::path> directories;
    fs::path out;
    std::int64_t burn_in = -1;
    CommandLine flags(
        "hmmlt-diagnose", "R-hat and effective sample sizes of every scalar in the traces of some chains.",
        "hmmlt-diagnose --chains results/mine/chain-0 results/mine/chain-1 --out results/mine/diagnostics");
    flags.paths("--chains", directories, "directories of the chains: trace.parquet, and timing.parquet for ESS/s");
    flags.integer("--burn-in", burn_in, {0, INT32_MAX}, "sweeps to leave out; else run.burn_in of the model");
    flags.path("--out", out, "directory to write diagnostics.parquet to; else the numbers are only shown");
    flags.parse(argc, argv);

    if (!out.empty()) refuse_to_write_into(out, directories);
    for (const fs::path& directory : directories) check_chain_complete(directory);
    const std::vector<ChainTrace> chains = read_chains(directories);
    check_comparable(chains);
    const AlignedChains aligned =
        align(chains, burn_in < 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(burn_in)));
    const std::vector<ScalarSummary> summaries = summarise_with_progress(aligned);
    if (!out.empty())
        write(out, diagnostics_table(aligned, summaries), aligned, chains,
              [&] { return run_record(argc, argv, started); });

    fmt::print("{} chain{}, sweeps {} to {}", chains.size(), chains.size() == 1 ? "" : "s", aligned.burn_in + 1,
               aligned.last_sweep);
    if (aligned.seconds) fmt::print(" in {} seconds of computing", number_text(*aligned.seconds));
    fmt::print("\n\n{}\n", diagnostics_text(aligned, summaries));
    for (const std::string& note : aligned.notes) fmt::print("note: {}\n", note);
    const std::string mixed = mixed_chains(chains);
    if (!mixed.empty()) fmt::print("warning: {}\n", mixed);
    const std::vector<std::string> complaints = warnings(aligned, summaries);
    for (const std::string& complaint : complaints) fmt::print("warning: {}\n", complaint);
    if (complaints.empty()) fmt::print("No warnings: all R-hat are at most 1.01, all ESS at least 100 per chain.\n");
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, diagnose);
}
