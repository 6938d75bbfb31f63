// hmmlt-train: one chain of a model on a data directory; killed at any moment, the same command goes on.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <limits>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/model/generative.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"
#include "pipelines/train/estimate.hpp"
#include "pipelines/train/training.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

// Matrices that come and go with every sweep would each be given back to the system and taken anew, page by page: a
// quarter of the time where there are many more states than steps.
void keep_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

Restart restart_named(const std::string& name) {
    return name == "always" ? Restart::always : name == "different" ? Restart::different : Restart::never;
}

void train_stage(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    keep_freed_memory();
    fs::path data_directory;
    fs::path model_file;
    TrainingRequest request;
    std::int64_t chain = 0;
    std::int64_t sweeps = 0;
    std::int64_t checkpoint_seconds = 30;
    std::string restart = "never";
    bool only_estimate = false;
    std::vector<std::string> overrides;
    CommandLine flags("hmmlt-train", "Run one chain of a model on a data set; an interrupted one goes on by itself.",
                      "hmmlt-train --data results/demo/set-1 --model experiments/synthetic/models/lt.toml --chain 0 "
                      "--seed 1 --sweeps 2000 --out results/demo/lt/chain-0");
    flags.required_path("--data", data_directory, "data directory: observations.parquet and what belongs to it");
    flags.required_path("--model", model_file, "the model and how to run it (TOML)");
    flags.required_integer("--chain", chain, {0, data_chain - 1}, "number of the chain: each draws other numbers");
    flags.required_seed("--seed", request.seed, "the same seed, chain, model and data give the same bytes");
    flags.required_integer("--sweeps", sweeps, {1, 1000000000}, "sweeps in all; more than before extends the run");
    flags.required_path("--out", request.out, "directory of the chain: trace, draws, ... and its checkpoint");
    flags.choice("--restart", restart, {"never", "different", "always"},
                 "begin anew if the directory holds another or a damaged run (different), or in any case (always)");
    flags.integer("--checkpoint-seconds", checkpoint_seconds, {0, 86400}, "time between checkpoints (30)");
    flags.yes("--estimate", only_estimate,
              "say what time and memory the chain would take, by a few sweeps; write nothing");
    flags.repeated_text("--set", overrides, "override a key of the model, e.g. run.sampler=blocked; may be repeated");
    flags.parse(argc, argv);

    refuse_to_write_into(request.out, {data_directory});
    Config config = Config::load(model_file);
    for (const std::string& assignment : overrides) config.set(assignment);
    const DataDirectory data = read_data_directory(data_directory);
    const AnyModel model = read_any_model(config, data.shape);
    request.run = read_run(config, model);
    config.section("generate").integer("n_steps", {.min = 1}, 1);  // a model that data were drawn from may be trained
    config.section("generate").integer("n_sequences", {.min = 1}, 1);
    config.reject_unknown();

    request.config = config.canonical_text();
    request.chain = static_cast<std::uint32_t>(chain);
    request.n_sweeps = static_cast<std::uint32_t>(sweeps);
    request.restart = restart_named(restart);
    request.checkpoint_every = std::chrono::seconds(checkpoint_seconds);
    request.run_record = [&] { return run_record(argc, argv, started); };
    try {
        if (only_estimate)
            fmt::print("{}", estimate_text(estimate(model, data, request)));
        else
            train(model, data, request);
    } catch (const ImpossibleStart& error) {
        config.section("run").fail("start", error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, train_stage);
}
