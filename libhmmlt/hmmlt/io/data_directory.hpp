// A data directory: the tables of docs/formats.md that describe one data set, read together and held against each
// other.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/io/legend.hpp"
#include "hmmlt/io/model_config.hpp"
#include "hmmlt/io/table.hpp"
#include "hmmlt/model/truth.hpp"

namespace hmmlt {

struct DataSet {
    Observations observations;
    Truth truth;  // empty if there is no truth table
};

struct DataDirectory {
    DataSet train;
    std::optional<DataSet> test;                // of test/, if there is one
    DataShape shape;                            // sizes and weights for the model
    Legend legend;                              // what channels or symbols are
    std::map<std::string, std::string> inputs;  // "observations", "test/observations", ... -> SHA-256 of the file
};

// Rows may stand in any order. Throws DataError naming file, row and column: a step that occurs twice or is missing, a
// value that is not finite, a symbol that the vocabulary does not have, a truth that is not 0 or 1 or that belongs to
// other steps, a test set of another width or with other names. IoError if a file cannot be read.
DataDirectory read_data_directory(const std::filesystem::path& directory);

// The parts, for other readers. `where` stands in messages for the file.
Observations observations_from(const Table& table, const std::string& where);
Truth truth_from(const Table& table, const Sequences& sequences, const std::string& where);

}  // namespace hmmlt
