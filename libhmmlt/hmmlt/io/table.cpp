// Columns in memory: their invariants and their errors.
#include "hmmlt/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

template <typename T>
bool same_values(const std::vector<T>& a, const std::vector<T>& b) {
    if constexpr (std::is_floating_point_v<T>)
        return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
    else
        return a == b;
}

template <typename T>
void clear_nulls(std::vector<T>& values, const std::vector<bool>& valid) {
    for (std::size_t row = 0; row < valid.size(); ++row)
        if (!valid[row]) values[row] = T{};
}

}  // namespace

std::size_t Column::size() const {
    return std::visit([](const auto& column) { return column.size(); }, values);
}

bool operator==(const Column& a, const Column& b) {
    if (a.name != b.name || a.valid != b.valid || a.type() != b.type()) return false;
    return std::visit(
        [&b](const auto& values) {
            return same_values(values, std::get<std::remove_cvref_t<decltype(values)>>(b.values));
        },
        a.values);
}

Table& Table::add_column(std::string name, ColumnValues values, std::vector<bool> valid) {
    Column column{std::move(name), std::move(values), std::move(valid)};
    const auto fail = [&](const std::string& what) {
        throw std::invalid_argument(fmt::format("Table::add_column: {}.{}: {}", name_, column.name, what));
    };
    if (has(column.name)) fail("there is such a column already");
    if (!columns_.empty() && column.size() != n_rows())
        fail(fmt::format("expected {} rows, found {}", n_rows(), column.size()));
    if (!column.valid.empty() && column.valid.size() != column.size())
        fail(fmt::format("expected {} validity flags, found {}", column.size(), column.valid.size()));

    if (std::find(column.valid.begin(), column.valid.end(), false) == column.valid.end())
        column.valid.clear();
    else
        std::visit([&column](auto& found) { clear_nulls(found, column.valid); }, column.values);
    columns_.push_back(std::move(column));
    return *this;
}

bool Table::has(std::string_view column) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == column; });
}

const Column& Table::at(std::string_view column) const {
    for (const Column& candidate : columns_)
        if (candidate.name == column) return candidate;
    throw DataError(fmt::format("table {}: there is no column {}", name_, column));
}

std::vector<std::string> Table::family(std::string_view name) const {
    std::vector<std::pair<std::size_t, std::string>> members;
    for (const Column& column : columns_)
        if (const auto index = family_index(name, column.name)) members.emplace_back(*index, column.name);
    std::sort(members.begin(), members.end());
    std::vector<std::string> names;
    for (auto& member : members) names.push_back(std::move(member.second));
    return names;
}

void Table::fail_type(const Column& found, ColumnType expected) const {
    throw DataError(fmt::format("table {}: column {}: expected {}, found {}", name_, found.name, type_name(expected),
                                type_name(found.type())));
}

}  // namespace hmmlt
