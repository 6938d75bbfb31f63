// Splits and numbers of symbols.
#include "pipelines/chorales/split.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "pipelines/chorales/tables.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using namespace hmmlt::chorales;
using hmmlt::testing::failure;
using hmmlt::testing::level;

namespace {

Chorale chorale_of(const std::string& id, const std::vector<Chord>& chords) {
    return {.id = id, .file = id + ".mxl", .chords = chords};
}

std::vector<std::size_t> each_alone(std::size_t n) {
    std::vector<std::size_t> groups(n);
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    return groups;
}

Split split_of(const std::vector<std::size_t>& groups, std::size_t n_test, std::uint64_t seed) {
    Stream rng({.seed = seed});
    return draw_split(groups, n_test, rng);
}

}  // namespace

TEST_CASE("split: every score once, in order, the same for the same seed") {
    const Split split = split_of(each_alone(20), 7, 1);
    CHECK(split.test.size() == 7);
    CHECK(std::is_sorted(split.train.begin(), split.train.end()));
    CHECK(std::is_sorted(split.test.begin(), split.test.end()));
    std::set<std::size_t> all(split.train.begin(), split.train.end());
    all.insert(split.test.begin(), split.test.end());
    CHECK(all.size() == 20);
    CHECK(split_of(each_alone(20), 7, 1).test == split.test);
    CHECK(split_of(each_alone(20), 7, 2).test != split.test);
}

TEST_CASE("split: all test sets are equally likely") {
    constexpr std::uint64_t n = 20000;
    for (const std::size_t n_test : {1U, 2U}) {
        const std::size_t n_sets = n_test == 1 ? 5 : 10;  // out of 5 scores
        std::map<std::vector<std::size_t>, double> counts;
        for (std::uint64_t seed = 0; seed < n; ++seed) counts[split_of(each_alone(5), n_test, seed).test] += 1.0;
        std::vector<double> observed;
        for (const auto& [test, count] : counts) observed.push_back(count);
        REQUIRE(observed.size() == n_sets);
        const std::vector<double> expected(n_sets, static_cast<double>(n) / static_cast<double>(n_sets));
        CHECK(hmmlt::testing::chi_square(observed, expected) > level);
    }
}

TEST_CASE("split: grouped scores are never parted, and the test set still has its size") {
    const std::vector<std::size_t> groups{0, 1, 0, 3, 4, 4, 4, 7, 8, 9};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Split split = split_of(groups, 4, seed);
        REQUIRE(split.test.size() == 4);
        const std::set<std::size_t> train(split.train.begin(), split.train.end());
        for (std::size_t a = 0; a < groups.size(); ++a)
            for (std::size_t b = 0; b < groups.size(); ++b)
                if (groups[a] == groups[b]) CHECK(train.contains(a) == train.contains(b));
    }
}

TEST_CASE("split: too few scores") {
    CHECK(failure<DataError>([] { split_of(each_alone(17), 17, 1); }) ==
          "expected more than 17 scores, of which 17 test and the others train, found 17");
    CHECK(failure<DataError>([] { split_of({}, 1, 1); }).ends_with("found 0"));
    CHECK(failure<DataError>([] {
              split_of({0, 0, 0, 3, 3, 3}, 2, 1);
          }) == "no test set of 2 scores keeps exact duplicates together: 6 scores in 2 groups");
}

TEST_CASE("split: duplicates, symbols, tables and what is said about them") {
    const Chord c{60, 55, 52, 48};
    const Chord g{62, 55, 50, 47};
    const Chord f{65, 60, rest, 53};
    const std::vector<Chorale> chorales{chorale_of("a", {g, c}), chorale_of("b", {c, c, f}), chorale_of("c", {g, c}),
                                        chorale_of("d", {f, f})};
    CHECK(equals(chorales) == std::vector<std::size_t>{0, 1, 0, 3});

    const Vocabulary vocabulary = vocabulary_of(chorales);
    CHECK(vocabulary.chords == std::vector<Chord>{g, c, f});  // by first appearance
    const Table words = vocabulary_table(vocabulary);
    CHECK(words.column<std::int32_t>("symbol") == std::vector<std::int32_t>{0, 1, 2});
    CHECK(words.column<std::string>("label") == std::vector<std::string>{"62,55,50,47", "60,55,52,48", "65,60,r,53"});
    CHECK(words.column<std::string>("name") == std::vector<std::string>{"D4 G3 D3 B2", "C4 G3 E3 C3", "F4 C4 r F3"});

    const Observations data = symbols_of(chorales, {1, 2}, vocabulary);
    CHECK(data.sequences == Sequences::of_lengths({3, 2}));
    CHECK(arma::approx_equal(data.symbol, arma::ivec{1, 1, 2, 0, 1}, "absdiff", 0));
    const Table sequences = sequences_table(chorales, {1, 2});
    CHECK(sequences.column<std::int32_t>("sequence") == std::vector<std::int32_t>{0, 1});
    CHECK(sequences.column<std::string>("name") == std::vector<std::string>{"b", "c"});

    CHECK(describe({.train = {0}, .test = {1, 2, 3}}, chorales) ==
          "1 scores to train on (2 tokens, 2 types), 3 to test on (7 tokens, 3 types, of which 1 only there; 1 with an "
          "exact duplicate to train on)");
    CHECK(check_text({chorales[0], chorales[3]}) == "a\t62,55,50,47 60,55,52,48\nd\t65,60,r,53 65,60,r,53\n");
}
