// Online use: a step of data per line of standard input, what the draws make of it per line of standard output.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "pipelines/evaluate/chains.hpp"

namespace hmmlt {

// Each line is answered before the next is read; a blank one begins a new sequence. `data` is a data directory whose
// vocabulary, if it has one, gives labels to symbols. Values are as they were measured, and are scaled as the training
// data were. A step that the draws cannot explain is told on stderr, answered with a density of 0, and counts as
// missing. Returns at the end of input. Throws DataError naming a line that cannot be read, IoError if output cannot be
// written, Interrupted after a signal, also one that arrives while input is awaited.
void stream(const std::vector<ChainDirectory>& chains, const std::optional<std::filesystem::path>& data);

}  // namespace hmmlt
