// A folder of scores, read into chords: which files, in which order, and what became of each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipelines/chorales/chord.hpp"
#include "pipelines/chorales/slices.hpp"

namespace hmmlt::chorales {

struct Entry {
    std::string id;  // the file's name without its ending
    std::filesystem::path file;
};

struct Chorale {
    std::string id;
    std::filesystem::path file;
    std::string sha256{};  // of the file; empty if it was not read
    std::string reason{};  // why it is no score for four voices; empty: it is one, and the rest is meaningful
    bool major = true;
    int tonic = 0;
    std::vector<Chord> chords{};

    bool valid() const { return reason.empty(); }
};

// All .mxl, .musicxml and .xml files of the folder itself, by the bytes of their ids. Throws IoError if the folder
// cannot be read, DataError if there are none or if two have the same id.
std::vector<Entry> scores_in(const std::filesystem::path& folder);

// Throws IoError if the file cannot be read; a file that is no score is no error but has a reason.
Chorale read_chorale(const Entry& entry, Recipe recipe);

// One hash for all files: of the text "<sha256>  <file name>\n", line by line, as sha256sum prints it.
std::string corpus_sha256(const std::vector<Chorale>& chorales);

// The chords as text, one line per chorale: id, tab, labels separated by spaces. Its hash is the check of a corpus.
std::string check_text(const std::vector<Chorale>& chorales);

}  // namespace hmmlt::chorales
