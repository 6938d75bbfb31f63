// What the numbers of a data set stand for: names and units of channels, labels of symbols. Training leaves a copy
// beside its draws, so that data which mean something else are refused rather than scored.
#pragma once

#include <armadillo>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hmmlt/io/schema.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt {

// y = (value - mean) / sd in each channel, where value is what the user measured.
struct Scaling {
    arma::vec mean;
    arma::vec sd;
};
void apply(const Scaling& scaling, arma::mat& y);  // n_channels x n_steps; NaN stays NaN

struct Legend {
    std::vector<std::string> channels;  // names, by number; empty if nobody gave them
    std::vector<std::string> labels;    // of symbols
    std::optional<Scaling> scaling;     // nothing: values are as they were measured
};

// Of the tables channels, scaling and vocabulary, those that the directory has; `inputs` gets the SHA-256 of each.
// Throws DataError naming file and row: numbers that do not go from 0 without gaps, an sd that is not above 0.
Legend read_legend(const std::filesystem::path& directory, std::map<std::string, std::string>& inputs);

struct LegendTable {
    const Schema* schema;
    Table table;
};
std::vector<LegendTable> legend_tables(const Legend& legend);

// Throws DataError with the first difference: "<where>: expected y_1 to be b, <as>, found c". Names that one side does
// not have are not compared; a scaling that only one side has is a difference.
void check_same_meaning(const Legend& expected, const Legend& found, const std::string& where, const std::string& as);

// Of a table about things numbered from 0, the row of each. Throws DataError if a number is there twice or not at all.
std::vector<std::size_t> rows_by_number(const Table& table, const std::string& column, const std::string& where);

}  // namespace hmmlt
