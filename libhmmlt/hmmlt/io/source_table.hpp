// A table that a user brings, CSV or Parquet, as its file has it: names, values, the kind of each column. What the
// columns mean is decided elsewhere. Arrow stays in the sources behind this header.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hmmlt/io/table.hpp"

namespace hmmlt {

struct SourceTable {
    std::string file;         // as messages name it
    std::string sha256;       // of its bytes
    std::string description;  // "CSV, separated by semicolons, header in line 1"
    Table table{"source"};    // int64 (whole numbers, truth values, times), float64 or string; NaN became null

    // Columns of dates or times -> seconds per tick of their int64 values.
    std::map<std::string, double> times;
    // Columns that are not in `table` -> why: "no value", "list<double>".
    std::map<std::string, std::string> left_out;
    std::vector<std::size_t> lines;  // CSV: the line where a row begins

    std::string place(std::size_t row) const;  // "line 17" of CSV, "row 15" of Parquet
};

enum class SourceFormat { by_name, csv, parquet };  // by_name: .parquet and .pq are Parquet, all else is CSV

struct CsvOptions {
    char delimiter = '\0';  // '\0': found out
    enum class Header { find_out, yes, no } header = Header::find_out;
    std::vector<std::string> missing;                    // words for a missing value, besides missing_words()
    std::function<bool(std::string_view)> keep_as_text;  // columns whose 007 is not 7; none if empty
};

// Cells of a CSV file that stand for a missing value, in quotes or not.
const std::vector<std::string>& missing_words();

// Throws IoError if the file cannot be read; DataError, naming the file and the line, if it is not UTF-8 text with the
// same number of fields in each row and distinct names, or a damaged Parquet file, or has no row.
SourceTable read_source(const std::filesystem::path& path, SourceFormat format, const CsvOptions& options);
SourceTable read_csv(std::string_view bytes, std::string file, const CsvOptions& options);

}  // namespace hmmlt
