// What holds for every score that can be read, whatever it was read from.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "pipelines/chorales/slices.hpp"
#include "pipelines/chorales/text.hpp"

namespace hmmlt::chorales {

inline void require(bool condition) {
    if (!condition) std::abort();
}

inline void check_score(const Score& score) {
    const auto is_pitch = [](int pitch) { return pitch >= -11 && pitch <= 127; };
    require(score.tonic >= 0 && score.tonic < 12);
    for (const auto& voice : score.voices)
        for (const Event& event : voice)
            require(0 <= event.start && event.start <= event.end && event.end <= score.end);
    for (const Chord& chord : slices(score, Recipe::a)) {
        require(!chord.empty() && std::all_of(chord.begin(), chord.end(), is_pitch));
        require(std::set<int>(chord.begin(), chord.end()).size() == chord.size());
    }
    for (const Chord& chord : slices(score, Recipe::b)) {
        require(chord.size() == n_voices);
        require(std::any_of(chord.begin(), chord.end(), is_pitch));
        require(std::all_of(chord.begin(), chord.end(), [&](int pitch) { return pitch == rest || is_pitch(pitch); }));
    }
}

// Reads and checks; a DataError must be one printable line, and nothing else may be thrown.
template <typename Read>
void check_reading(Read read) {
    try {
        check_score(read());
    } catch (const DataError& error) {
        const std::string_view reason = error.what();
        require(!reason.empty() && is_utf8(reason));
        require(std::none_of(reason.begin(), reason.end(), [](char c) { return c >= 0 && c < ' '; }));
    }
}

}  // namespace hmmlt::chorales
