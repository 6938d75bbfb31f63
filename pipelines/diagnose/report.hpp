// What hmmlt-diagnose says: a table of numbers, and in plain words what to make of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hmmlt/diagnostics/summary.hpp"
#include "hmmlt/io/table.hpp"
#include "pipelines/diagnose/chains.hpp"

namespace hmmlt {

// One per scalar; NaN throughout for one that has no draws. Calls `done` with the number of scalars behind it.
std::vector<ScalarSummary> summarise(const AlignedChains& chains, const std::function<void(std::size_t)>& done);

// The table `diagnostics` (docs/formats.md).
Table diagnostics_table(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries);

// The same for people, with a line per scalar.
std::string diagnostics_text(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries);

// R-hat above 1.01, fewer than 100 effective draws per chain (Vehtari et al., 2021), and whatever leaves a scalar
// without numbers: a sentence each, scalars with the same complaint together.
std::vector<std::string> warnings(const AlignedChains& chains, const std::vector<ScalarSummary>& summaries);

}  // namespace hmmlt
