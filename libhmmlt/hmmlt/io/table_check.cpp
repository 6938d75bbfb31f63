// Presence, type and nulls of every column; then the canonical byte stream of a table.
#include "hmmlt/io/table_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <span>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"

namespace hmmlt {

namespace {

static_assert(std::endian::native == std::endian::little, "the content hash is defined on little-endian values");

std::string column_list(const Table& table, const std::vector<std::string>& left_out) {
    std::vector<std::string> names;
    for (const Column& column : table.columns()) names.push_back(column.name);
    names.insert(names.end(), left_out.begin(), left_out.end());
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string shown_name(const ColumnSpec& spec) {
    return spec.extent == Extent::family ? family_member(spec.name, 0) : spec.name;
}

void check_column(std::string_view where, const ColumnSpec& spec, const Column& column) {
    if (column.type() != spec.type)
        throw DataError(fmt::format("{}: column {}: expected {}, found {}", where, column.name, type_name(spec.type),
                                    type_name(column.type())));
    if (spec.nullable || column.valid.empty()) return;
    for (std::size_t row = 0; row < column.valid.size(); ++row)
        if (!column.valid[row])
            throw DataError(fmt::format("{}: column {}: expected a value in every row, found null in row {}", where,
                                        column.name, row));
}

// The columns that stand for one spec, in order; empty if it is absent.
std::vector<const Column*> columns_of(std::string_view where, const Schema& schema, const ColumnSpec& spec,
                                      const Table& table) {
    std::vector<const Column*> found;
    if (spec.extent == Extent::single) {
        if (table.has(spec.name)) found.push_back(&table.at(spec.name));
    } else if (spec.extent == Extent::others) {
        for (const Column& column : table.columns())
            if (find_spec(schema, column.name) == &spec) found.push_back(&column);
    } else {
        for (const std::string& name : table.family(spec.name)) {
            const std::string expected = family_member(spec.name, found.size());
            if (name != expected)
                throw DataError(
                    fmt::format("{}: column {} is missing, but there is {}; the columns {}_0, {}_1, ... "
                                "must have no gap",
                                where, expected, name, spec.name, spec.name));
            found.push_back(&table.at(name));
        }
    }
    for (const Column* column : found) check_column(where, spec, *column);
    return found;
}

void check_alternatives(std::string_view where, const Schema& schema, const std::vector<std::string>& present,
                        const std::string& all_columns) {
    std::vector<std::string> names;
    for (const ColumnSpec& spec : schema.columns)
        if (spec.presence == Presence::one_of) names.push_back(shown_name(spec));
    if (names.empty() || present.size() == 1) return;
    throw DataError(fmt::format("{}: expected exactly one of the columns {}, found {}; the columns are: {}", where,
                                fmt::join(names, ", "),
                                present.empty() ? "none" : fmt::format("{}", fmt::join(present, ", ")), all_columns));
}

class ContentHash {
  public:
    void number(std::uint64_t value) { hash_.update(std::as_bytes(std::span(&value, 1))); }
    void text(std::string_view value) {
        number(value.size());
        hash_.update(value);
    }
    template <typename T>
    void values(const std::vector<T>& numbers) {
        hash_.update(std::as_bytes(std::span(numbers)));
    }
    void values(const std::vector<std::string>& texts) {
        for (const std::string& value : texts) text(value);
    }
    void nulls(const std::vector<bool>& valid) {
        number(valid.empty() ? 0 : 1);
        std::vector<std::uint8_t> bytes(valid.begin(), valid.end());
        values(bytes);
    }
    std::string hex() { return hash_.hex(); }

  private:
    Sha256 hash_;
};

}  // namespace

std::vector<const Column*> check_table(std::string_view where, const Schema& schema, const Table& table,
                                       const std::vector<std::string>& left_out) {
    if (table.name() != schema.name)
        throw DataError(fmt::format("{}: expected the table {}, found {}", where, schema.name, table.name()));
    std::vector<const Column*> ordered;
    std::vector<std::string> alternatives;
    for (const ColumnSpec& spec : schema.columns) {
        const std::vector<const Column*> found = columns_of(where, schema, spec, table);
        if (found.empty() && spec.presence == Presence::required)
            throw DataError(fmt::format("{}: column {} is missing; the columns are: {}", where, shown_name(spec),
                                        column_list(table, left_out)));
        if (!found.empty() && spec.presence == Presence::one_of) alternatives.push_back(found.front()->name);
        ordered.insert(ordered.end(), found.begin(), found.end());
    }
    check_alternatives(where, schema, alternatives, column_list(table, left_out));
    for (const Column& column : table.columns())
        if (find_spec(schema, column.name) == nullptr)
            throw DataError(fmt::format("{}: a table {} has no column {}", where, schema.name, column.name));
    return ordered;
}

std::string content_sha256(const Schema& schema, const std::vector<const Column*>& columns,
                           std::string_view provenance_json) {
    ContentHash hash;
    hash.text(schema.name);
    hash.number(static_cast<std::uint64_t>(schema.version));
    hash.text(provenance_json);
    hash.number(columns.size());
    hash.number(columns.empty() ? 0 : columns.front()->size());
    for (const Column* column : columns) {
        hash.text(column->name);
        hash.text(type_name(column->type()));
        hash.nulls(column->valid);
        std::visit([&hash](const auto& values) { hash.values(values); }, column->values);
    }
    return hash.hex();
}

}  // namespace hmmlt
