// Column by column; a length that does not fit is refused by Table.
#include "hmmlt/io/data_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace hmmlt {

namespace {

// The two columns that every table over time begins with.
Table table_over_time(const char* name, const Sequences& sequences) {
    std::vector<std::int32_t> index;
    std::vector<std::int32_t> t;
    for (arma::uword sequence = 0; sequence < sequences.count(); ++sequence)
        for (arma::uword step = 0; step < sequences.length(sequence); ++step) {
            index.push_back(static_cast<std::int32_t>(sequence));
            t.push_back(static_cast<std::int32_t>(step));
        }
    Table table(name);
    table.add_column("sequence", std::move(index)).add_column("t", std::move(t));
    return table;
}

std::vector<std::int32_t> as_int32(const arma::uvec& values) {
    return arma::conv_to<std::vector<std::int32_t>>::from(values);
}

// A family of columns, one per row of the matrix.
void add_rows(Table& table, const char* family, const arma::mat& values) {
    for (arma::uword row = 0; row < values.n_rows; ++row)
        table.add_column(family_member(family, row), arma::conv_to<std::vector<double>>::from(values.row(row)));
}

}  // namespace

Table observations_table(const Observations& observations) {
    Table table = table_over_time("observations", observations.sequences);
    if (observations.y.n_rows == 0) {
        std::vector<bool> valid;
        for (const arma::sword symbol : observations.symbol) valid.push_back(symbol != no_symbol);
        table.add_column("symbol", arma::conv_to<std::vector<std::int32_t>>::from(observations.symbol), valid);
    }
    for (arma::uword channel = 0; channel < observations.y.n_rows; ++channel) {
        std::vector<double> y;
        std::vector<bool> valid;
        for (arma::uword step = 0; step < observations.y.n_cols; ++step) {
            y.push_back(observations.y(channel, step));
            valid.push_back(!std::isnan(y.back()));
        }
        table.add_column(fmt::format("y_{}", channel), std::move(y), std::move(valid));
    }
    return table;
}

Table truth_table(const Sequences& sequences, const arma::uvec& z, const arma::umat& theta) {
    Table table = table_over_time("truth", sequences);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
        table.add_column(fmt::format("theta_{}", dim), as_int32(theta.row(dim).t()));
    if (!z.is_empty()) table.add_column("z", as_int32(z));
    return table;
}

Table state_mean_table(const Sequences& sequences, const arma::mat& p) {
    Table table = table_over_time("state_mean", sequences);
    add_rows(table, "p", p);
    return table;
}

Table predictions_table(const Sequences& sequences, const arma::vec& log_density, const arma::mat& filtered,
                        const arma::mat& smoothed, const arma::uvec& state) {
    Table table = table_over_time("predictions", sequences);
    table.add_column("log_density", arma::conv_to<std::vector<double>>::from(log_density));
    add_rows(table, "filtered", filtered);
    add_rows(table, "smoothed", smoothed);
    table.add_column("state", as_int32(state));
    return table;
}

Table weights_table(const arma::mat& weights) {
    Table table("weights");
    std::vector<std::int32_t> feature(weights.n_rows);
    std::iota(feature.begin(), feature.end(), 0);
    table.add_column("feature", std::move(feature));
    for (arma::uword channel = 0; channel < weights.n_cols; ++channel) {
        std::vector<double> w;
        for (arma::uword row = 0; row < weights.n_rows; ++row) w.push_back(weights(row, channel));
        table.add_column(fmt::format("w_{}", channel), std::move(w));
    }
    return table;
}

}  // namespace hmmlt
