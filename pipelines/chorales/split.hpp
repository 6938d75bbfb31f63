// Which scores train and which test, and the numbers of the symbols.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hmmlt/random/stream.hpp"
#include "pipelines/chorales/corpus.hpp"

namespace hmmlt::chorales {

// Indices in ascending order.
struct Split {
    std::vector<std::size_t> train;
    std::vector<std::size_t> test;
};

// For each chorale the index of the first one with the same chords: equal numbers are exact duplicates.
std::vector<std::size_t> equals(const std::vector<Chorale>& chorales);

// Shuffles the groups (scores of equal numbers) and takes them one by one into the test set, leaving out those that
// are larger than what is still free. Throws DataError if the test set cannot have exactly n_test scores or would leave
// nothing to train on.
Split draw_split(const std::vector<std::size_t>& groups, std::size_t n_test, Stream& rng);

// "200 scores to train on (18769 tokens, 3172 types), 17 to test on (...; 136 types only there); ...": one line.
std::string describe(const Split& split, const std::vector<Chorale>& chorales);

// Symbols are numbered by first appearance, chorale after chorale: a numbering that no split changes.
struct Vocabulary {
    std::vector<Chord> chords;                // by symbol
    std::map<Chord, std::int32_t> symbol_of;  // the inverse
};
Vocabulary vocabulary_of(const std::vector<Chorale>& chorales);

}  // namespace hmmlt::chorales
