// What makes a table an instance of its schema, and the hash that names its content. Reader and writer share both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hmmlt/io/schema.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt {

// The table's columns in the order of the schema. Throws DataError, beginning with `where` (a file name, mostly) and
// naming column, expected and found: a column missing, unknown, of another type, a family with a gap, a forbidden null.
// `left_out` are columns of the file that the table does not hold; a message that lists columns lists them too.
std::vector<const Column*> check_table(std::string_view where, const Schema& schema, const Table& table,
                                       const std::vector<std::string>& left_out = {});

// SHA-256 of schema name, schema version, provenance and every column's name, type, nulls and values. The byte stream
// that is hashed is described in docs/formats.md, so that others can recompute it.
std::string content_sha256(const Schema& schema, const std::vector<const Column*>& columns,
                           std::string_view provenance_json);

}  // namespace hmmlt
