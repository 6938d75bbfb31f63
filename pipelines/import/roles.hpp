// What the columns of a user's table are: names of sequences, order of steps, channels, symbols. Pure functions on the
// table; whatever is guessed becomes part of the answer, so that the user can be told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hmmlt/io/source_table.hpp"

namespace hmmlt {

// What the command line says; empty: find out. `none` for sequence or time: there is no such column.
struct Wishes {
    std::string layout;  // "wide", "long"
    std::string sequence;
    std::string time;
    std::string symbol;
    std::string variable;
    std::string value;
    std::vector<std::string> columns;  // wide: the channels; long: the variables; in this order
};

enum class Layout {
    wide,  // a row per step, a column per channel or one of symbols
    tall,  // "long": a row per step and variable
};

struct Roles {
    Layout layout = Layout::wide;
    std::string sequence;               // empty: all rows are one sequence
    std::string time;                   // empty: rows are in order
    std::string symbol;                 // wide; then there are no channels
    std::string variable;               // tall
    std::string value;                  // tall
    std::vector<std::string> channels;  // wide: columns; tall: variables, empty for all
    std::vector<std::string> ignored;   // "comment (text)"
    std::vector<std::string> notes;     // sentences

    bool operator==(const Roles&) const = default;
};

// Throws UsageError if a wish names no column; DataError if a column cannot be what it is wished or found to be, or if
// two columns could be the same thing.
Roles find_roles(const SourceTable& source, const Wishes& wishes);

// Columns that stand for something by their name, whatever the case of its letters: `subject`, `token`. Their values
// are to be read as text, so that 007 stays 007; not so a column that is wished to be a channel.
bool is_read_as_text(std::string_view column, const Wishes& wishes);

}  // namespace hmmlt
