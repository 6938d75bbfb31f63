// What hmmlt-import tells its user: how it read the file and what it made of it.
#pragma once

#include <string>
#include <string_view>

#include "pipelines/import/data_set.hpp"

namespace hmmlt {

// Several lines: the file, layout, sequences, order, channels or symbols, missing cells, what was ignored, notes.
std::string summary(const SourceTable& source, const Roles& roles, const ImportedData& data);

// "3 sequences of 300 to 500 steps (median 400)"
std::string lengths_text(const Sequences& sequences);

std::string counted(std::size_t n, std::string_view what);  // "1 row", "2 rows"

}  // namespace hmmlt
