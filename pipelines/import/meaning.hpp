// What channels and symbols stand for: found in the data, or as in other data that they are to be compared with.
#pragma once

#include <string>
#include <vector>

#include "hmmlt/io/legend.hpp"
#include "pipelines/import/data_set.hpp"

namespace hmmlt {

// Mean and standard deviation (about it, over all values there are) of each channel. A channel that is constant, or has
// no value, gets an sd of 1, and `notes` a sentence about it.
Scaling scaling_of(const ImportedData& data, std::vector<std::string>& notes);

// Throws DataError naming the channel if a value leaves the range of doubles.
void standardise(ImportedData& data, const Scaling& scaling);

// Numbers the symbols as in `labels`. Throws DataError naming a symbol that is not among them, or if there are
// none; `where` has the labels.
void adopt_labels(ImportedData& data, const std::vector<std::string>& labels, const std::string& where);

}  // namespace hmmlt
