// The document around the parts: which of them are the four voices, and where measures begin.
#include "pipelines/chorales/musicxml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string>

#include "hmmlt/io/errors.hpp"
#include "pipelines/chorales/part.hpp"
#include "pipelines/chorales/text.hpp"

namespace hmmlt::chorales {

namespace {

struct Part {
    pugi::xml_node node;
    std::string name;
    std::optional<std::size_t> voice;  // 0 = soprano; nothing: not one of the four
};

std::optional<std::size_t> voice_named(std::string_view name) {
    static constexpr std::array<std::string_view, n_voices> words{"Soprano", "Alto", "Tenor", "Bass"};
    static constexpr std::array<std::string_view, n_voices> letters{"S.", "A.", "T.", "B."};
    for (std::size_t voice = 0; voice < n_voices; ++voice)
        if (name == words[voice] || name == letters[voice]) return voice;
    return {};
}

std::vector<Part> parts_of(const pugi::xml_node& score) {
    std::map<std::string, std::string, std::less<>> names;
    for (const pugi::xml_node& entry : score.child("part-list").children("score-part"))
        names.emplace(entry.attribute("id").value(), trimmed(entry.child("part-name").text().get()));
    std::vector<Part> parts;
    for (const pugi::xml_node& node : score.children("part")) {
        const auto found = names.find(std::string_view(node.attribute("id").value()));
        std::string name = found == names.end() ? "" : found->second;
        parts.push_back({node, name, voice_named(name)});
    }
    return parts;
}

void require_four_voices(const std::vector<Part>& parts) {
    std::array<int, n_voices> count{};
    for (const Part& part : parts)
        if (part.voice) ++count[*part.voice];
    if (std::all_of(count.begin(), count.end(), [](int n) { return n == 1; })) return;
    constexpr std::size_t most_names = 8;
    std::vector<std::string> names;
    for (const Part& part : parts)
        if (names.size() < most_names) names.push_back(in_quotes(part.name));
    std::string found = parts.empty() ? "no part" : fmt::format("{}", fmt::join(names, ", "));
    if (parts.size() > most_names) found += fmt::format(" and {} more", parts.size() - most_names);
    throw DataError("expected one part each named Soprano (or S.), Alto (A.), Tenor (T.), Bass (B.), found " + found);
}

Key common_key(const std::vector<Part>& parts) {
    std::optional<Key> common;
    for (const Part& part : parts) {
        if (!part.voice) continue;
        const Key key = read_key(part.node, part.name);
        if (common && !(*common == key))
            throw DataError("expected the same key in all four voices, found different ones");
        common = key;
    }
    return common.value();
}

// Where each measure begins, and after them where the last one ends.
std::vector<std::int64_t> measure_starts(const std::vector<std::vector<Measure>>& parts) {
    std::size_t n_measures = 0;
    for (const auto& measures : parts) n_measures = std::max(n_measures, measures.size());
    std::vector<std::int64_t> starts{0};
    for (std::size_t m = 0; m < n_measures; ++m) {
        std::int64_t length = 0;
        for (const auto& measures : parts)
            if (m < measures.size()) length = std::max(length, measures[m].length);
        starts.push_back(starts.back() + length);
        if (starts.back() > longest_time) throw DataError("the score is too long");
    }
    return starts;
}

}  // namespace

Score parse_musicxml(std::string_view text) {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed)
        throw DataError(fmt::format("not well-formed XML: {} at byte {}", parsed.description(), parsed.offset));
    const pugi::xml_node root = document.child("score-partwise");
    if (!root)
        throw DataError("expected MusicXML with <score-partwise>, found " +
                        in_quotes(document.document_element().name()));
    const std::vector<Part> parts = parts_of(root);
    require_four_voices(parts);
    const Key key = common_key(parts);

    std::int64_t ticks = 1;
    for (const Part& part : parts) ticks = common_ticks(part.node, ticks);
    std::vector<std::vector<Measure>> contents;
    for (const Part& part : parts)
        contents.push_back(read_measures(part.node, part.name, ticks, part.voice.has_value()));

    // Seven semitones per fifth; minor has its tonic nine semitones above the major key of the same signature.
    Score score{.major = key.major, .tonic = static_cast<int>((7 * (key.fifths + 12) + (key.major ? 0 : 9)) % 12)};
    const std::vector<std::int64_t> starts = measure_starts(contents);
    score.end = starts.back();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (!parts[p].voice) continue;
        for (std::size_t m = 0; m < contents[p].size(); ++m)
            for (Event event : contents[p][m].events) {
                event.start += starts[m];
                event.end += starts[m];
                score.voices[*parts[p].voice].push_back(event);
            }
    }
    return score;
}

}  // namespace hmmlt::chorales
