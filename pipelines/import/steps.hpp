// The rows of a user's table in the order of sequence and time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "pipelines/import/roles.hpp"

namespace hmmlt {

// Each row's label by number, numbered as they first appear.
struct Numbering {
    std::vector<std::string> names;
    std::vector<std::uint32_t> of_row;
};

// Text as it is, whole numbers in digits. Throws DataError naming the line of a missing value.
Numbering number_labels(const SourceTable& source, const Column& column);

struct Steps {
    std::vector<std::string> sequence_names;
    Sequences sequences;
    std::vector<std::size_t> rows;     // in order
    std::vector<std::size_t> of_rows;  // the step, over all sequences, to which rows[i] belongs
    std::vector<std::string> notes;
};

// Wide: a step per row, and two rows of one sequence with the same time are a DataError. Tall: such rows are one step.
Steps order_steps(const SourceTable& source, const Roles& roles);

}  // namespace hmmlt
