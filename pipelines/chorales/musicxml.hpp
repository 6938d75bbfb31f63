// MusicXML (score-partwise) to a score for four voices.
#pragma once

#include <string_view>

#include "pipelines/chorales/score.hpp"

namespace hmmlt::chorales {

// Keeps the parts named Soprano, Alto, Tenor, Bass, S., A., T. or B.; there must be one of each voice, each with one
// key, the same in all four, major or minor. A measure begins where the longest content of the one before it, over all
// parts of the file, ends. Grace and cue notes are left out, repeats are not played twice, transposing parts sound as
// they sound. Throws DataError: what was expected, what was found, and in which part and measure.
Score parse_musicxml(std::string_view text);

}  // namespace hmmlt::chorales
