// Parquet -> Table, one column at a time and in one thread. Nothing in a file is trusted: page checksums catch damaged
// data, the content hash a damaged footer.
#include <arrow/api.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include "hmmlt/io/arrow_column.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/parquet_open.hpp"
#include "hmmlt/io/table_check.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

// The file's metadata under our keys; empty for a foreign file.
std::map<std::string, std::string> our_metadata(parquet::arrow::FileReader& reader) {
    std::map<std::string, std::string> found;
    const auto metadata = reader.parquet_reader()->metadata()->key_value_metadata();
    for (std::int64_t i = 0; metadata && i < metadata->size(); ++i)
        if (metadata->key(i).starts_with(metadata_key::prefix)) found.emplace(metadata->key(i), metadata->value(i));
    return found;
}

void check_metadata(const std::string& where, const Schema& schema, const std::map<std::string, std::string>& found) {
    for (const char* key :
         {metadata_key::table, metadata_key::schema_version, metadata_key::provenance, metadata_key::content_sha256})
        if (!found.contains(key)) throw DataError(fmt::format("{}: damaged: its metadata lack {}", where, key));
    const std::string& table = found.at(metadata_key::table);
    if (table != schema.name)
        throw DataError(fmt::format("{}: expected the table {}, found {}", where, schema.name, table));
    const std::string& text = found.at(metadata_key::schema_version);
    int version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc{} || end != text.data() + text.size())
        throw DataError(fmt::format("{}: damaged: schema version {}", where, text));
    if (version != schema.version)
        throw DataError(fmt::format("{}: expected version {} of the table {}, found version {}: {}", where,
                                    schema.version, schema.name, version,
                                    version > schema.version ? "it was written by a newer hmmlt"
                                                             : "it was written by an older hmmlt; make it again"));
}

// Reads the columns that the schema knows, in the order of the file. `left_out` gets the others of a foreign file.
std::vector<Column> read_columns(const std::string& where, const Schema& schema, parquet::arrow::FileReader& reader,
                                 bool foreign, std::vector<std::string>& left_out) {
    std::shared_ptr<arrow::Schema> fields;
    PARQUET_THROW_NOT_OK(reader.GetSchema(&fields));
    std::vector<Column> columns;
    for (int i = 0; i < fields->num_fields(); ++i) {
        const std::string& name = fields->field(i)->name();
        const ColumnSpec* spec = find_spec(schema, name);
        if (spec == nullptr && !foreign)
            throw DataError(fmt::format("{}: a table {} has no column {}", where, schema.name, name));
        if (spec == nullptr) {
            left_out.push_back(name);
            continue;
        }
        if (fields->GetAllFieldIndices(name).size() > 1)
            throw DataError(fmt::format("{}: there are two columns {}", where, name));
        std::shared_ptr<arrow::ChunkedArray> found;
        PARQUET_THROW_NOT_OK(reader.ReadColumn(i, &found));
        if (!foreign && !is_exactly(*found, spec->type))
            throw DataError(fmt::format("{}: column {}: expected {}, found {}", where, name, type_name(spec->type),
                                        found->type()->ToString()));
        columns.push_back(column_from_arrow(where, name, spec->type, *found));
    }
    return columns;
}

// A table whose columns are in the order of the schema.
Table in_schema_order(const Schema& schema, std::vector<Column> columns) {
    const auto position = [&schema](const Column& column) {
        const ColumnSpec* spec = find_spec(schema, column.name);
        return std::pair(spec - schema.columns.data(), family_index(spec->name, column.name).value_or(0));
    };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](const Column& a, const Column& b) { return position(a) < position(b); });
    Table table(schema.name);
    for (Column& column : columns)
        table.add_column(std::move(column.name), std::move(column.values), std::move(column.valid));
    return table;
}

TableFile read_checked(const std::string& where, const Schema& schema) {
    const auto reader = open_parquet(where);
    const std::map<std::string, std::string> metadata = our_metadata(*reader);
    const bool foreign = metadata.empty();
    if (!foreign) check_metadata(where, schema, metadata);

    std::vector<std::string> left_out;
    TableFile file{in_schema_order(schema, read_columns(where, schema, *reader, foreign, left_out)), foreign,
                   foreign ? "" : metadata.at(metadata_key::provenance), ""};
    const std::vector<const Column*> columns = check_table(where, schema, file.table, left_out);
    file.content_sha256 = content_sha256(schema, columns, file.provenance_json);
    if (!foreign && file.content_sha256 != metadata.at(metadata_key::content_sha256))
        throw DataError(fmt::format("{}: damaged: its content does not match its checksum {}", where,
                                    metadata_key::content_sha256));
    return file;
}

}  // namespace

TableFile read_table(const std::filesystem::path& path, const Schema& schema) {
    return with_our_errors(path, [&] { return read_checked(path.string(), schema); });
}

Provenance read_provenance(const std::filesystem::path& path, const Schema& schema) {
    return with_our_errors(path, [&] {
        const auto reader = open_parquet(path.string());
        const std::map<std::string, std::string> metadata = our_metadata(*reader);
        if (metadata.empty())
            throw DataError(
                fmt::format("{}: expected a table that hmmlt wrote, found one without its metadata", path.string()));
        check_metadata(path.string(), schema, metadata);
        return provenance_from_json(metadata.at(metadata_key::provenance), path.string());
    });
}

}  // namespace hmmlt
