// hmmlt-generate: draws synthetic data, with its truth, from any model the library knows.
#include <fmt/format.h>

#include <chrono>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/model_config.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/generative.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

// One set of sequences: `draw` 0 trains, 1 tests; both share all parameters.
void write_set(const fs::path& folder, const Sequences& sequences, State state, const PriorAddress& address,
               const Provenance& provenance) {
    Observations observations{sequences, {}, {}};
    draw_states(sequences, state, address);
    draw_data(state, observations, address);
    stop_if_interrupted();
    write_table(folder / "observations.parquet", observations_schema(), observations_table(observations), provenance);
    write_table(folder / "truth.parquet", truth_schema(), truth_table(sequences, state.z, bits(state.locations)),
                provenance);
    if (const auto* linear = std::get_if<LinearGaussianState>(&state.emission))
        write_table(folder / "weights.parquet", weights_schema(), weights_table(linear->weights), provenance);
}

void generate(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    fs::path model_file;
    fs::path out;
    std::uint64_t seed = 0;
    std::vector<std::string> overrides;
    CommandLine flags("hmmlt-generate", "Draw training and test sequences, with the truth, from a model.",
                      "hmmlt-generate --model experiments/synthetic/models/hdp_hmm.toml --seed 1 --out results/set-1");
    flags.required_path("--model", model_file, "the model to draw from (TOML)");
    flags.required_seed("--seed", seed, "the same seed and model give the same bytes");
    flags.required_path("--out", out, "data directory to write: observations, truth, weights, and test/ likewise");
    flags.repeated_text("--set", overrides, "override a key of the model, e.g. generate.n_steps=100; may be repeated");
    flags.parse(argc, argv);

    Config config = Config::load(model_file);
    for (const std::string& assignment : overrides) config.set(assignment);
    const Model model = read_model(config, {});
    const Section section = config.section("generate");
    const auto n_steps = static_cast<arma::uword>(section.integer("n_steps", {.min = 1, .max = 10000000}));
    const auto n_sequences = static_cast<arma::uword>(section.integer("n_sequences", {.min = 1, .max = 100000}, 1));
    config.reject_unknown();

    const Sequences sequences = Sequences::of_lengths(std::vector<arma::uword>(n_sequences, n_steps));
    const State parameters = draw_parameters(model, {.seed = seed, .chain = data_chain});
    const Provenance provenance = provenance_of_this_process(config.canonical_text(), seed, {});
    const OutputDirectory directory(out, {"test"});
    write_set(out, sequences, parameters, {.seed = seed, .chain = data_chain, .draw = 0}, provenance);
    write_set(out / "test", sequences, parameters, {.seed = seed, .chain = data_chain, .draw = 1}, provenance);
    directory.finish(provenance, run_record(argc, argv, started));
    fmt::print("{}: {} sequence{} of {} steps to train on and as many to test on, {} emission\n", out.string(),
               n_sequences, n_sequences == 1 ? "" : "s", n_steps, emission_kind(model.emission));
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, generate);
}
