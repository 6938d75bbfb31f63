// hmmlt-import: a user's CSV or Parquet, wide or long, becomes a data directory; and says how it was understood.
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <numeric>
#include <optional>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "pipelines/import/flags.hpp"
#include "pipelines/import/meaning.hpp"
#include "pipelines/import/summary.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

std::vector<LegendTable> tables_of(const ImportedData& data, const std::optional<Scaling>& scaling) {
    std::vector<std::int32_t> numbers(data.sequence_names.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    Table sequences("sequences");
    sequences.add_column("sequence", std::move(numbers)).add_column("name", data.sequence_names);
    std::vector<LegendTable> tables{{&observations_schema(), observations_table(data.observations)},
                                    {&sequences_schema(), std::move(sequences)}};
    for (LegendTable& table : legend_tables({data.channel_names, data.labels, scaling}))
        tables.push_back(std::move(table));
    return tables;
}

void refuse_leftovers(const fs::path& folder, const std::vector<LegendTable>& tables) {
    std::vector<std::string> names;
    for (const LegendTable& table : tables) names.push_back(table.schema->name);
    refuse_foreign_tables(folder, names);
}

Legend read_like(const fs::path& directory, std::map<std::string, std::string>& inputs) {
    std::map<std::string, std::string> tables;
    Legend legend = read_legend(directory, tables);
    if (legend.channels.empty() && legend.labels.empty())
        throw DataError(fmt::format("--like {}: expected channels.parquet or vocabulary.parquet there, found neither",
                                    directory.string()));
    for (const auto& [name, hash] : tables) inputs["like/" + name] = hash;
    return legend;
}

void write_tables(const fs::path& folder, const std::vector<LegendTable>& tables, const Provenance& provenance) {
    for (const auto& [schema, table] : tables) {
        stop_if_interrupted();
        write_table(folder / (schema->name + ".parquet"), *schema, table, provenance);
    }
}

struct Understood {
    SourceTable source;
    Roles roles;
    ImportedData data;
};

Understood understand(const ImportFlags& flags, const Legend& like) try {
    Wishes wishes = flags.wishes;
    if (!like.channels.empty()) wishes.columns = like.channels;
    CsvOptions csv = flags.csv;
    csv.keep_as_text = [&wishes](std::string_view name) { return is_read_as_text(name, wishes); };
    SourceTable source = read_source(flags.in, flags.format, csv);
    stop_if_interrupted();
    Roles roles = find_roles(source, wishes);
    ImportedData data = make_data_set(source, roles);
    if (!like.labels.empty()) adopt_labels(data, like.labels, flags.like.string());
    return {std::move(source), std::move(roles), std::move(data)};
} catch (const UsageError& error) {
    if (flags.like.empty()) throw;
    throw UsageError(fmt::format("--like {}: {}", flags.like.string(), error.what()));  // what it wishes for
}

void import(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    const ImportFlags flags = parse_import_flags(argc, argv);
    std::error_code ignored;
    if (const auto size = fs::file_size(flags.in, ignored); !ignored && size > 100'000'000)
        fmt::print(stderr, "hmmlt-import: reading {} ({} MB)\n", flags.in.string(), size / 1'000'000);
    std::map<std::string, std::string> inputs;
    const Legend like = flags.like.empty() ? Legend() : read_like(flags.like, inputs);
    auto [source, roles, data] = understand(flags, like);
    inputs[flags.in.filename().string()] = source.sha256;
    if (flags.standardise && !data.labels.empty()) throw UsageError("--standardise: symbols have no mean and no sd");
    auto parts = flags.has_test() ? split(data, flags.test) : std::pair(data, ImportedData());
    std::optional<Scaling> scaling = like.scaling;
    if (flags.standardise) scaling = scaling_of(parts.first, data.notes);
    if (scaling)
        data.notes.push_back(flags.standardise ? "each channel has mean 0 and sd 1 over what is to train on"
                                               : fmt::format("channels are scaled as in {}", flags.like.string()));
    if (scaling) standardise(parts.first, *scaling);
    if (scaling && flags.has_test()) standardise(parts.second, *scaling);
    stop_if_interrupted();

    const auto train = tables_of(parts.first, scaling);
    const auto test = flags.has_test() ? tables_of(parts.second, scaling) : std::vector<LegendTable>();
    refuse_leftovers(flags.out, train);
    refuse_leftovers(flags.out / "test", test);
    const bool is_drawn = flags.test.fraction > 0.0 && data.sequence_names.size() > 1;
    const Provenance provenance = provenance_of_this_process(
        flags.canonical_text, is_drawn ? std::optional(flags.test.seed) : std::nullopt, std::move(inputs));
    const OutputDirectory directory(flags.out,
                                    flags.has_test() ? std::vector<fs::path>{"test"} : std::vector<fs::path>());
    write_tables(flags.out, train, provenance);
    if (flags.has_test()) write_tables(flags.out / "test", test, provenance);
    directory.finish(provenance, run_record(argc, argv, started));

    fmt::print("{}", summary(source, roles, data));
    fmt::print("{}: {} to train on{}\n", flags.out.string(), lengths_text(parts.first.observations.sequences),
               flags.has_test() ? ", " + lengths_text(parts.second.observations.sequences) + " to test on" : "");
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, import);
}
