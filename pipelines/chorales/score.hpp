// A score for four voices as the recipes need it: what each voice sounds or rests, from when to when, and the key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hmmlt::chorales {

inline constexpr std::size_t n_voices = 4;  // soprano, alto, tenor, bass, in this order everywhere

// One written note or rest; a tied note is as many events as there are note heads. Times are whole ticks since the
// beginning of the score, of a length in which every duration of that score is whole.
struct Event {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::optional<int> midi{};  // nothing: a rest
    bool attack = true;         // false: a note that continues a tied one

    bool operator==(const Event&) const = default;
};

struct Score {
    bool major = true;  // else minor
    int tonic = 0;      // pitch class, 0 = C
    std::int64_t end = 0;
    std::array<std::vector<Event>, n_voices> voices{};  // events in the order in which they are written
};

}  // namespace hmmlt::chorales
