// Every flag has a default that finds out; what is found out is told.
#include "pipelines/import/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "hmmlt/io/config.hpp"
#include "hmmlt/io/csv_scan.hpp"
#include "hmmlt/io/errors.hpp"
#include "pipelines/stage/command_line.hpp"

namespace hmmlt {

namespace {

const std::string automatic = "auto";

struct Choices {
    std::string format = automatic;
    std::string layout = automatic;
    std::string delimiter = automatic;
    std::string header = automatic;
    std::string columns;
};

std::string canonical_text(const ImportFlags& flags, const Choices& choices) {
    std::string text;
    const auto add = [&text](const char* key, const std::string& value) {
        if (!value.empty() && value != automatic) text += fmt::format("import.{} = {}\n", key, toml_string(value));
    };
    const auto add_list = [&text](const char* key, const std::vector<std::string>& values) {
        std::vector<std::string> quoted;
        for (const std::string& value : values) quoted.push_back(toml_string(value));
        if (!values.empty()) text += fmt::format("import.{} = [{}]\n", key, fmt::join(quoted, ", "));
    };
    add_list("columns", flags.wishes.columns);
    add("delimiter", choices.delimiter);
    add("format", choices.format);
    add("header", choices.header);
    add("layout", choices.layout);
    add_list("missing", flags.csv.missing);
    add("sequence", flags.wishes.sequence);
    add("symbol", flags.wishes.symbol);
    if (flags.standardise) text += "import.standardise = true\n";
    if (flags.test.fraction > 0.0) text += fmt::format("import.test = {}\n", flags.test.fraction);
    add_list("test_sequences", flags.test.names);
    add("time", flags.wishes.time);
    add("value", flags.wishes.value);
    add("variable", flags.wishes.variable);
    return text;
}

}  // namespace

ImportFlags parse_import_flags(int argc, char** argv) {
    ImportFlags flags;
    Choices choices;
    Wishes& wishes = flags.wishes;
    CommandLine line(
        "hmmlt-import", "Turn a CSV or Parquet file into a data directory, and say how it was understood.",
        "hmmlt-import --in sensors.csv --sequence subject --time when --test 0.2 --out results/sensors/data");
    line.required_path("--in", flags.in, "CSV or Parquet: a row per step (wide), or per step and variable (long)");
    line.required_path("--out", flags.out, "data directory to write: observations, sequences, channels or vocabulary");
    line.choice("--format", choices.format, {"auto", "csv", "parquet"}, "auto: .parquet and .pq are Parquet, else CSV");
    line.choice("--layout", choices.layout, {"auto", "wide", "long"}, "auto: long with columns variable and value");
    line.text("--sequence", wishes.sequence, "column that tells sequences apart, or none; else found by its name");
    line.text("--time", wishes.time, "column that orders steps, or none; else found by its name or type");
    line.text("--columns", choices.columns,
              "the channels, e.g. a,b,c (long: the variables); else all that are numeric");
    line.text("--symbol", wishes.symbol, "column of symbols, text or whole numbers, instead of channels");
    line.text("--variable", wishes.variable, "long layout: column that names the variables");
    line.text("--value", wishes.value, "long layout: column of their values");
    line.fraction("--test", flags.test.fraction, "part of the sequences to write to test/; of an only one, its end");
    line.texts("--test-sequences", flags.test.names, "instead of --test: the sequences to write to test/");
    line.seed("--seed", flags.test.seed, "draws the sequences for --test; 1 if not given");
    line.yes("--standardise", flags.standardise,
             "bring each channel to mean 0 and sd 1 over the part to train on, and keep both in scaling.parquet");
    line.path("--like", flags.like,
              "new data for what was trained on this data directory: its channels, scaling and symbols");
    line.choice("--delimiter", choices.delimiter, {"auto", "comma", "semicolon", "tab", "space"},
                "what separates the columns of CSV");
    line.choice("--header", choices.header, {"auto", "yes", "no"}, "whether line 1 of CSV names the columns");
    line.texts(
        "--missing", flags.csv.missing,
        fmt::format("CSV cells that are missing values, besides empty ones{}", fmt::join(missing_words(), ", ")));
    line.parse(argc, argv);

    if (flags.test.fraction > 0.0 && !flags.test.names.empty())
        throw UsageError("--test and --test-sequences exclude each other");
    if (!flags.like.empty() && (flags.standardise || !choices.columns.empty()))
        throw UsageError("--like takes channels and scaling from there: leave out --columns and --standardise");
    if (choices.layout != automatic) wishes.layout = choices.layout;
    if (!choices.columns.empty()) wishes.columns = csv_fields(choices.columns, ',');
    if (choices.format != automatic) flags.format = choices.format == "csv" ? SourceFormat::csv : SourceFormat::parquet;
    const std::map<std::string, char> characters{{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}};
    if (choices.delimiter != automatic) flags.csv.delimiter = characters.at(choices.delimiter);
    if (choices.header != automatic)
        flags.csv.header = choices.header == "yes" ? CsvOptions::Header::yes : CsvOptions::Header::no;
    flags.canonical_text = canonical_text(flags, choices);
    return flags;
}

}  // namespace hmmlt
