// hmmlt-generate: draws synthetic data, with its truth, from any model the library knows.
#include <fmt/format.h>

#include <chrono>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/model_config.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/sampler/trace.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

// The emission and the bits at each step, of either kind of model.
struct Drawn {
    arma::uvec z;      // empty for the factorial model, whose states are the bits
    arma::umat theta;  // n_dims x n_steps; empty if states have none
    const LinearGaussianState* linear;
};
Drawn drawn(const State& state) {
    return {state.z, bits_over_time(state), std::get_if<LinearGaussianState>(&state.emission)};
}
Drawn drawn(const FactorialState& state) {
    return {{}, bits_over_time(state), &state.emission};
}

// One set of sequences: `draw` 0 trains, 1 tests; both share all parameters.
template <typename StateType>
void write_set(const fs::path& folder, const Sequences& sequences, StateType state, const PriorAddress& address,
               const Provenance& provenance) {
    Observations observations{sequences, {}, {}};
    draw_states(sequences, state, address);
    draw_data(state, observations, address);
    stop_if_interrupted();
    const Drawn truth = drawn(state);
    write_table(folder / "observations.parquet", observations_schema(), observations_table(observations), provenance);
    write_table(folder / "truth.parquet", truth_schema(), truth_table(sequences, truth.z, truth.theta), provenance);
    if (truth.linear != nullptr)
        write_table(folder / "weights.parquet", weights_schema(), weights_table(truth.linear->weights), provenance);
}

void generate(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    fs::path model_file;
    fs::path out;
    std::uint64_t seed = 0;
    std::vector<std::string> overrides;
    CommandLine flags("hmmlt-generate", "Draw training and test sequences, with the truth, from a model.",
                      "hmmlt-generate --model experiments/synthetic/data/hdp_hmm.toml --seed 1 --out results/set-1");
    flags.required_path("--model", model_file, "the model to draw from (TOML)");
    flags.required_seed("--seed", seed, "the same seed and model give the same bytes");
    flags.required_path("--out", out, "data directory to write: observations, truth, weights, and test/ likewise");
    flags.repeated_text("--set", overrides, "override a key of the model, e.g. generate.n_steps=100; may be repeated");
    flags.parse(argc, argv);

    Config config = Config::load(model_file);
    for (const std::string& assignment : overrides) config.set(assignment);
    const AnyModel model = read_any_model(config, {});
    const Section section = config.section("generate");
    const auto n_steps = static_cast<arma::uword>(section.integer("n_steps", {.min = 1, .max = 10000000}));
    const auto n_sequences = static_cast<arma::uword>(section.integer("n_sequences", {.min = 1, .max = 100000}, 1));
    config.reject_unknown();

    const Sequences sequences = Sequences::of_lengths(std::vector<arma::uword>(n_sequences, n_steps));
    const Provenance provenance = provenance_of_this_process(config.canonical_text(), seed, {});
    const bool has_weights =
        std::visit([](const auto& any) { return emission_kind(any.emission) == LinearGaussianSpec::kind; }, model);
    std::vector<std::string> tables{"observations", "truth"};
    if (has_weights) tables.emplace_back("weights");
    for (const fs::path& folder : {out, out / "test"}) refuse_foreign_tables(folder, tables);
    const OutputDirectory directory(out, {"test"});
    std::visit(
        [&](const auto& any) {
            const auto parameters = draw_parameters(any, {.seed = seed, .chain = data_chain});
            write_set(out, sequences, parameters, {.seed = seed, .chain = data_chain, .draw = 0}, provenance);
            write_set(out / "test", sequences, parameters, {.seed = seed, .chain = data_chain, .draw = 1}, provenance);
            fmt::print("{}: {} sequence{} of {} steps to train on and as many to test on, {} emission\n", out.string(),
                       n_sequences, n_sequences == 1 ? "" : "s", n_steps, emission_kind(any.emission));
        },
        model);
    directory.finish(provenance, run_record(argc, argv, started));
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, generate);
}
