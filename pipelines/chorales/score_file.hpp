// Files of scores: MusicXML as text (.xml, .musicxml) or packed with zip (.mxl). Such files come from anywhere, so
// whatever their bytes are, they become a score or one sentence, in little time and memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "pipelines/chorales/score.hpp"

namespace hmmlt::chorales {

// The largest file, packed or unpacked, that is read: ten times the largest of the Bach corpus, and a small zip file
// can claim to hold anything.
inline constexpr std::size_t largest_file = std::size_t{16} << 20;

// Is this the name of a score: .xml, .musicxml or .mxl?
bool has_score_name(const std::filesystem::path& file);

// Throws IoError if the file cannot be read, DataError if it is too large or no regular file.
std::string read_bytes(const std::filesystem::path& file);

// Throws DataError, whose message is the reason why this is no score for four voices (without the file's name).
Score read_score(std::string_view bytes);

// The MusicXML text inside a packed score: what META-INF/container.xml names, else the first .xml or .musicxml that
// is not in META-INF. Nothing is ever written to disk, so names inside the archive are only names. Throws DataError.
std::string unpack(std::string_view archive);
bool is_packed(std::string_view bytes);

}  // namespace hmmlt::chorales
