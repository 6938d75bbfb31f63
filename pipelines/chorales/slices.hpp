// A score as a sequence of chords, transposed to C: the two recipes.
#pragma once

#include <vector>

#include "pipelines/chorales/chord.hpp"
#include "pipelines/chorales/score.hpp"

namespace hmmlt::chorales {

enum class Recipe { a, b };

// Recipe A, as published: a slice between any two neighbouring starts or ends of written notes and rests, tied notes as
// written. A chord lists what sounds from soprano to bass (within a voice in written order); a pitch that is listed
// already is left out, so a unison or a rest makes the chord shorter.
//
// Recipe B, musically more careful: a slice at every onset, which is the attack of a note or the start of a rest or
// gap, not the continuation of a tied note. A chord is always four numbers: unisons are kept, a silent voice is `rest`,
// of several notes in one voice the highest counts, in the bass the lowest.
//
// In both, slices where nothing sounds are left out, equal neighbours stay, and the tonic's pitch class (0 to 11) is
// subtracted from every number. Throws DataError if a voice has more than 32 notes at once.
std::vector<Chord> slices(const Score& score, Recipe recipe);

}  // namespace hmmlt::chorales
