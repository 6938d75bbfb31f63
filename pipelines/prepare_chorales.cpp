// hmmlt-prepare-chorales: four-voice scores (MusicXML) to sequences of chords, split into training and test scores.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/stream_blocks.hpp"
#include "pipelines/chorales/expectations.hpp"
#include "pipelines/chorales/tables.hpp"
#include "pipelines/chorales/text.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/progress.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
using namespace hmmlt::chorales;
namespace fs = std::filesystem;

struct Flags {
    fs::path corpus, list, check, out;
    std::string recipe = "a", mode = "major", split = "random";
    std::int64_t split_number = 0, n_test = 17;
    std::uint64_t seed = 1;
};

Flags parse(int argc, char** argv) {
    Flags to;
    CommandLine flags("hmmlt-prepare-chorales",
                      "Slice four-voice scores into chords, transposed to C, and split them into training and test.",
                      "hmmlt-prepare-chorales --corpus my-scores --mode both --n-test 5 --out results/my-scores");
    flags.required_path("--corpus", to.corpus, "folder of scores: .mxl, .musicxml or .xml (MusicXML)");
    flags.required_path("--out", to.out,
                        "data directory to write: observations, sequences, vocabulary; test/ likewise");
    flags.choice("--recipe", to.recipe, {"a", "b"}, "a: as published (default); b: always four voices, ties held");
    flags.choice("--mode", to.mode, {"major", "minor", "both"}, "the scores to take (default major)");
    flags.choice("--split", to.split, {"random", "grouped"},
                 "grouped: exact duplicates stay together (default random)");
    flags.integer("--n-test", to.n_test, {1, 1000000}, "scores to test on; the others train (default 17)");
    flags.integer("--split-number", to.split_number, {0, 1000000}, "another number, another split (default 0)");
    flags.seed("--seed", to.seed, "seed of all splits (default 1)");
    flags.path("--list", to.list, "the scores to take (CSV: id,file; and what they must be); without it, all files");
    flags.path("--check", to.check, "check values of the whole corpus (CSV): nothing is written unless they are met");
    flags.parse(argc, argv);
    return to;
}

std::vector<Chorale> read_all(const std::vector<Entry>& entries, Recipe recipe) {
    std::vector<Chorale> scores;
    Progress progress("prepare-chorales", "score", entries.size());
    for (const Entry& entry : entries) {
        stop_if_interrupted();
        scores.push_back(read_chorale(entry, recipe));
        if (progress.is_due(scores.size())) progress.show(scores.size());
    }
    return scores;
}

// What was understood, for the user, and as a row to compare with the check values.
Row report(const Flags& flags, const std::vector<Chorale>& scores, const std::vector<Chorale>& chosen) {
    for (const Chorale& score : scores)
        if (!score.valid()) fmt::print("{} is not used: {}\n", in_quotes(score.file.filename().string()), score.reason);
    const auto count = [&](auto property) {
        return fmt::format("{}", std::count_if(scores.begin(), scores.end(), property));
    };
    std::size_t n_tokens = 0;
    for (const Chorale& score : chosen) n_tokens += score.chords.size();
    const std::string text = check_text(chosen);
    const Row row{{"recipe", flags.recipe},
                  {"mode", flags.mode},
                  {"scores", fmt::format("{}", scores.size())},
                  {"valid", count([](const Chorale& score) { return score.valid(); })},
                  {"major", count([](const Chorale& score) { return score.valid() && score.major; })},
                  {"minor", count([](const Chorale& score) { return score.valid() && !score.major; })},
                  {"tokens", fmt::format("{}", n_tokens)},
                  {"types", fmt::format("{}", vocabulary_of(chosen).chords.size())},
                  {"bytes", fmt::format("{}", text.size())},
                  {"sha256", sha256_of_text(text)}};
    fmt::print("{}: {} scores, {} valid, {} major, {} minor\n", flags.corpus.string(), row.at("scores"),
               row.at("valid"), row.at("major"), row.at("minor"));
    fmt::print("recipe {}, mode {}: {} scores, {} tokens, {} types, sha256 {}\n", flags.recipe, flags.mode,
               chosen.size(), row.at("tokens"), row.at("types"), row.at("sha256"));
    return row;
}

void write_set(const fs::path& folder, const std::vector<Chorale>& chosen, const std::vector<std::size_t>& part,
               const Vocabulary& vocabulary, const Provenance& provenance) {
    write_table(folder / "observations.parquet", observations_schema(),
                observations_table(symbols_of(chosen, part, vocabulary)), provenance);
    write_table(folder / "sequences.parquet", sequences_schema(), sequences_table(chosen, part), provenance);
    write_table(folder / "vocabulary.parquet", vocabulary_schema(), vocabulary_table(vocabulary), provenance);
}

void prepare_chorales(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    const Flags flags = parse(argc, argv);
    const Recipe recipe = flags.recipe == "a" ? Recipe::a : Recipe::b;
    const auto rows = [](const fs::path& file, const std::vector<std::string>& columns) {
        return file.empty() ? std::vector<Row>{} : read_rows(file, columns);
    };
    const std::vector<Row> list = rows(flags.list, {"id", "file"});
    const std::vector<Row> checks = rows(flags.check, {"recipe", "mode"});

    const auto scores = read_all(list.empty() ? scores_in(flags.corpus) : listed_scores(list, flags.corpus), recipe);
    std::vector<Chorale> chosen;
    std::copy_if(scores.begin(), scores.end(), std::back_inserter(chosen), [&](const Chorale& score) {
        return score.valid() && (flags.mode == "both" || score.major == (flags.mode == "major"));
    });
    const Row found = report(flags, scores, chosen);
    if (!list.empty()) check_scores(scores, list, recipe);
    if (!checks.empty()) check_totals(found, checks, flags.check);
    if (!list.empty() || !checks.empty()) fmt::print("all of this is as expected\n");

    const std::vector<std::size_t> twins = equals(chosen);
    std::vector<std::size_t> alone(chosen.size());
    std::iota(alone.begin(), alone.end(), std::size_t{0});
    Stream rng({.seed = flags.seed,
                .chain = data_chain,
                .sweep = static_cast<std::uint32_t>(flags.split_number),
                .block = static_cast<std::uint32_t>(StreamBlock::train_test_split)});
    const Split split =
        draw_split(flags.split == "grouped" ? twins : alone, static_cast<std::size_t>(flags.n_test), rng);

    const std::string config =
        fmt::format("mode = \"{}\"\nn_test = {}\nrecipe = \"{}\"\nsplit = \"{}\"\nsplit_number = {}\n", flags.mode,
                    flags.n_test, flags.recipe, flags.split, flags.split_number);
    const Provenance provenance = provenance_of_this_process(config, flags.seed, {{"corpus", corpus_sha256(scores)}});
    stop_if_interrupted();
    const Vocabulary vocabulary = vocabulary_of(chosen);
    for (const fs::path& folder : {flags.out, flags.out / "test"})
        refuse_foreign_tables(folder, {"observations", "sequences", "vocabulary"});
    const OutputDirectory directory(flags.out, {"test"});
    write_set(flags.out, chosen, split.train, vocabulary, provenance);
    write_set(flags.out / "test", chosen, split.test, vocabulary, provenance);
    directory.finish(provenance, run_record(argc, argv, started));
    fmt::print("{}: {}\n", flags.out.string(), describe(split, chosen));
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, prepare_chorales);
}
