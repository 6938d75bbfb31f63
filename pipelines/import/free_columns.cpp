// Each sentence names the file, the column and the flag that helps.
#include "pipelines/import/free_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"
#include "pipelines/import/numbers.hpp"

namespace hmmlt {

std::vector<std::string> FreeColumns::all() const {
    std::vector<std::string> names;
    for (const Column& column : source_.table.columns()) names.push_back(column.name);
    return names;
}

std::string FreeColumns::take_wished(const std::string& flag, const std::string& name) {
    if (const auto why = source_.left_out.find(name); why != source_.left_out.end())
        throw DataError(fmt::format("{}: column {} ({}) cannot be used: {}", source_.file, name, flag, why->second));
    if (!source_.table.has(name))
        throw UsageError(fmt::format("{}: {} has no column {}{}; its columns are: {}", flag, source_.file, name,
                                     did_you_mean(name, all()), fmt::join(all(), ", ")));
    if (!taken_.insert(name).second) throw UsageError(fmt::format("{}: the column {} is asked for twice", flag, name));
    return name;
}

std::string FreeColumns::take_the_one(const std::vector<std::string>& found, std::string_view role,
                                      std::string_view flag) {
    if (found.size() > 1)
        throw DataError(fmt::format("{}: expected one column of {}, found {}; say which with {}", source_.file, role,
                                    fmt::join(found, " and "), flag));
    if (found.empty())
        throw DataError(fmt::format("{}: expected a column of {}, found none; say which with {}; the columns are: {}",
                                    source_.file, role, flag, fmt::join(all(), ", ")));
    take(found.front());
    return found.front();
}

std::string FreeColumns::kind(const std::string& name) const {
    if (source_.times.contains(name)) return "times";
    return source_.table.at(name).type() == ColumnType::string ? "text" : "numbers";
}

bool FreeColumns::is_label(const Column& column) const {
    return column.type() == ColumnType::string ||
           (column.type() == ColumnType::int64 && !source_.times.contains(column.name));
}

void FreeColumns::check_label(const std::string& name, std::string_view flag) const {
    if (!is_label(source_.table.at(name)))
        throw DataError(fmt::format("{}: column {} ({}): expected text or whole numbers, found {}", source_.file, name,
                                    flag, kind(name)));
}

void FreeColumns::check_numeric(const std::string& name) const {
    const Column& column = source_.table.at(name);
    if (column.type() == ColumnType::string) fail_not_numeric(source_, column);
    if (!is_numeric(source_, column))
        throw DataError(fmt::format("{}: column {}: expected numbers, found {}", source_.file, name, kind(name)));
}

}  // namespace hmmlt
