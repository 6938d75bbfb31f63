// Notes, rests and jumps in time, in the order of the file.
#include "pipelines/chorales/part.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <pugixml.hpp>

#include "hmmlt/io/errors.hpp"
#include "pipelines/chorales/text.hpp"

namespace hmmlt::chorales {

namespace {

constexpr std::int64_t most_ticks = 1'000'000'000;     // per quarter note
constexpr std::int64_t longest_duration = most_ticks;  // as written; times ticks it is below longest_time

std::string_view text_of(const pugi::xml_node& parent, const char* child) {
    return parent.child(child).text().get();
}

std::string measure_name(const pugi::xml_node& measure, std::size_t index) {
    const std::string_view number = measure.attribute("number").value();
    return number.empty() ? fmt::format("{}", index + 1) : in_quotes(number);
}

class MeasureReader {
  public:
    MeasureReader(const std::string& part, std::int64_t ticks, bool keep) : part_(part), ticks_(ticks), keep_(keep) {}

    Measure read(const pugi::xml_node& measure, std::size_t index) {
        where_ = {measure, index};
        now_ = 0;
        last_start_.reset();
        Measure result;
        for (const pugi::xml_node& element : measure.children()) {
            const std::string_view name = element.name();
            if (name == "attributes") read_attributes(element);
            if (name == "note") read_note(element, result);
            if (name == "forward") now_ += duration(element);
            if (name == "backup") now_ -= duration(element);
            if (now_ < 0) fail("<backup> goes back beyond the beginning of the measure");
            if (now_ > longest_time) fail("the measure is too long");
            result.length = std::max(result.length, now_);
        }
        return result;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw DataError(
            fmt::format("part {}, measure {}: {}", in_quotes(part_), measure_name(where_.node, where_.index), what));
    }

    std::int64_t number(const pugi::xml_node& parent, const char* child, std::int64_t min, std::int64_t max) const {
        const auto value = whole_number(text_of(parent, child));
        if (value && *value >= min && *value <= max) return *value;
        const std::string found = parent.child(child) ? in_quotes(text_of(parent, child)) : "none";
        fail(fmt::format("expected a whole number from {} to {} as <{}>, found {}", min, max, child, found));
    }

    std::int64_t number_or_zero(const pugi::xml_node& parent, const char* child, std::int64_t bound) const {
        return parent.child(child) ? number(parent, child, -bound, bound) : 0;
    }

    void read_attributes(const pugi::xml_node& attributes) {
        if (attributes.child("divisions")) divisions_ = number(attributes, "divisions", 1, most_ticks);
        if (const pugi::xml_node transpose = attributes.child("transpose"))
            transposition_ =
                number_or_zero(transpose, "chromatic", 24) + 12 * number_or_zero(transpose, "octave-change", 4);
    }

    std::int64_t duration(const pugi::xml_node& element) const {
        const std::int64_t written = number(element, "duration", 0, longest_duration);
        if (divisions_ == 0) fail("expected <divisions> before the first <duration>");
        return written * (ticks_ / divisions_);
    }

    int midi(const pugi::xml_node& pitch) const {
        static constexpr std::string_view steps = "C D EF G A B";
        const std::string_view step = trimmed(text_of(pitch, "step"));
        const std::size_t semitone = step.size() == 1 && step != " " ? steps.find(step) : std::string_view::npos;
        if (semitone == std::string_view::npos)
            fail("expected a letter from A to G as <step>, found " + in_quotes(step));
        const std::int64_t sounding = 12 * (number(pitch, "octave", 0, 9) + 1) + static_cast<std::int64_t>(semitone) +
                                      number_or_zero(pitch, "alter", 3) + transposition_;
        if (sounding < 0 || sounding > 127) fail("a pitch lies outside the range of MIDI");
        return static_cast<int>(sounding);
    }

    void read_note(const pugi::xml_node& note, Measure& measure) {
        if (note.child("grace")) return;
        const std::int64_t length = duration(note);
        const bool chord = note.child("chord");
        if (chord && !last_start_) fail("<chord> without a note before it");
        const std::int64_t start = chord ? *last_start_ : now_;
        last_start_ = start;
        if (!chord) now_ += length;
        measure.length = std::max(measure.length, start + length);
        if (!keep_ || note.child("cue")) return;
        Event event{.start = start, .end = start + length};
        if (!note.child("rest")) {
            if (!note.child("pitch")) fail("expected a <pitch> or a <rest> in a note");
            event.midi = midi(note.child("pitch"));
            event.attack = !note.find_child_by_attribute("tie", "type", "stop");
        }
        measure.events.push_back(event);
    }

    struct Place {
        pugi::xml_node node;
        std::size_t index = 0;
    };

    const std::string& part_;
    std::int64_t ticks_;
    bool keep_;
    Place where_;
    std::int64_t divisions_ = 0;  // none yet
    std::int64_t transposition_ = 0;
    std::int64_t now_ = 0;
    std::optional<std::int64_t> last_start_;  // of a note in this measure, for <chord>
};

}  // namespace

std::int64_t common_ticks(const pugi::xml_node& part, std::int64_t ticks) {
    for (const pugi::xml_node& measure : part.children("measure"))
        for (const pugi::xml_node& attributes : measure.children("attributes")) {
            const auto divisions = whole_number(text_of(attributes, "divisions"));
            if (!divisions || *divisions < 1 || *divisions > most_ticks) continue;  // read_measures complains
            ticks = std::lcm(ticks, *divisions);
            if (ticks > most_ticks) throw DataError("its <divisions> have no common multiple below 1000000000");
        }
    return ticks;
}

std::vector<Measure> read_measures(const pugi::xml_node& part, const std::string& name, std::int64_t ticks, bool keep) {
    MeasureReader reader(name, ticks, keep);
    std::vector<Measure> measures;
    for (const pugi::xml_node& measure : part.children("measure"))
        measures.push_back(reader.read(measure, measures.size()));
    return measures;
}

Key read_key(const pugi::xml_node& part, const std::string& name) {
    std::vector<pugi::xml_node> keys;
    for (const pugi::xml_node& measure : part.children("measure"))
        for (const pugi::xml_node& attributes : measure.children("attributes"))
            for (const pugi::xml_node& key : attributes.children("key")) keys.push_back(key);
    if (keys.size() != 1)
        throw DataError(fmt::format("part {}: expected one key, found {}", in_quotes(name), keys.size()));
    const auto fifths = whole_number(text_of(keys.front(), "fifths"));
    const std::string_view mode = trimmed(text_of(keys.front(), "mode"));
    if (!fifths || *fifths < -7 || *fifths > 7)
        throw DataError(
            fmt::format("part {}: expected a key of at most 7 sharps (1 to 7) or flats (-1 to -7), found {}",
                        in_quotes(name), in_quotes(text_of(keys.front(), "fifths"))));
    if (mode != "major" && mode != "minor")
        throw DataError(fmt::format("part {}: expected a key that says major or minor, found {}", in_quotes(name),
                                    mode.empty() ? "no mode" : in_quotes(mode)));
    return {*fifths, mode == "major"};
}

}  // namespace hmmlt::chorales
