// Prepared chorales as tables: docs/formats.md.
#pragma once

#include <vector>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/io/table.hpp"
#include "pipelines/chorales/split.hpp"

namespace hmmlt::chorales {

// The chosen chorales become the sequences 0, 1, ... in the order given.
Observations symbols_of(const std::vector<Chorale>& chorales, const std::vector<std::size_t>& chosen,
                        const Vocabulary& vocabulary);
Table sequences_table(const std::vector<Chorale>& chorales, const std::vector<std::size_t>& chosen);

// symbol, label ("60,55,52,48"), name ("C4 G3 E3 C3").
Table vocabulary_table(const Vocabulary& vocabulary);

}  // namespace hmmlt::chorales
