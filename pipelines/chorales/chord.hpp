// A slice of a score: one number per sounding pitch, and how it is spelled.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace hmmlt::chorales {

inline constexpr int rest = std::numeric_limits<int>::min();

using Chord = std::vector<int>;  // MIDI numbers (60 = C4), from the soprano down to the bass; `rest` in recipe B only

// "60,55,52,48"; a rest is "r".
std::string label(const Chord& chord);

// "C4 G3 E3 C3", each pitch class with the one name it most often has in C major: C C# D E- E F F# G G# A B- B, as
// music21 writes them (- is a flat); a rest is "r".
std::string name(const Chord& chord);

}  // namespace hmmlt::chorales
