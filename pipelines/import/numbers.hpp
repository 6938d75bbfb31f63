// Columns as numbers, or a sentence that says which cell is none.
#pragma once

#include <string>
#include <string_view>

#include "hmmlt/io/source_table.hpp"

namespace hmmlt {

// Whole numbers, other numbers and truth values; not times.
bool is_numeric(const SourceTable& source, const Column& column);

// Is a column of text one of numbers, half of it at least, and something else?
bool seems_numeric(const Column& text);

// The number in a cell; NaN if it is missing. Throws DataError naming file, line and column for infinity and for a
// whole number that a double would round.
double number_at(const SourceTable& source, const Column& column, std::size_t row);

// A cell as a message shows it: in quotes, on one line, not too long.
std::string shown(std::string_view text);

// Throws DataError about the first cell of a column of text that is no number.
[[noreturn]] void fail_not_numeric(const SourceTable& source, const Column& text);

}  // namespace hmmlt
