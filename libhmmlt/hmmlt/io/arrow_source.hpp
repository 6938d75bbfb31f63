// Private to io/: any Arrow column as a column of a SourceTable. Arrow is only forward-declared.
#pragma once

#include <memory>
#include <string>

#include "hmmlt/io/source_table.hpp"

namespace arrow {
class ChunkedArray;
}

namespace hmmlt {

// Whole numbers, truth values, dates and times become int64, other numbers float64, text string; NaN becomes null. A
// column of another type, or without any value, goes to `source.left_out`. Throws DataError for a damaged one.
void add_source_column(SourceTable& source, std::string name, const std::shared_ptr<arrow::ChunkedArray>& column);

}  // namespace hmmlt
