// What a known corpus must turn out to be: a list of its scores with their counts, and check values of the whole.
// Both are small CSV files with a header and without quotes, committed beside the data set's README.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pipelines/chorales/corpus.hpp"

namespace hmmlt::chorales {

using Row = std::map<std::string, std::string, std::less<>>;  // column -> text

// Throws IoError, or DataError naming file and line, if a row is not as long as the header or a needed column is not
// there.
std::vector<Row> read_rows(const std::filesystem::path& file, const std::vector<std::string>& needed);

// The scores of a list (columns id, file) inside a folder, by the bytes of their ids.
std::vector<Entry> listed_scores(const std::vector<Row>& list, const std::filesystem::path& folder);

// Compares each score with its row: valid (0 or 1), mode, tonic, and chords_a or chords_b, as far as the list has these
// columns. Throws DataError for the first score that differs, and says whether its file is another one (sha256).
void check_scores(const std::vector<Chorale>& chorales, const std::vector<Row>& list, Recipe recipe);

// Compares the whole with the row that `checks` has for this recipe and mode (columns recipe, mode): `found` has a
// value for every other column. Throws DataError for the first column that differs, or if there is no such row.
void check_totals(const Row& found, const std::vector<Row>& checks, const std::filesystem::path& file);

}  // namespace hmmlt::chorales
