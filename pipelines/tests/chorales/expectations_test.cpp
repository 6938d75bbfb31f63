// A corpus that is what it should be, and the first thing that is not.
#include "pipelines/chorales/expectations.hpp"

#include <doctest/doctest.h>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::chorales;
using hmmlt::testing::failure;
using hmmlt::testing::ScratchDirectory;
using hmmlt::testing::write_bytes;

namespace {

Chorale chorale(const std::string& id, std::size_t n_chords) {
    return {
        .id = id, .file = id + ".mxl", .sha256 = "01", .tonic = 5, .chords = std::vector<Chord>(n_chords, Chord{60})};
}

}  // namespace

TEST_CASE("expectations: rows of a small CSV file") {
    const ScratchDirectory scratch;
    const auto file = scratch / "list.csv";
    write_bytes(file, "id,file\r\nb,b.mxl\r\na,x/a.xml\r\n");
    const std::vector<Row> rows = read_rows(file, {"id", "file"});
    CHECK(rows == std::vector<Row>{{{"id", "b"}, {"file", "b.mxl"}}, {{"id", "a"}, {"file", "x/a.xml"}}});
    const std::vector<Entry> entries = listed_scores(rows, "folder");
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].id == "a");
    CHECK(entries[0].file == "folder/x/a.xml");

    const auto complaint = [&](const std::string& text) {
        write_bytes(file, text);
        return failure<DataError>([&] { listed_scores(read_rows(file, {"id", "file"}), "folder"); });
    };
    CHECK(complaint("") == file.string() + ":1: expected a column id, found none");
    CHECK(complaint("id,name\n") == file.string() + ":1: expected a column file, found none");
    CHECK(complaint("id,file\n") == file.string() + ": expected at least one row, found none");
    CHECK(complaint("id,file\na,a.mxl\nb\n") == file.string() + ":3: expected 2 fields, found 1");
    CHECK(complaint("id,file\na,a.mxl\na,a.xml\n") == "the list has a twice");
    CHECK(failure<IoError>([&] { read_rows(scratch / "no.csv", {}); }).ends_with("no.csv: No such file or directory"));
    CHECK(failure<DataError>([&] { read_rows(scratch.path(), {}); }) ==
          scratch.path().string() + ": not a regular file");
}

TEST_CASE("expectations: the first score that differs is named") {
    const Row row{{"id", "a"},       {"file", "a.mxl"}, {"sha256", "01"},  {"valid", "1"},
                  {"mode", "major"}, {"tonic", "5"},    {"chords_a", "3"}, {"chords_b", "2"}};
    CHECK_NOTHROW(check_scores({chorale("a", 3)}, {row}, Recipe::a));
    CHECK_NOTHROW(check_scores({chorale("a", 2)}, {row}, Recipe::b));
    CHECK_NOTHROW(
        check_scores({chorale("a", 9)}, {{{"id", "a"}, {"file", "a.mxl"}}}, Recipe::a));  // nothing is expected
    CHECK(failure<DataError>([&] { check_scores({chorale("a", 4)}, {row}, Recipe::a); }) ==
          "a.mxl: expected chords_a = 3, found 4; the file is the one that the list was made for");
    Chorale other = chorale("a", 3);
    other.tonic = 0;
    other.sha256 = "02";
    CHECK(failure<DataError>([&] { check_scores({other}, {row}, Recipe::a); }) ==
          "a.mxl: expected tonic = 5, found 0; the file is not the one that the list was made for");
    other.reason = "no parts";
    CHECK(failure<DataError>([&] { check_scores({other}, {row}, Recipe::a); }) ==
          "a.mxl: expected valid = 1, found 0 (no parts); the file is not the one that the list was made for");
    // of a score that is expected to be none, only that
    CHECK_NOTHROW(check_scores({other}, {{{"id", "a"}, {"valid", "0"}, {"mode", ""}, {"chords_a", ""}}}, Recipe::a));
    CHECK(failure<DataError>([&] {
              check_scores({chorale("a", 3)}, {{{"id", "a"}, {"valid", "0"}}}, Recipe::a);
          }) == "a.mxl: expected valid = 0, found 1");
}

TEST_CASE("expectations: check values of the whole") {
    const std::vector<Row> checks{{{"recipe", "a"}, {"mode", "major"}, {"tokens", "5"}, {"sha256", "01"}}};
    const Row found{{"recipe", "a"}, {"mode", "major"}, {"tokens", "5"}, {"sha256", "01"}, {"types", "3"}};
    CHECK_NOTHROW(check_totals(found, checks, "checks.csv"));
    Row other = found;
    other["sha256"] = "02";
    CHECK(failure<DataError>([&] { check_totals(other, checks, "checks.csv"); }) ==
          "checks.csv: recipe a, mode major: expected sha256 = 01, found 02");
    other["mode"] = "minor";
    CHECK(failure<DataError>([&] { check_totals(other, checks, "checks.csv"); }) ==
          "checks.csv: expected a row for recipe a, mode minor, found none");
}
