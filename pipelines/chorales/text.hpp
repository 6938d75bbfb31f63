// Text from strangers' files: numbers that are numbers, names that are safe to print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hmmlt::chorales {

std::string_view trimmed(std::string_view text);

// "12", "-3", " 4.0 ": a whole number within the range of int64, or nothing.
std::optional<std::int64_t> whole_number(std::string_view text);

bool is_utf8(std::string_view text);

// Fit to stand in a message: quoted, one line, cut after some 40 bytes; what is neither printable nor blank is \xNN.
std::string in_quotes(std::string_view text);

}  // namespace hmmlt::chorales
