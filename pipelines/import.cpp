// hmmlt-import: a user's CSV or Parquet, wide or long, becomes a data directory; and says how it was understood.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "pipelines/import/flags.hpp"
#include "pipelines/import/summary.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

// A table that says what the things numbered 0, 1, ... are called.
Table names_table(const Schema& schema, const std::vector<std::string>& names) {
    std::vector<std::int32_t> numbers(names.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    Table table(schema.name);
    table.add_column(schema.columns[0].name, std::move(numbers)).add_column(schema.columns[1].name, names);
    return table;
}

struct NamedTable {
    const Schema* schema;
    Table table;
};

std::vector<NamedTable> tables_of(const ImportedData& data) {
    std::vector<NamedTable> tables{
        {&observations_schema(), observations_table(data.observations)},
        {&sequences_schema(), names_table(sequences_schema(), data.sequence_names)},
    };
    if (data.labels.empty())
        tables.push_back({&channels_schema(), names_table(channels_schema(), data.channel_names)});
    else
        tables.push_back({&vocabulary_schema(), names_table(vocabulary_schema(), data.labels)});
    return tables;
}

// A table of another data set beside the new ones would be taken for one of theirs.
void refuse_leftovers(const fs::path& folder, const std::vector<NamedTable>& tables) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const bool is_ours = std::any_of(tables.begin(), tables.end(), [&](const NamedTable& table) {
            return entry.path().filename() == table.schema->name + ".parquet";
        });
        if (entry.path().extension() == ".parquet" && !is_ours)
            throw IoError(
                fmt::format("cannot write {}: it holds {}, which belongs to other data; remove it or choose "
                            "another directory",
                            folder.string(), entry.path().filename().string()));
    }
}

void write_tables(const fs::path& folder, const std::vector<NamedTable>& tables, const Provenance& provenance) {
    for (const auto& [schema, table] : tables) {
        stop_if_interrupted();
        write_table(folder / (schema->name + ".parquet"), *schema, table, provenance);
    }
}

void import(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    const ImportFlags flags = parse_import_flags(argc, argv);
    std::error_code ignored;
    if (const auto size = fs::file_size(flags.in, ignored); !ignored && size > 100'000'000)
        fmt::print(stderr, "hmmlt-import: reading {} ({} MB)\n", flags.in.string(), size / 1'000'000);
    const SourceTable source = read_source(flags.in, flags.format, flags.csv);
    stop_if_interrupted();
    const Roles roles = find_roles(source, flags.wishes);
    const ImportedData data = make_data_set(source, roles);
    const auto parts = flags.has_test() ? split(data, flags.test) : std::pair(data, ImportedData());
    stop_if_interrupted();

    const auto train = tables_of(parts.first);
    const auto test = flags.has_test() ? tables_of(parts.second) : std::vector<NamedTable>();
    refuse_leftovers(flags.out, train);
    refuse_leftovers(flags.out / "test", test);
    const bool is_drawn = flags.test.fraction > 0.0 && data.sequence_names.size() > 1;
    const Provenance provenance =
        provenance_of_this_process(flags.canonical_text, is_drawn ? std::optional(flags.test.seed) : std::nullopt,
                                   {{flags.in.filename().string(), source.sha256}});
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
