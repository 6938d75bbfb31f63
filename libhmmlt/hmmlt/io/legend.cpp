#include "hmmlt/io/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;

std::optional<Table> read_if_there(const fs::path& path, const Schema& schema,
                                   std::map<std::string, std::string>& inputs) {
    if (!fs::exists(path)) return {};
    Table table = read_table(path, schema).table;
    inputs[schema.name] = sha256_of_file(path);
    return table;
}

std::vector<std::string> names_from(const Table& table, const Schema& schema, const std::string& where) {
    const auto& texts = table.column<std::string>(schema.columns[1].name);
    std::vector<std::string> names;
    for (const std::size_t row : rows_by_number(table, schema.columns[0].name, where)) names.push_back(texts[row]);
    return names;
}

Scaling scaling_from(const Table& table, const std::string& where) {
    const auto& mean = table.column<double>("mean");
    const auto& sd = table.column<double>("sd");
    Scaling scaling{arma::vec(table.n_rows()), arma::vec(table.n_rows())};
    arma::uword channel = 0;
    for (const std::size_t row : rows_by_number(table, "channel", where)) {
        if (!std::isfinite(mean[row]) || !std::isfinite(sd[row]) || !(sd[row] > 0.0))
            throw DataError(fmt::format("{}: row {}: expected a finite mean and an sd above 0, found {} and {}", where,
                                        row, mean[row], sd[row]));
        scaling.mean(channel) = mean[row];
        scaling.sd(channel) = sd[row];
        ++channel;
    }
    return scaling;
}

std::vector<std::int32_t> numbers(std::size_t n) {
    std::vector<std::int32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

LegendTable names_table(const Schema& schema, const std::vector<std::string>& names) {
    Table table(schema.name);
    table.add_column(schema.columns[0].name, numbers(names.size())).add_column(schema.columns[1].name, names);
    return {&schema, std::move(table)};
}

LegendTable scaling_table(const Scaling& scaling) {
    Table table("scaling");
    table.add_column("channel", numbers(scaling.mean.n_elem));
    table.add_column("mean", arma::conv_to<std::vector<double>>::from(scaling.mean));
    table.add_column("sd", arma::conv_to<std::vector<double>>::from(scaling.sd));
    return {&scaling_schema(), std::move(table)};
}

// "y_1" or "symbol 1" that has another name; nothing if one side knows no names.
void check_names(const std::vector<std::string>& expected, const std::vector<std::string>& found, const char* prefix,
                 const std::string& where, const std::string& as) {
    if (expected.empty() || found.empty()) return;
    const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    if (a == expected.end() && b == found.end()) return;
    throw DataError(fmt::format("{}: expected {}{} to be {}, {}, found {}", where, prefix, a - expected.begin(),
                                a == expected.end() ? "nothing" : *a, as, b == found.end() ? "nothing" : *b));
}

void check_scaling(const std::optional<Scaling>& expected, const std::optional<Scaling>& found,
                   const std::string& where, const std::string& as) {
    const auto words = [](const std::optional<Scaling>& scaling, arma::uword channel) {
        return scaling && channel < scaling->mean.n_elem
                   ? fmt::format("less {:.6g} and divided by {:.6g}", scaling->mean(channel), scaling->sd(channel))
                   : std::string("as it was measured");
    };
    const auto n = [](const std::optional<Scaling>& scaling) { return scaling ? scaling->mean.n_elem : 0; };
    for (arma::uword channel = 0; channel < std::max(n(expected), n(found)); ++channel)
        if (channel >= n(expected) || channel >= n(found) || expected->mean(channel) != found->mean(channel) ||
            expected->sd(channel) != found->sd(channel))
            throw DataError(fmt::format("{}: expected y_{} {}, {}, found it {}; hmmlt-import --like scales alike",
                                        where, channel, words(expected, channel), as, words(found, channel)));
}

}  // namespace

void apply(const Scaling& scaling, arma::mat& y) {
    y.each_col() -= scaling.mean;
    y.each_col() /= scaling.sd;
}

std::vector<std::size_t> rows_by_number(const Table& table, const std::string& column, const std::string& where) {
    const auto& number = table.column<std::int32_t>(column);
    const std::size_t n = number.size();
    std::vector<std::size_t> rows(n, n);
    for (std::size_t row = 0; row < n; ++row) {
        const auto place = static_cast<std::size_t>(number[row]);
        if (number[row] < 0 || place >= n || rows[place] != n)
            throw DataError(fmt::format("{}: row {}: expected each {} from 0 to {} once, found {}", where, row, column,
                                        n - 1, number[row]));
        rows[place] = row;
    }
    return rows;
}

Legend read_legend(const fs::path& directory, std::map<std::string, std::string>& inputs) {
    Legend legend;
    const auto read = [&](const Schema& schema, auto take) {
        const fs::path path = directory / (schema.name + ".parquet");
        if (const auto table = read_if_there(path, schema, inputs)) take(*table, path.string());
    };
    read(channels_schema(), [&](const Table& table, const std::string& where) {
        legend.channels = names_from(table, channels_schema(), where);
    });
    read(vocabulary_schema(), [&](const Table& table, const std::string& where) {
        legend.labels = names_from(table, vocabulary_schema(), where);
    });
    read(scaling_schema(),
         [&](const Table& table, const std::string& where) { legend.scaling = scaling_from(table, where); });
    return legend;
}

std::vector<LegendTable> legend_tables(const Legend& legend) {
    std::vector<LegendTable> tables;
    if (!legend.channels.empty()) tables.push_back(names_table(channels_schema(), legend.channels));
    if (legend.scaling) tables.push_back(scaling_table(*legend.scaling));
    if (!legend.labels.empty()) tables.push_back(names_table(vocabulary_schema(), legend.labels));
    return tables;
}

void check_same_meaning(const Legend& expected, const Legend& found, const std::string& where, const std::string& as) {
    check_names(expected.channels, found.channels, "y_", where, as);
    check_names(expected.labels, found.labels, "symbol ", where, as);
    check_scaling(expected.scaling, found.scaling, where, as);
}

}  // namespace hmmlt
