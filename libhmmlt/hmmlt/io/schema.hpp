// Every table hmmlt reads or writes, declared once: writer, reader, checks and documentation follow these lists. A new
// table is one new function here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hmmlt {

enum class ColumnType { int32, int64, float32, float64, string };  // in the order of ColumnValues (table.hpp)

std::string_view type_name(ColumnType type);

enum class Presence {
    required,
    optional,
    one_of,  // exactly one of the columns so marked is there
};

enum class Extent {
    single,
    family,  // "y" stands for y_0, y_1, ...: numbered from 0 without gaps; at least y_0 where it is present
    others,  // every column that no other spec names, in the order of the table; the spec's own name is for people
};

struct ColumnSpec {
    std::string name;
    ColumnType type;
    bool nullable;
    Presence presence;
    Extent extent;
    std::string meaning;
};

struct Schema {
    std::string name;
    int version;  // one more at each change that an older reader would misread (docs/formats.md)
    std::vector<ColumnSpec> columns;
};

// The spec that a column of this name belongs to ("y_3" -> y), or nullptr.
const ColumnSpec* find_spec(const Schema& schema, std::string_view column);

// "y_3" of the family "y" -> 3; nothing for any other name ("y_03", "y_", "x_3").
std::optional<std::size_t> family_index(std::string_view family, std::string_view column);
std::string family_member(std::string_view family, std::size_t index);

const Schema& observations_schema();
const Schema& sequences_schema();
const Schema& truth_schema();
const Schema& weights_schema();
const Schema& vocabulary_schema();
const Schema& channels_schema();
const Schema& scaling_schema();
// What training writes.
const Schema& trace_schema();
const Schema& timing_schema();
const Schema& heldout_schema();
const Schema& draws_schema();
const Schema& state_mean_schema();
// What evaluation writes.
const Schema& evaluation_schema();
const Schema& predictions_schema();
// What diagnosing writes.
const Schema& diagnostics_schema();

// All of the above.
std::vector<const Schema*> all_schemas();

}  // namespace hmmlt
