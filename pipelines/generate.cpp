// hmmlt-generate: draws synthetic data, with its truth, from an HDP-HMM with binary states (the paper's synthetic set).
#include <fmt/format.h>

#include <armadillo>
#include <chrono>
#include <filesystem>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/config.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/generative.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;

BinaryHmmPrior read_prior(const Config& config) {
    const auto size = [](const Section& section, const char* key) {
        return static_cast<arma::uword>(section.integer(key, {.min = 1, .max = 100000}));
    };
    BinaryHmmPrior prior;
    const Section model = config.section("model");
    prior.n_states = size(model, "n_states");
    model.section("similarity").text("kind", {"constant"}, "constant");
    const Section locations = model.section("locations");
    locations.text("kind", {"binary"}, "binary");
    prior.n_dims = size(locations, "n_dims");
    prior.mu_a = locations.section("mu").real("a", RealRange::positive(), 1.0);
    prior.mu_b = locations.section("mu").real("b", RealRange::positive(), 1.0);
    const Section emission = model.section("emission");
    emission.text("kind", {"linear_gaussian"}, "linear_gaussian");
    prior.n_channels = size(emission, "n_channels");
    prior.weight_sd = emission.section("weights").real("sd", RealRange::positive());
    prior.precision_shape = emission.section("precision").real("shape", RealRange::positive());
    prior.precision_rate = emission.section("precision").real("rate", RealRange::positive());
    const Section priors = config.section("priors");
    prior.gamma = priors.real("gamma", RealRange::positive());
    prior.concentration = priors.real("concentration", RealRange::positive());
    return prior;
}

void write_sequence(const std::filesystem::path& folder, const BinaryHmmParameters& parameters,
                    const BinaryHmmSequence& sequence, const Provenance& provenance) {
    const arma::uword n_steps = sequence.z.n_elem;
    std::vector<std::int32_t> index(n_steps, 0);
    std::vector<std::int32_t> t(n_steps);
    for (arma::uword step = 0; step < n_steps; ++step) t[step] = static_cast<std::int32_t>(step);

    Table observations("observations");
    observations.add_column("sequence", index).add_column("t", t);
    for (arma::uword channel = 0; channel < sequence.y.n_rows; ++channel)
        observations.add_column(fmt::format("y_{}", channel),
                                arma::conv_to<std::vector<double>>::from(sequence.y.row(channel)));
    Table truth("truth");
    truth.add_column("sequence", index).add_column("t", t);
    for (arma::uword dim = 0; dim < parameters.theta.n_rows; ++dim) {
        std::vector<std::int32_t> theta(n_steps);
        for (arma::uword step = 0; step < n_steps; ++step)
            theta[step] = static_cast<std::int32_t>(parameters.theta(dim, sequence.z(step)));
        truth.add_column(fmt::format("theta_{}", dim), std::move(theta));
    }
    truth.add_column("z", arma::conv_to<std::vector<std::int32_t>>::from(sequence.z));
    Table weights("weights");
    std::vector<std::int32_t> feature(parameters.weights.n_rows);
    for (std::size_t row = 0; row < feature.size(); ++row) feature[row] = static_cast<std::int32_t>(row);
    weights.add_column("feature", std::move(feature));
    for (arma::uword channel = 0; channel < parameters.weights.n_cols; ++channel)
        weights.add_column(fmt::format("w_{}", channel),
                           arma::conv_to<std::vector<double>>::from(parameters.weights.col(channel)));

    make_directories(folder);
    write_table(folder / "observations.parquet", observations_schema(), observations, provenance);
    write_table(folder / "truth.parquet", truth_schema(), truth, provenance);
    write_table(folder / "weights.parquet", weights_schema(), weights, provenance);
}

void generate(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    std::filesystem::path model_file;
    std::filesystem::path out;
    std::uint64_t seed = 0;
    std::vector<std::string> overrides;
    CommandLine flags("hmmlt-generate", "Draw a training and a test sequence, with the truth, from a model.",
                      "hmmlt-generate --model experiments/synthetic/models/hdp_hmm.toml --seed 1 --out results/set-1");
    flags.required_path("--model", model_file, "the model to draw from (TOML)");
    flags.required_seed("--seed", seed, "the same seed and model give the same bytes");
    flags.required_path("--out", out, "data directory to write: observations, truth, weights, and test/ likewise");
    flags.repeated_text("--set", overrides, "override a key of the model, e.g. generate.n_steps=100; may be repeated");
    flags.parse(argc, argv);

    Config config = Config::load(model_file);
    for (const std::string& assignment : overrides) config.set(assignment);
    const BinaryHmmPrior prior = read_prior(config);
    const auto n_steps =
        static_cast<arma::uword>(config.section("generate").integer("n_steps", {.min = 1, .max = 10000000}));
    config.reject_unknown();

    const BinaryHmmParameters parameters = draw_parameters(prior, seed);
    const Provenance provenance = provenance_of_this_process(config.canonical_text(), seed, {});
    const std::filesystem::path test = out / "test";
    write_sequence(out, parameters, draw_sequence(parameters, n_steps, 0, seed), provenance);
    write_sequence(test, parameters, draw_sequence(parameters, n_steps, 1, seed), provenance);
    for (const auto& folder : {out, test})
        write_provenance_beside(folder / "observations.parquet", provenance, run_record(argc, argv, started));
    fmt::print("{}: {} steps to train on and {} to test on, {} channels, {} binary dimensions\n", out.string(), n_steps,
               n_steps, prior.n_channels, prior.n_dims);
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, generate);
}
