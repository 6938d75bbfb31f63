// A user's data as the sampler wants them: sequences of steps in order, channels or symbols by number, with their
// names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/io/source_table.hpp"
#include "pipelines/import/roles.hpp"

namespace hmmlt {

struct ImportedData {
    Observations observations;
    std::vector<std::string> sequence_names;
    std::vector<std::string> channel_names;  // of real channels
    std::vector<std::string> labels;         // of symbols, by number
    std::vector<std::string> notes;          // sentences for the user
};

// Sequences are numbered as they first appear, channels as in `roles` or, in the long layout, as they first appear,
// symbols in the order of their labels: by value if all are whole numbers, else by their bytes. Steps are in the order
// of time or, without it, of the rows. Throws DataError naming lines for a step that is there twice, a sequence or time
// that is missing, and an infinite value.
ImportedData make_data_set(const SourceTable& source, const Roles& roles);

// What becomes of `test/`: nothing, a part of the sequences (of an only one: its last steps), or those named.
struct TestPart {
    double fraction = 0.0;
    std::vector<std::string> names;
    std::uint64_t seed = 1;  // draws the sequences of a fraction
};

// Training and test part; each has at least one sequence. Throws UsageError if that cannot be.
std::pair<ImportedData, ImportedData> split(const ImportedData& data, const TestPart& test);

}  // namespace hmmlt
