// hmmlt-prepare-pascal: mixes a cocktail party of recorded speakers, with its truth: who speaks when.
#include <fmt/format.h>

#include <chrono>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "pipelines/pascal/corpus.hpp"
#include "pipelines/pascal/joint_states.hpp"
#include "pipelines/pascal/mix.hpp"
#include "pipelines/pascal/statistics.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
using namespace hmmlt::pascal;
namespace fs = std::filesystem;

// What the training and the test party share.
struct Cast {
    std::vector<arma::uword> speakers;  // of the corpus, one per dimension
    std::vector<TurnChain> chains;      // one per conversation
    arma::mat weights;
};

struct Party {
    Scene scene;
    arma::mat y;
    PartyStatistics statistics;
};

Cast draw_cast(const Corpus& corpus, const Recipe& recipe, std::uint64_t seed) {
    if (corpus.speakers().size() < recipe.n_dims())
        throw DataError(fmt::format("{}: expected at least {} speakers (folders with .wav files), found {}",
                                    corpus.folder().string(), recipe.n_dims(), corpus.speakers().size()));
    Stream speakers_rng = party_stream(seed, Draws::speakers, 0, 0);
    Stream weights_rng = party_stream(seed, Draws::weights, 0, 0);
    Cast cast{draw_without_replacement(corpus.speakers().size(), recipe.n_dims(), speakers_rng),
              {},
              draw_weights(recipe, weights_rng)};
    for (arma::uword conversation = 0; conversation < recipe.n_conversations; ++conversation) {
        Stream rng = party_stream(seed, Draws::chains, 0, conversation);
        cast.chains.push_back(draw_turn_chain(recipe.n_speakers, recipe.turn_concentration, rng));
    }
    return cast;
}

// `part` 0 trains, 1 tests.
Party draw_party(const Cast& cast, Corpus& corpus, const Recipe& recipe, std::uint64_t seed, std::uint32_t part) {
    const auto sentence_of = [&](arma::uword dim, arma::uword sentence) -> const std::vector<float>& {
        stop_if_interrupted();
        return corpus.samples(cast.speakers[dim], sentence);
    };
    std::vector<std::vector<Segment>> conversations;
    for (arma::uword conversation = 0; conversation < recipe.n_conversations; ++conversation) {
        const arma::uword first = conversation * recipe.n_speakers;
        Repertoire repertoire;
        for (arma::uword speaker = 0; speaker < recipe.n_speakers; ++speaker)
            repertoire.n_sentences.push_back(corpus.speakers()[cast.speakers[first + speaker]].sentences.size());
        repertoire.n_samples = [&](arma::uword speaker, arma::uword sentence) {
            return sentence_of(first + speaker, sentence).size();
        };
        Stream rng = party_stream(seed, Draws::turns, part, conversation);
        conversations.push_back(draw_conversation(cast.chains[conversation], repertoire, recipe, rng));
    }
    Scene scene = record(conversations, recipe, [&](arma::uword dim, arma::uword sentence, arma::uword offset) {
        return static_cast<double>(sentence_of(dim, sentence)[offset]);
    });
    scale_signal(recipe.signal_mean, recipe.signal_sd, scene);
    Stream noise_rng = party_stream(seed, Draws::noise, part, 0);
    arma::mat y = draw_mixture(scene.signal, cast.weights, recipe.noise_sd, noise_rng);
    PartyStatistics statistics = describe(conversations, scene, recipe);
    return {std::move(scene), std::move(y), std::move(statistics)};
}

void write_party(const fs::path& folder, const Party& party, const arma::mat& weights, JointStates& states,
                 const Provenance& provenance) {
    const Sequences sequences = Sequences::of_lengths({party.y.n_cols});
    const arma::uvec z = states.number(party.scene.on);
    stop_if_interrupted();
    write_table(folder / "observations.parquet", observations_schema(), observations_table({sequences, party.y, {}}),
                provenance);
    write_table(folder / "truth.parquet", truth_schema(), truth_table(sequences, z, party.scene.on), provenance);
    write_table(folder / "weights.parquet", weights_schema(), weights_table(weights), provenance);
}

void prepare(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    fs::path corpus_folder;
    fs::path config_file;
    fs::path out;
    std::uint64_t seed = 0;
    std::vector<std::string> overrides;
    CommandLine flags("hmmlt-prepare-pascal", "Mix a cocktail party of recorded speakers, with its truth.",
                      "hmmlt-prepare-pascal --corpus datasets/cocktail/raw/standin \\\n"
                      "    --config experiments/cocktail/data/paper.toml --seed 1 --out results/party-1");
    flags.required_path("--corpus", corpus_folder, "a folder of speakers' folders of WAV files, one sentence each");
    flags.required_path("--config", config_file, "the numbers of the party (TOML)");
    flags.required_seed("--seed", seed, "number of the party: the same number, corpus and config give the same bytes");
    flags.required_path("--out", out, "data directory to write: observations, truth, weights, and test/ likewise");
    flags.repeated_text("--set", overrides, "override a key of the config, e.g. signal.step=1000; may be repeated");
    flags.parse(argc, argv);

    Config config = Config::load(config_file);
    for (const std::string& assignment : overrides) config.set(assignment);
    const Recipe recipe = read_recipe(config);
    config.reject_unknown();

    Corpus corpus(corpus_folder, recipe.sample_rate);
    const std::string corpus_name = corpus.name();
    const Cast cast = draw_cast(corpus, recipe, seed);
    const Party train = draw_party(cast, corpus, recipe, seed, 0);
    const Party test = draw_party(cast, corpus, recipe, seed, 1);
    std::vector<std::string> names;
    for (const arma::uword speaker : cast.speakers) names.push_back(corpus.speakers()[speaker].name);

    const Provenance provenance =
        provenance_of_this_process(config.canonical_text(), seed, {{"corpus", corpus.sha256()}});
    for (const fs::path& folder : {out, out / "test"})
        refuse_foreign_tables(folder, {"observations", "truth", "weights"});
    const OutputDirectory directory(out, {"test"});
    JointStates states;
    write_party(out, train, cast.weights, states, provenance);
    write_party(out / "test", test, cast.weights, states, provenance);
    write_text_atomically(out / "statistics.json",
                          statistics_json(corpus_name, names, recipe, train.statistics, test.statistics));
    directory.finish(provenance, run_record(argc, argv, started));
    fmt::print("{} ({})\n  train: {}\n  test:  {}\n", out.string(), corpus_name, summary(train.statistics),
               summary(test.statistics));
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, prepare);
}
