// Tables as Parquet files: written atomically and reproducibly, read with every check we can make. Arrow stays in the
// sources behind this header.
#pragma once

#include <filesystem>
#include <string>

#include "hmmlt/io/provenance.hpp"
#include "hmmlt/io/schema.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt {

// Keys of the file's own metadata (docs/formats.md).
namespace metadata_key {
inline constexpr const char* prefix = "hmmlt.";  // a file with any such key is one of ours
inline constexpr const char* table = "hmmlt.table";
inline constexpr const char* schema_version = "hmmlt.schema_version";
inline constexpr const char* provenance = "hmmlt.provenance";
inline constexpr const char* content_sha256 = "hmmlt.content_sha256";
}  // namespace metadata_key

// Columns are written in the order of the schema, whatever their order in the table; the same content gives the same
// bytes. Throws DataError if the table does not fit its schema, IoError if it cannot be written; the target is then as
// it was (one exception: AtomicFile::commit).
void write_table(const std::filesystem::path& path, const Schema& schema, const Table& table,
                 const Provenance& provenance);

struct TableFile {
    Table table;                  // columns in the order of the schema
    bool foreign = false;         // not written by hmmlt
    std::string provenance_json;  // empty for a foreign file
    std::string content_sha256;   // of the content as read, also for a foreign file
};

// A file of ours must be exactly what the schema says and match its own content hash. A foreign one (pandas, polars,
// R, DuckDB) may have further columns, which are left out, and other types, which are converted if no value changes.
// Throws IoError if the file cannot be read, DataError naming file, column, expected and found otherwise, and the row
// where it is about one value.
TableFile read_table(const std::filesystem::path& path, const Schema& schema);

// Where a table of ours comes from, without reading its rows. Throws as read_table does, and for a foreign file, which
// does not say.
Provenance read_provenance(const std::filesystem::path& path, const Schema& schema);

}  // namespace hmmlt
