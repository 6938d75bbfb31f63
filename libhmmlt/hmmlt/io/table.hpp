// A table in memory: a value with named columns of one length, free of any file format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hmmlt/io/schema.hpp"

namespace hmmlt {

// The alternatives are in the order of ColumnType.
using ColumnValues = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                                  std::vector<double>, std::vector<std::string>>;

struct Column {
    std::string name;
    ColumnValues values;
    std::vector<bool> valid;  // false = null; empty = no nulls

    ColumnType type() const { return static_cast<ColumnType>(values.index()); }
    std::size_t size() const;
    bool is_null(std::size_t row) const { return !valid.empty() && !valid[row]; }
};

// Floats compare by their bits: NaN equals the same NaN, 0.0 differs from -0.0, as in the bytes of a file.
bool operator==(const Column& a, const Column& b);

class Table {
  public:
    explicit Table(std::string name) : name_(std::move(name)) {}

    // Columns keep the order in which they are added. `valid` is empty (no nulls) or has one entry per row; the values
    // at nulls are replaced by 0 or "", so that equal tables have equal values. Throws std::invalid_argument for a
    // name that is there already or a length that differs.
    Table& add_column(std::string name, ColumnValues values, std::vector<bool> valid = {});

    const std::string& name() const { return name_; }
    const std::vector<Column>& columns() const { return columns_; }
    std::size_t n_rows() const { return columns_.empty() ? 0 : columns_.front().size(); }

    bool has(std::string_view column) const;
    const Column& at(std::string_view column) const;  // throws DataError naming table and column
    bool is_null(std::string_view column, std::size_t row) const { return at(column).is_null(row); }

    // The values of a column: T is int32_t, int64_t, float, double or std::string. Throws DataError naming table,
    // column, expected and found type.
    template <typename T>
    const std::vector<T>& column(std::string_view name) const {
        const Column& found = at(name);
        if (const auto* values = std::get_if<std::vector<T>>(&found.values)) return *values;
        fail_type(found, static_cast<ColumnType>(ColumnValues(std::vector<T>{}).index()));
    }

    // The columns name_0, name_1, ... in numeric order; empty if there are none.
    std::vector<std::string> family(std::string_view name) const;

    bool operator==(const Table&) const = default;

  private:
    [[noreturn]] void fail_type(const Column& found, ColumnType expected) const;

    std::string name_;
    std::vector<Column> columns_;
};

}  // namespace hmmlt
