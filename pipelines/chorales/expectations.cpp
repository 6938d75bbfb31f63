// Expected and found are compared as text: a row of the file against a row made from what was read.
#include "pipelines/chorales/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hmmlt/io/errors.hpp"
#include "pipelines/chorales/score_file.hpp"

namespace hmmlt::chorales {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> fields(std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> found{""};
    for (const char letter : line) {
        if (letter == ',')
            found.emplace_back();
        else
            found.back() += letter;
    }
    return found;
}

Row row_of(const Chorale& chorale, Recipe recipe) {
    Row row{{"id", chorale.id}, {"valid", chorale.valid() ? "1" : "0"}};
    if (!chorale.valid()) return row;
    row["mode"] = chorale.major ? "major" : "minor";
    row["tonic"] = fmt::format("{}", chorale.tonic);
    row[recipe == Recipe::a ? "chords_a" : "chords_b"] = fmt::format("{}", chorale.chords.size());
    return row;
}

// The first column of both rows in which they differ; end() if there is none. Of a score that is expected to be no
// valid one nothing else is expected, hence `valid` first.
Row::const_iterator difference(const Row& expected, const Row& found) {
    const auto differs = [&](const auto& cell) {
        const auto other = found.find(cell.first);
        return other != found.end() && other->second != cell.second;
    };
    const auto valid = expected.find("valid");
    if (valid != expected.end() && (differs(*valid) || valid->second == "0"))
        return differs(*valid) ? valid : expected.end();
    return std::find_if(expected.begin(), expected.end(), differs);
}

}  // namespace

std::vector<Row> read_rows(const fs::path& file, const std::vector<std::string>& needed) {
    std::istringstream text([&] {
        try {
            return read_bytes(file);
        } catch (const DataError& error) {
            throw DataError(fmt::format("{}: {}", file.string(), error.what()));
        }
    }());
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> header = fields(line);
    for (const std::string& column : needed)
        if (std::find(header.begin(), header.end(), column) == header.end())
            throw DataError(fmt::format("{}:1: expected a column {}, found none", file.string(), column));
    std::vector<Row> rows;
    for (int number = 2; std::getline(text, line); ++number) {
        const std::vector<std::string> cells = fields(line);
        if (cells.size() != header.size())
            throw DataError(
                fmt::format("{}:{}: expected {} fields, found {}", file.string(), number, header.size(), cells.size()));
        Row& row = rows.emplace_back();
        for (std::size_t column = 0; column < header.size(); ++column) row[header[column]] = cells[column];
    }
    if (rows.empty()) throw DataError(fmt::format("{}: expected at least one row, found none", file.string()));
    return rows;
}

std::vector<Entry> listed_scores(const std::vector<Row>& list, const fs::path& folder) {
    std::vector<Entry> entries;
    for (const Row& row : list) entries.push_back({row.at("id"), folder / row.at("file")});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
    const auto twin =
        std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id == b.id; });
    if (twin != entries.end()) throw DataError(fmt::format("the list has {} twice", twin->id));
    return entries;
}

void check_scores(const std::vector<Chorale>& chorales, const std::vector<Row>& list, Recipe recipe) {
    std::map<std::string, const Row*> expected;
    for (const Row& row : list) expected[row.at("id")] = &row;
    for (const Chorale& chorale : chorales) {
        const Row& row = *expected.at(chorale.id);
        const Row found = row_of(chorale, recipe);
        const auto cell = difference(row, found);
        if (cell == row.end()) continue;
        std::string why = chorale.valid() ? "" : fmt::format(" ({})", chorale.reason);
        if (const auto hash = row.find("sha256"); hash != row.end())
            why += hash->second == chorale.sha256 ? "; the file is the one that the list was made for"
                                                  : "; the file is not the one that the list was made for";
        throw DataError(fmt::format("{}: expected {} = {}, found {}{}", chorale.file.string(), cell->first,
                                    cell->second, found.at(cell->first), why));
    }
}

void check_totals(const Row& found, const std::vector<Row>& checks, const fs::path& file) {
    const auto row = std::find_if(checks.begin(), checks.end(), [&](const Row& candidate) {
        return candidate.at("recipe") == found.at("recipe") && candidate.at("mode") == found.at("mode");
    });
    const std::string what = fmt::format("recipe {}, mode {}", found.at("recipe"), found.at("mode"));
    if (row == checks.end()) throw DataError(fmt::format("{}: expected a row for {}, found none", file.string(), what));
    if (const auto cell = difference(*row, found); cell != row->end())
        throw DataError(fmt::format("{}: {}: expected {} = {}, found {}", file.string(), what, cell->first,
                                    cell->second, found.at(cell->first)));
}

}  // namespace hmmlt::chorales
