// Private to io/: an Arrow column as one of ours. Arrow is only forward-declared, its headers stay in the source.
#pragma once

#include <string>
#include <string_view>

#include "hmmlt/io/table.hpp"

namespace arrow {
class ChunkedArray;
}

namespace hmmlt {

// Does the column hold just what hmmlt itself would have written, so that nothing needs converting?
bool is_exactly(const arrow::ChunkedArray& column, ColumnType type);

// Converts to `type` if every value survives: any integer to a narrower one that can hold it, float64 with whole
// numbers to int32 (pandas stores integers with gaps so), dictionaries and large strings to strings. Throws DataError
// beginning with `where` and naming column and row otherwise.
Column column_from_arrow(std::string_view where, std::string name, ColumnType type, const arrow::ChunkedArray& column);

}  // namespace hmmlt
