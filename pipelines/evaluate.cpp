// hmmlt-evaluate: how well trained chains predict sequences, step by step if asked, or line by line as data arrive.
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"
#include "pipelines/evaluate/results.hpp"
#include "pipelines/evaluate/stream.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

struct Flags {
    fs::path data;
    std::vector<fs::path> chains;
    fs::path out;
    std::string on = "test";
    bool predict = false;
    bool stream = false;
};

Flags read_flags(int argc, char** argv) {
    Flags flags;
    CommandLine line("hmmlt-evaluate", "Score sequences with the draws of trained chains, all pooled.",
                     "hmmlt-evaluate --data results/demo/set-1 --chains results/demo/lt/chain-* --out "
                     "results/demo/lt/evaluation\n"
                     "  sensor | hmmlt-evaluate --stream --chains results/demo/lt/chain-*");
    line.path("--data", flags.data,
              "data directory; with --stream only its vocabulary is read, and it may be left out");
    line.paths("--chains", flags.chains, "directories that hmmlt-train wrote: chains of one model on one data set");
    line.path("--out", flags.out, "directory to write: evaluation, heldout_draws, and predictions if asked for");
    line.choice("--on", flags.on, {"test", "train"}, "which sequences of the data (test)");
    line.yes("--predict", flags.predict, "also write densities, probabilities and the most likely path of every step");
    line.yes("--stream", flags.stream,
             "instead, answer lines of standard input as they come: values between commas, or a symbol; an empty line "
             "begins a sequence");
    line.parse(argc, argv);
    if (flags.stream && (!flags.out.empty() || flags.predict || flags.on != "test"))
        throw UsageError("--stream writes to standard output and takes --chains and --data only (try --help)");
    if (!flags.stream && flags.data.empty()) throw UsageError("--data is required (try --help)");
    if (!flags.stream && flags.out.empty()) throw UsageError("--out is required (try --help)");
    return flags;
}

const DataSet& part_of(const DataDirectory& data, const Flags& flags) {
    if (flags.on == "train") return data.train;
    if (!data.test)
        throw DataError(
            fmt::format("{}: expected test/observations.parquet, found none; --on train evaluates what "
                        "is there",
                        flags.data.string()));
    return *data.test;
}

Provenance provenance_of(const Flags& flags, const DataDirectory& data, const std::vector<ChainDirectory>& chains,
                         bool state_means) {
    std::map<std::string, std::string> inputs = data.inputs;
    for (const ChainDirectory& chain : chains) {
        inputs["draws of " + chain.name()] = sha256_of_file(chain.draws());
        if (state_means) inputs["state_mean of " + chain.name()] = sha256_of_file(chain.state_mean());
    }
    Provenance provenance = provenance_of_this_process(chains.front().provenance.config, {}, inputs);
    provenance.arguments["on"] = flags.on;
    return provenance;
}

void evaluate_stage(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    const Flags flags = read_flags(argc, argv);
    for (const fs::path& directory : flags.chains) check_chain_complete(directory);
    refuse_to_write_into(flags.out, flags.chains);
    refuse_to_write_into(flags.out, {flags.data, flags.data / "test"});
    const std::vector<ChainDirectory> chains = find_chains(flags.chains);
    const std::string mixed = mixed_chains(chains);
    if (!mixed.empty()) fmt::print(stderr, "warning: {}\n", mixed);
    if (flags.stream) {
        stream(chains, flags.data.empty() ? std::nullopt : std::optional(flags.data));
        return;
    }
    const DataDirectory data = read_data_directory(flags.data);
    const DataSet& set = part_of(data, flags);
    const Sequences& sequences = set.observations.sequences;
    const fs::path part = flags.data / (flags.on == "test" ? "test/observations.parquet" : "observations.parquet");
    const EvaluationRequest request{data, set, part.string(), flags.predict};
    const Evaluation evaluation = evaluate(chains, request);
    const std::vector<Measured> rows = measure(evaluation, chains, request);

    const OutputDirectory directory(flags.out);
    Provenance provenance = provenance_of(flags, data, chains, scores_state_means(evaluation.model, chains, data));
    write_table(flags.out / "evaluation.parquet", evaluation_schema(), evaluation_table(rows), provenance);
    write_table(flags.out / "heldout_draws.parquet", heldout_schema(), heldout_draws_table(evaluation, sequences),
                provenance);
    fs::remove(flags.out / "predictions.parquet");  // of another evaluation, if there is one
    if (evaluation.decoded) {
        provenance.arguments["decoded"] = evaluation.decoded->name;
        write_table(flags.out / "predictions.parquet", predictions_schema(), predictions_table(evaluation, sequences),
                    provenance);
    }
    directory.finish(provenance, run_record(argc, argv, started));
    fmt::print("{}: {} draws of {} chain{} on {} {} sequence{}\n{}", flags.out.string(), evaluation.draws.size(),
               chains.size(), chains.size() == 1 ? "" : "s", sequences.count(),
               flags.on == "test" ? "test" : "training", sequences.count() == 1 ? "" : "s", summary(rows));
    if (evaluation.decoded) fmt::print("states are those of {}\n", evaluation.decoded->name);
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, evaluate_stage);
}
