#include "hmmlt/io/data_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;

constexpr double largest_value = 1e100;         // sums of squares must not overflow
constexpr std::int32_t most_symbols = 1000000;  // as in a model file

// The rows of a table over time in the order of (sequence, t).
std::vector<std::size_t> rows_in_order(const Table& table) {
    const auto& sequence = table.column<std::int32_t>("sequence");
    const auto& t = table.column<std::int32_t>("t");
    std::vector<std::size_t> rows(table.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(sequence[a], t[a]) < std::pair(sequence[b], t[b]);
    });
    return rows;
}

// Sequences and steps count from 0 without gaps: a step that was not observed stands there with nulls.
Sequences sequences_of(const Table& table, const std::vector<std::size_t>& rows, const std::string& where) {
    const auto& sequence = table.column<std::int32_t>("sequence");
    const auto& t = table.column<std::int32_t>("t");
    std::vector<arma::uword> lengths;
    for (const std::size_t row : rows) {
        const bool first = lengths.empty() || sequence[row] != static_cast<std::int32_t>(lengths.size()) - 1;
        if (first && sequence[row] != static_cast<std::int32_t>(lengths.size()))
            throw DataError(
                fmt::format("{}: row {}: expected sequence {}, found {}; sequences count from 0 without gaps", where,
                            row, lengths.size(), sequence[row]));
        if (first) lengths.push_back(0);
        if (t[row] != static_cast<std::int32_t>(lengths.back()))
            throw DataError(
                fmt::format("{}: row {}: expected t = {} in sequence {}, found {}; steps count from 0, each "
                            "once, and a missing one has nulls",
                            where, row, lengths.back(), sequence[row], t[row]));
        ++lengths.back();
    }
    return Sequences::of_lengths(lengths);
}

arma::mat channels_of(const Table& table, const std::vector<std::size_t>& rows, const std::string& where) {
    const std::vector<std::string> names = table.family("y");
    arma::mat y(names.size(), rows.size());
    for (arma::uword channel = 0; channel < names.size(); ++channel) {
        const Column& column = table.at(names[channel]);
        const auto& values = table.column<double>(names[channel]);
        for (arma::uword step = 0; step < rows.size(); ++step) {
            const std::size_t row = rows[step];
            if (!column.is_null(row) && !(std::abs(values[row]) <= largest_value))
                throw DataError(
                    fmt::format("{}: column {}, row {}: expected a number from -{:g} to {:g} or null, found {}", where,
                                names[channel], row, largest_value, largest_value, values[row]));
            y(channel, step) = column.is_null(row) ? arma::datum::nan : values[row];
        }
    }
    return y;
}

arma::ivec symbols_of(const Table& table, const std::vector<std::size_t>& rows, const std::string& where) {
    const Column& column = table.at("symbol");
    const auto& values = table.column<std::int32_t>("symbol");
    arma::ivec symbol(rows.size());
    for (arma::uword step = 0; step < rows.size(); ++step) {
        const std::size_t row = rows[step];
        if (!column.is_null(row) && (values[row] < 0 || values[row] >= most_symbols))
            throw DataError(fmt::format("{}: column symbol, row {}: expected a symbol from 0 to {}, found {}", where,
                                        row, most_symbols - 1, values[row]));
        symbol(step) = column.is_null(row) ? no_symbol : values[row];
    }
    return symbol;
}

arma::mat weights_from(const Table& table, const std::string& where) {
    const std::vector<std::size_t> row_of = rows_by_number(table, "feature", where);
    const std::vector<std::string> names = table.family("w");
    arma::mat weights(row_of.size(), names.size());
    for (arma::uword feature = 0; feature < row_of.size(); ++feature)
        for (arma::uword channel = 0; channel < names.size(); ++channel) {
            weights(feature, channel) = table.column<double>(names[channel])[row_of[feature]];
            if (!std::isfinite(weights(feature, channel)))
                throw DataError(fmt::format("{}: column {}, row {}: expected a finite number, found {}", where,
                                            names[channel], row_of[feature], weights(feature, channel)));
        }
    return weights;
}

// Reads tables of one directory and remembers which bytes they had.
class Reader {
  public:
    explicit Reader(const fs::path& directory, std::map<std::string, std::string>& inputs)
        : directory_(directory), inputs_(inputs) {}

    fs::path path_of(const std::string& name) const { return directory_ / (name + ".parquet"); }
    bool has(const std::string& name) const { return fs::exists(path_of(name)); }
    Table read(const std::string& name, const Schema& schema) {
        const fs::path path = path_of(name);
        Table table = read_table(path, schema).table;
        inputs_[name] = sha256_of_file(path);
        return table;
    }
    DataSet read_set(const std::string& prefix) {
        DataSet set;
        const std::string name = prefix + "observations";
        set.observations = observations_from(read(name, observations_schema()), path_of(name).string());
        const std::string truth = prefix + "truth";
        if (has(truth))
            set.truth = truth_from(read(truth, truth_schema()), set.observations.sequences, path_of(truth).string());
        return set;
    }

  private:
    fs::path directory_;
    std::map<std::string, std::string>& inputs_;
};

arma::uword symbols_needed(const Observations& observations) {
    return observations.symbol.is_empty() ? 0 : static_cast<arma::uword>(observations.symbol.max() + 1);
}

void check_test_set(const DataDirectory& data, const Legend& legend, const std::string& where) {
    const Observations& train = data.train.observations;
    const Observations& test = data.test->observations;
    if (train.y.n_rows != test.y.n_rows)
        throw DataError(fmt::format("{}: expected {} columns y_0, y_1, ... as in the training data, found {}", where,
                                    train.y.n_rows, test.y.n_rows));
    check_same_meaning(data.legend, legend, where, "as in the training data");
}

// A legend that tells of another number of channels belongs to other data.
void check_channels(const DataDirectory& data, const Reader& reader) {
    const arma::uword n = data.train.observations.y.n_rows;
    const auto check = [&](const char* name, arma::uword n_rows) {
        if (n_rows != n)
            throw DataError(fmt::format("{}: expected a row for each of the {} channels, found {}",
                                        reader.path_of(name).string(), n, n_rows));
    };
    if (data.inputs.contains("channels")) check("channels", data.legend.channels.size());
    if (data.inputs.contains("scaling")) check("scaling", data.legend.scaling->mean.n_elem);
}

}  // namespace

Observations observations_from(const Table& table, const std::string& where) {
    const std::vector<std::size_t> rows = rows_in_order(table);
    if (rows.empty()) throw DataError(fmt::format("{}: expected at least one row, found none", where));
    Observations observations{sequences_of(table, rows, where), {}, {}};
    if (table.has("symbol"))
        observations.symbol = symbols_of(table, rows, where);
    else
        observations.y = channels_of(table, rows, where);
    return observations;
}

Truth truth_from(const Table& table, const Sequences& sequences, const std::string& where) {
    const std::vector<std::size_t> rows = rows_in_order(table);
    if (sequences_of(table, rows, where) != sequences)
        throw DataError(fmt::format("{}: expected the sequences and steps of the observations, found others", where));
    Truth truth;
    const std::vector<std::string> names = table.family("theta");
    truth.theta.set_size(names.size(), names.empty() ? 0 : rows.size());
    for (arma::uword dim = 0; dim < names.size(); ++dim) {
        const auto& values = table.column<std::int32_t>(names[dim]);
        for (arma::uword step = 0; step < rows.size(); ++step) {
            const std::int32_t bit = values[rows[step]];
            if (bit != 0 && bit != 1)
                throw DataError(fmt::format("{}: column {}, row {}: expected 0 or 1, found {}", where, names[dim],
                                            rows[step], bit));
            truth.theta(dim, step) = static_cast<arma::uword>(bit);
        }
    }
    if (!table.has("z")) return truth;
    const auto& z = table.column<std::int32_t>("z");
    truth.z.set_size(rows.size());
    for (arma::uword step = 0; step < rows.size(); ++step) {
        if (z[rows[step]] < 0)
            throw DataError(
                fmt::format("{}: column z, row {}: expected 0 or more, found {}", where, rows[step], z[rows[step]]));
        truth.z(step) = static_cast<arma::uword>(z[rows[step]]);
    }
    return truth;
}

DataDirectory read_data_directory(const fs::path& directory) {
    DataDirectory data;
    Reader reader(directory, data.inputs);
    data.train = reader.read_set("");
    data.legend = read_legend(directory, data.inputs);
    if (reader.has("test/observations")) {
        data.test = reader.read_set("test/");
        std::map<std::string, std::string> tables;
        Legend legend = read_legend(directory / "test", tables);
        if (tables.empty()) legend = data.legend;  // a test part that says nothing is like the rest
        check_test_set(data, legend, reader.path_of("test/observations").string());
    }
    if (reader.has("weights"))
        data.shape.weights = weights_from(reader.read("weights", weights_schema()), reader.path_of("weights").string());

    if (data.train.observations.symbol.is_empty()) {
        data.shape.n_channels = data.train.observations.y.n_rows;
        check_channels(data, reader);
        return data;
    }
    arma::uword needed = symbols_needed(data.train.observations);
    if (data.test) needed = std::max(needed, symbols_needed(data.test->observations));
    data.shape.n_symbols = needed;
    if (data.inputs.contains("vocabulary")) {
        const arma::uword known = data.legend.labels.size();
        if (needed > known)
            throw DataError(fmt::format("{}: expected a row for every symbol of the data, 0 to {}, found {} rows",
                                        reader.path_of("vocabulary").string(), needed - 1, known));
        data.shape.n_symbols = known;
    }
    return data;
}

}  // namespace hmmlt
