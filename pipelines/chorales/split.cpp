// Shuffling and numbering.
#include "pipelines/chorales/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt::chorales {

std::vector<std::size_t> equals(const std::vector<Chorale>& chorales) {
    std::map<std::vector<Chord>, std::size_t> first;
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < chorales.size(); ++i)
        groups.push_back(first.emplace(chorales[i].chords, i).first->second);
    return groups;
}

Split draw_split(const std::vector<std::size_t>& groups, std::size_t n_test, Stream& rng) {
    if (groups.size() <= n_test)
        throw DataError(fmt::format("expected more than {0} scores, of which {0} test and the others train, found {1}",
                                    n_test, groups.size()));
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t score = 0; score < groups.size(); ++score) members[groups[score]].push_back(score);
    std::vector<std::vector<std::size_t>> shuffled;
    for (auto& [group, scores] : members) shuffled.push_back(std::move(scores));
    for (std::size_t left = shuffled.size(); left > 1; --left) {
        const auto chosen = static_cast<std::size_t>(draw_uniform(rng) * static_cast<double>(left));
        std::swap(shuffled[chosen], shuffled[left - 1]);
    }
    Split split;
    for (const auto& scores : shuffled) {
        auto& side = split.test.size() + scores.size() <= n_test ? split.test : split.train;
        side.insert(side.end(), scores.begin(), scores.end());
    }
    if (split.test.size() != n_test)
        throw DataError(fmt::format("no test set of {} scores keeps exact duplicates together: {} scores in {} groups",
                                    n_test, groups.size(), shuffled.size()));
    std::sort(split.train.begin(), split.train.end());
    std::sort(split.test.begin(), split.test.end());
    return split;
}

std::string describe(const Split& split, const std::vector<Chorale>& chorales) {
    const auto tokens_and_types = [&](const std::vector<std::size_t>& scores, std::set<Chord>& types) {
        std::size_t n_tokens = 0;
        for (const std::size_t score : scores) {
            n_tokens += chorales[score].chords.size();
            types.insert(chorales[score].chords.begin(), chorales[score].chords.end());
        }
        return fmt::format("{} tokens, {} types", n_tokens, types.size());
    };
    std::set<Chord> train_types;
    std::set<Chord> test_types;
    const std::string train = tokens_and_types(split.train, train_types);
    const std::string test = tokens_and_types(split.test, test_types);
    const auto only_there = std::count_if(test_types.begin(), test_types.end(),
                                          [&](const Chord& chord) { return !train_types.contains(chord); });
    const std::vector<std::size_t> groups = equals(chorales);
    std::set<std::size_t> trained;
    for (const std::size_t score : split.train) trained.insert(groups[score]);
    const auto twins = std::count_if(split.test.begin(), split.test.end(),
                                     [&](std::size_t score) { return trained.contains(groups[score]); });
    return fmt::format(
        "{} scores to train on ({}), {} to test on ({}, of which {} only there; {} with an exact duplicate to train "
        "on)",
        split.train.size(), train, split.test.size(), test, only_there, twins);
}

Vocabulary vocabulary_of(const std::vector<Chorale>& chorales) {
    Vocabulary vocabulary;
    for (const Chorale& chorale : chorales)
        for (const Chord& chord : chorale.chords) {
            const auto next = static_cast<std::int32_t>(vocabulary.chords.size());
            if (vocabulary.symbol_of.emplace(chord, next).second) vocabulary.chords.push_back(chord);
        }
    return vocabulary;
}

}  // namespace hmmlt::chorales
