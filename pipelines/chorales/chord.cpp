// Labels and names of chords.
#include "pipelines/chorales/chord.hpp"

#include <fmt/format.h>

#include <array>

namespace hmmlt::chorales {

namespace {

constexpr std::array spelling{"C", "C#", "D", "E-", "E", "F", "F#", "G", "G#", "A", "B-", "B"};

template <typename Spell>
std::string join(const Chord& chord, const char* separator, Spell spell) {
    std::string joined;
    for (const int pitch : chord) {
        if (!joined.empty()) joined += separator;
        joined += pitch == rest ? "r" : spell(pitch);
    }
    return joined;
}

}  // namespace

std::string label(const Chord& chord) {
    return join(chord, ",", [](int pitch) { return fmt::format("{}", pitch); });
}

std::string name(const Chord& chord) {
    return join(chord, " ", [](int pitch) {
        const int pitch_class = (pitch % 12 + 12) % 12;
        return fmt::format("{}{}", spelling[static_cast<std::size_t>(pitch_class)], (pitch - pitch_class) / 12 - 1);
    });
}

}  // namespace hmmlt::chorales
