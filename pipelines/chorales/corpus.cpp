// Listing and reading; what a stranger's file holds is judged in score_file, musicxml and slices.
#include "pipelines/chorales/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "pipelines/chorales/score_file.hpp"
#include "pipelines/chorales/text.hpp"

namespace hmmlt::chorales {

namespace fs = std::filesystem;

std::vector<Entry> scores_in(const fs::path& folder) {
    std::vector<Entry> entries;
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
        if (std::error_code ignored; has_score_name(file->path()) && !file->is_directory(ignored))
            entries.push_back({file->path().stem().string(), file->path()});
    if (error) throw system_error("read", folder.string(), error.value());
    if (entries.empty())
        throw DataError(fmt::format("{}: expected scores (.mxl, .musicxml or .xml), found none", folder.string()));
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.id, a.file) < std::tie(b.id, b.file); });
    const auto twin =
        std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.id == b.id; });
    if (twin != entries.end())
        throw DataError(fmt::format("{}: expected one score of each name, found {} and {}", folder.string(),
                                    in_quotes(twin->file.filename().string()),
                                    in_quotes(std::next(twin)->file.filename().string())));
    return entries;
}

Chorale read_chorale(const Entry& entry, Recipe recipe) {
    Chorale chorale{.id = entry.id, .file = entry.file};
    try {
        const std::string bytes = read_bytes(entry.file);
        chorale.sha256 = sha256_of_text(bytes);
        if (!is_utf8(entry.id)) throw DataError("its name is not UTF-8, so that no table can hold it");
        const Score score = read_score(bytes);
        chorale.major = score.major;
        chorale.tonic = score.tonic;
        chorale.chords = slices(score, recipe);
        if (chorale.chords.empty()) throw DataError("nothing sounds in its four voices");
    } catch (const DataError& error) {
        chorale.reason = error.what();
    }
    return chorale;
}

std::string corpus_sha256(const std::vector<Chorale>& chorales) {
    Sha256 hash;
    for (const Chorale& chorale : chorales)
        hash.update(fmt::format("{}  {}\n", chorale.sha256, chorale.file.filename().string()));
    return hash.hex();
}

std::string check_text(const std::vector<Chorale>& chorales) {
    std::string text;
    for (const Chorale& chorale : chorales) {
        text += chorale.id;
        char separator = '\t';
        for (const Chord& chord : chorale.chords) {
            text += separator;
            text += label(chord);
            separator = ' ';
        }
        text += '\n';
    }
    return text;
}

}  // namespace hmmlt::chorales
