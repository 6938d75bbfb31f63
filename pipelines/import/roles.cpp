// Wishes first, then names, then types; what is left and numeric is a channel.
#include "pipelines/import/roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <unordered_set>

#include "hmmlt/io/errors.hpp"
#include "pipelines/import/free_columns.hpp"
#include "pipelines/import/names.hpp"
#include "pipelines/import/numbers.hpp"

namespace hmmlt {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool any(const Column&) {
    return true;
}

// `none` says that there is no such column, unless one is called so.
bool is_none(const SourceTable& source, const std::string& wish) {
    return wish == "none" && !source.table.has(wish);
}

struct Finder {
    const SourceTable& source;
    const Wishes& wishes;
    FreeColumns columns;
    Roles roles;

    void ignore(const Names& names, std::string_view why = "") {
        for (const std::string& name : names) {
            columns.take(name);
            roles.ignored.push_back(fmt::format("{} ({})", name, why.empty() ? columns.kind(name) : why));
        }
    }

    // Columns that wishes will name later must not be found before.
    template <typename Test>
    Names unwished(Test test) const {
        return columns.which([&](const Column& column) {
            const std::string& name = column.name;
            const bool is_wished = name == wishes.sequence || name == wishes.time || name == wishes.symbol ||
                                   (roles.layout == Layout::wide && contains(wishes.columns, name));
            return !is_wished && test(column);
        });
    }

    void find_layout();
    void find_sequence();
    void find_time();
    void check_tall();
    void use_symbol(const std::string& name);
    void use_wished_channels();
    void find_channels();
    void find_symbol(const Names& texts);
};

void Finder::find_layout() {
    const Names variables = unwished([](const Column& column) { return names_variables(column.name); });
    const Names values = unwished([](const Column& column) { return names_values(column.name); });
    const bool is_wished = !wishes.variable.empty() || !wishes.value.empty();
    const bool looks_tall = wishes.symbol.empty() && variables.size() == 1 && values.size() == 1;
    const bool is_tall = wishes.layout.empty() ? is_wished || looks_tall : wishes.layout == "long";
    if (!is_tall && is_wished) throw UsageError("--variable and --value belong to the long layout");
    if (is_tall && !wishes.symbol.empty())
        throw UsageError("--symbol belongs to the wide layout: one row per step, one column of symbols");
    if (!is_tall) return;
    roles.layout = Layout::tall;
    roles.variable = wishes.variable.empty() ? columns.take_the_one(variables, "variables", "--variable")
                                             : columns.take_wished("--variable", wishes.variable);
    roles.value = wishes.value.empty() ? columns.take_the_one(values, "values", "--value")
                                       : columns.take_wished("--value", wishes.value);
}

bool differs_in_each_row(const Column& column) {
    const auto has_no_twins = [](const auto& values) {
        using T = typename std::remove_cvref_t<decltype(values)>::value_type;
        std::unordered_set<T> seen;
        return std::all_of(values.begin(), values.end(), [&](const T& value) { return seen.insert(value).second; });
    };
    return column.size() > 1 && std::visit(has_no_twins, column.values);
}

void Finder::find_sequence() {
    if (is_none(source, wishes.sequence)) return;
    if (!wishes.sequence.empty()) {
        roles.sequence = columns.take_wished("--sequence", wishes.sequence);
        columns.check_label(roles.sequence, "--sequence");
        return;
    }
    const auto names = [&](const Column& column) { return names_sequences(column.name) && columns.is_label(column); };
    ignore(unwished([&](const Column& column) { return names(column) && differs_in_each_row(column); }),
           "another value in each row");
    const Names found = unwished(names);
    if (!found.empty()) roles.sequence = columns.take_the_one(found, "sequences", "--sequence");
}

void Finder::find_time() {
    if (is_none(source, wishes.time)) return;
    const Names row_numbers = unwished([](const Column& column) { return names_row_numbers(column.name); });
    if (!wishes.time.empty()) {
        roles.time = columns.take_wished("--time", wishes.time);
    } else {
        Names found = unwished([](const Column& column) { return names_time(column.name); });
        if (found.empty())
            found = unwished([this](const Column& column) { return source.times.contains(column.name); });
        if (found.empty()) found = row_numbers;
        if (found.empty()) return;
        roles.time = columns.take_the_one(found, "times", "--time");
    }
    ignore(columns.which([&](const Column& column) { return contains(row_numbers, column.name); }), "row numbers");
    const Column& column = source.table.at(roles.time);
    if (column.type() != ColumnType::string) return;
    std::size_t row = 0;
    while (column.is_null(row)) ++row;
    throw DataError(fmt::format(
        "{}: {}, column {}: expected a number or an ISO 8601 time such as 2024-05-31T13:00:00, found {} "
        "(--time none: the rows are in order)",
        source.file, source.place(row), column.name, shown(std::get<std::vector<std::string>>(column.values)[row])));
}

void Finder::check_tall() {
    if (roles.time.empty()) columns.take_the_one({}, "times", "--time");
    columns.check_numeric(roles.value);
    columns.check_label(roles.variable, "--variable");
    roles.channels = wishes.columns;
    ignore(columns.which(any));
}

void Finder::use_symbol(const std::string& name) {
    if (source.times.contains(name))
        throw DataError(
            fmt::format("{}: column {} (--symbol): expected text or whole numbers, found times", source.file, name));
    roles.symbol = name;
    ignore(columns.which(any));
}

void Finder::use_wished_channels() {
    for (const std::string& name : wishes.columns) {
        roles.channels.push_back(columns.take_wished("--columns", name));
        columns.check_numeric(name);
    }
    const std::size_t n_others = columns.which(any).size() + source.left_out.size();
    if (n_others > 0)
        roles.ignored.push_back(fmt::format("{} column{} not in --columns", n_others, n_others == 1 ? "" : "s"));
}

void Finder::find_channels() {
    const Names numbers = columns.which([this](const Column& column) { return is_numeric(source, column); });
    const Names texts = columns.which([](const Column& column) { return column.type() == ColumnType::string; });
    for (const std::string& name : texts)
        if (!is_read_as_text(name, wishes) && seems_numeric(source.table.at(name))) columns.check_numeric(name);
    if (numbers.empty()) return find_symbol(texts);
    for (const std::string& name : numbers) columns.take(name);
    const std::string& first = numbers.front();
    if (numbers.size() == 1 && names_symbols(first)) return use_symbol(first);
    roles.channels = numbers;
    ignore(columns.which(any));
    if (numbers.size() == 1 && source.table.at(first).type() == ColumnType::int64)
        roles.notes.push_back(fmt::format(
            "{} holds whole numbers, taken as a real channel; if they are symbols, say --symbol {}", first, first));
}

void Finder::find_symbol(const Names& texts) {
    Names named = texts;
    std::erase_if(named, [](const std::string& name) { return !names_symbols(name); });
    use_symbol(columns.take_the_one(named.size() == 1 ? named : texts, "numbers or symbols", "--columns or --symbol"));
}

}  // namespace

Roles find_roles(const SourceTable& source, const Wishes& wishes) {
    Finder finder{source, wishes, FreeColumns(source), {}};
    finder.find_layout();
    finder.find_sequence();
    finder.find_time();
    if (finder.roles.layout == Layout::tall)
        finder.check_tall();
    else if (!wishes.symbol.empty())
        finder.use_symbol(finder.columns.take_wished("--symbol", wishes.symbol));
    else if (!wishes.columns.empty())
        finder.use_wished_channels();
    else
        finder.find_channels();
    for (const auto& [name, why] : source.left_out)
        if (wishes.columns.empty()) finder.roles.ignored.push_back(fmt::format("{} ({})", name, why));
    return std::move(finder.roles);
}

bool is_read_as_text(std::string_view column, const Wishes& wishes) {
    if (column == wishes.symbol || column == wishes.sequence || column == wishes.variable) return true;
    if (column == wishes.time || column == wishes.value || contains(wishes.columns, column)) return false;
    return names_sequences(column) || names_symbols(column);
}

}  // namespace hmmlt
