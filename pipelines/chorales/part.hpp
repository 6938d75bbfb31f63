// Private to the MusicXML reader: one part of a file, measure by measure. pugixml is only forward-declared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipelines/chorales/score.hpp"

namespace pugi {
class xml_node;
}

namespace hmmlt::chorales {

struct Measure {
    std::int64_t length = 0;    // where its longest content ends
    std::vector<Event> events;  // times from its own beginning; empty in parts that are not kept
};

struct Key {
    std::int64_t fifths = 0;
    bool major = true;

    bool operator==(const Key&) const = default;
};

// Sums of times stay below this, so that nothing can overflow.
inline constexpr std::int64_t longest_time = 1'000'000'000'000'000'000;

// Every value that <divisions> (ticks per quarter note) takes in a part divides the returned number of ticks; `ticks`
// is what it was for the parts before.
std::int64_t common_ticks(const pugi::xml_node& part, std::int64_t ticks);

// `name` is what messages call the part; with `keep` the notes are read, else only how long they are.
std::vector<Measure> read_measures(const pugi::xml_node& part, const std::string& name, std::int64_t ticks, bool keep);

// The one key of a part.
Key read_key(const pugi::xml_node& part, const std::string& name);

}  // namespace hmmlt::chorales
