// A cell that is no number is shown to the user, with what to do about it.
#include "pipelines/import/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

bool is_number(std::string_view text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

// 1,5 and 1.234,5, but not 1,2,3.
bool has_decimal_comma(std::string_view text) {
    if (std::count(text.begin(), text.end(), ',') != 1) return false;
    std::string point(text);
    std::erase(point, '.');
    std::replace(point.begin(), point.end(), ',', '.');
    return is_number(point);
}

}  // namespace

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out(text.substr(0, longest));
    if (out.size() < text.size()) {
        while (!out.empty() && (static_cast<unsigned char>(text[out.size()]) & 0xC0) == 0x80) out.pop_back();
        out += "...";
    }
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return "\"" + out + "\"";
}

bool is_numeric(const SourceTable& source, const Column& column) {
    return column.type() != ColumnType::string && !source.times.contains(column.name);
}

bool seems_numeric(const Column& text) {
    std::size_t n_values = 0;
    std::size_t n_numbers = 0;
    const auto& values = std::get<std::vector<std::string>>(text.values);
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (text.is_null(row)) continue;
        ++n_values;
        n_numbers += is_number(values[row]) || has_decimal_comma(values[row]);
    }
    return 2 * n_numbers >= n_values && n_numbers > 0;
}

double number_at(const SourceTable& source, const Column& column, std::size_t row) {
    if (column.is_null(row)) return std::numeric_limits<double>::quiet_NaN();
    const auto fail = [&](const std::string& expected, auto found) {
        throw DataError(fmt::format("{}: {}, column {}: expected {}, found {}", source.file, source.place(row),
                                    column.name, expected, found));
    };
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values)) {
        constexpr std::int64_t exact = std::int64_t{1} << std::numeric_limits<double>::digits;
        if ((*whole)[row] > exact || (*whole)[row] < -exact) fail("a number from -2^53 to 2^53", (*whole)[row]);
        return static_cast<double>((*whole)[row]);
    }
    const double number = std::get<std::vector<double>>(column.values)[row];
    if (!std::isfinite(number)) fail("a finite number", number);
    return number;
}

void fail_not_numeric(const SourceTable& source, const Column& text) {
    const auto& values = std::get<std::vector<std::string>>(text.values);
    std::size_t row = 0;
    while (row + 1 < values.size() && (text.is_null(row) || is_number(values[row]))) ++row;
    const std::string& found = values[row];
    const std::string hint = has_decimal_comma(found) ? "write numbers with a decimal point"
                                                      : "if that means missing, name it with --missing";
    throw DataError(fmt::format("{}: {}, column {}: expected a number, found {} ({})", source.file, source.place(row),
                                text.name, shown(found), hint));
}

}  // namespace hmmlt
