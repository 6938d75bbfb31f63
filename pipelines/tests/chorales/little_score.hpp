// MusicXML for tests, from a short notation that can be read beside the expected chords.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

namespace hmmlt::chorales::testing {

// One part. Words of `music`, separated by blanks:
//   C5:4 F#3:2 Bb2:1   notes with their duration; after it s = tied to the one before, c = <chord>, q = cue, g = grace
//   r:4                a rest
//   +4 -4              <forward>, <backup>
//   d6                 <divisions> from here on
//   |                  the next measure
// Divisions are 1 (a duration of 1 is a quarter note) unless the music says otherwise.
struct PartText {
    std::string name;
    std::string music;
    std::string key = "<key><fifths>0</fifths><mode>major</mode></key>";
    std::string attributes = "<divisions>1</divisions>";
};

inline std::string note_xml(const std::string& word) {
    const std::size_t colon = word.find(':');
    const std::size_t flags = word.find_first_not_of("0123456789", colon + 1);
    const std::string duration = word.substr(colon + 1, flags == std::string::npos ? flags : flags - colon - 1);
    const auto has = [&](char flag) {
        return flags != std::string::npos && word.find(flag, flags) != std::string::npos;
    };
    std::string pitch = "<rest/>";
    if (word.front() != 'r') {
        const std::string alter = word[1] == '#' ? "<alter>1</alter>" : word[1] == 'b' ? "<alter>-1</alter>" : "";
        pitch = fmt::format("<pitch><step>{}</step>{}<octave>{}</octave></pitch>", word[0], alter, word[colon - 1]);
    }
    return fmt::format("<note>{}{}{}{}{}{}</note>", has('g') ? "<grace/>" : "", has('q') ? "<cue/>" : "",
                       has('c') ? "<chord/>" : "", pitch,
                       has('g') ? "" : fmt::format("<duration>{}</duration>", duration),
                       has('s') ? "<tie type=\"stop\"/>" : "");
}

inline std::string part_xml(const PartText& part, const std::string& id) {
    std::istringstream words(part.music);
    std::string body = fmt::format("<measure number=\"1\"><attributes>{}{}</attributes>", part.attributes, part.key);
    int measure = 1;
    for (std::string word; words >> word;) {
        const std::string number = word.substr(1);
        if (word == "|")
            body += fmt::format("</measure><measure number=\"{}\">", ++measure);
        else if (word.front() == '+')
            body += fmt::format("<forward><duration>{}</duration></forward>", number);
        else if (word.front() == '-')
            body += fmt::format("<backup><duration>{}</duration></backup>", number);
        else if (word.front() == 'd')
            body += fmt::format("<attributes><divisions>{}</divisions></attributes>", number);
        else
            body += note_xml(word);
    }
    return fmt::format("<part id=\"{}\">{}</measure></part>", id, body);
}

inline std::string score_xml(const std::vector<PartText>& parts) {
    std::string list;
    std::string bodies;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const std::string id = fmt::format("P{}", p + 1);
        list += fmt::format("<score-part id=\"{}\"><part-name>{}</part-name></score-part>", id, parts[p].name);
        bodies += part_xml(parts[p], id);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<score-partwise><part-list>{}</part-list>{}"
        "</score-partwise>\n",
        list, bodies);
}

// Soprano, alto, tenor and bass in C major.
inline std::vector<PartText> four(const std::string& s, const std::string& a, const std::string& t,
                                  const std::string& b) {
    return {{"Soprano", s}, {"Alto", a}, {"Tenor", t}, {"Bass", b}};
}

}  // namespace hmmlt::chorales::testing
