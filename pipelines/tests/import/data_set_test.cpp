#include "pipelines/import/data_set.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "pipelines/import/summary.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

using Names = std::vector<std::string>;
using Lengths = std::vector<arma::uword>;

ImportedData data_of(std::string_view text, const Wishes& wishes = {}) {
    CsvOptions options;
    options.keep_as_text = [&](std::string_view name) { return is_read_as_text(name, wishes); };
    const SourceTable source = read_csv(text, "dir/f.csv", options);
    return make_data_set(source, find_roles(source, wishes));
}

std::string complaint_about_data(std::string_view text, const Wishes& wishes = {}) {
    return failure<DataError>([&] { data_of(text, wishes); });
}

Lengths lengths(const ImportedData& data) {
    Lengths out;
    for (arma::uword s = 0; s < data.observations.sequences.count(); ++s)
        out.push_back(data.observations.sequences.length(s));
    return out;
}

using Symbols = std::vector<arma::sword>;

Symbols symbols(const ImportedData& data) {
    return {data.observations.symbol.begin(), data.observations.symbol.end()};
}

// As text, so that missing cells compare.
std::string cells(const arma::mat& y) {
    std::string text;
    for (arma::uword row = 0; row < y.n_rows; ++row) {
        for (arma::uword column = 0; column < y.n_cols; ++column)
            text += std::isnan(y(row, column)) ? "- " : std::to_string(static_cast<int>(y(row, column))) + " ";
        text += "| ";
    }
    return text;
}

}  // namespace

TEST_CASE("data set: wide rows in the order of sequence and time") {
    const ImportedData data = data_of("id,t,a,b\nq,1,1,2\np,5,3,\nq,0,5,6\np,3,NA,8\n");
    CHECK(data.sequence_names == Names{"q", "p"});
    CHECK(lengths(data) == Lengths{2, 2});
    CHECK(cells(data.observations.y) == "5 1 - 3 | 6 2 8 - | ");
    CHECK(data.channel_names == Names{"a", "b"});
    CHECK(data.notes == Names{"the rows were put in the order of sequence and time",
                              "by t, steps are 1 to 2 apart; only their order counts"});
}

TEST_CASE("data set: without sequence and time, rows as they are, a whole row may be missing") {
    const ImportedData data = data_of("a,b\n1,2\n,\n3,4\n");
    CHECK(data.sequence_names == Names{"f"});
    CHECK(cells(data.observations.y) == "1 - 3 | 2 - 4 | ");
    CHECK(data.notes.empty());
}

TEST_CASE("data set: times as large as nanoseconds keep their order, and their spacing is told in its unit") {
    const ImportedData data = data_of(
        "when,a\n2024-01-01T00:00:00.000000002,2.5\n2024-01-01T00:00:00.000000001,1.5\n2024-01-01T00:00:01,3.5\n");
    CHECK(data.observations.y(0, 0) == 1.5);
    CHECK(data.notes.back() == "by when, steps are 1e-09 to 1 seconds apart; only their order counts");
    CHECK(data_of("d,a\n2024-01-01,1.5\n2024-01-02,2\n2024-01-09,2\n").notes.back() ==
          "by d, steps are 1 to 7 days apart; only their order counts");
    CHECK(data_of("t,a\n0.1,1.5\n0.2,2\n0.30000000001,2\n").notes.empty());
}

TEST_CASE("data set: long rows become channels; what no row says is missing") {
    const char* text = "id,t,variable,value\np,0,y,1\np,0,x,2\np,7,x,3\nq,0,x,\nq,0,z,5\n";
    const ImportedData data = data_of(text);
    CHECK(data.channel_names == Names{"y", "x", "z"});
    CHECK(lengths(data) == Lengths{2, 1});
    CHECK(cells(data.observations.y) == "1 - - | 2 3 - | - - 5 | ");
    Wishes wishes;
    wishes.columns = {"x", "y"};
    CHECK(cells(data_of(text, wishes).observations.y) == "2 3 - | 1 - - | ");
    wishes.columns = {"x", "w"};
    CHECK(failure<UsageError>([&] { data_of(text, wishes); }) ==
          "--columns: dir/f.csv has no variable w; did you mean y?");
}

TEST_CASE("data set: symbols are numbered by their labels") {
    const ImportedData words = data_of("w\nthe\ncat\n\"NA\"\nThe\n");
    CHECK(words.labels == Names{"The", "cat", "the"});
    CHECK(symbols(words) == Symbols{2, 1, no_symbol, 0});
    const ImportedData numbers = data_of("token\n10\n9\n-1\n9\n");
    CHECK(numbers.labels == Names{"-1", "9", "10"});
    CHECK(symbols(numbers) == Symbols{2, 1, 0, 1});
    CHECK(data_of("token\n10\n9\nx\n").labels == Names{"10", "9", "x"});
}

TEST_CASE("data set: complaints name lines and columns") {
    CHECK(complaint_about_data("id,t,a\np,0,1\nq,0,2\np,0,3\n") ==
          "dir/f.csv: line 2 and line 4 have the same id and t: one step must have one row (if t is not the time, say "
          "--time)");
    CHECK(complaint_about_data("t,variable,value\n0,x,1\n0,y,2\n0,x,3\n") ==
          "dir/f.csv: line 2 and line 4 have the same t and variable: one variable must have one value at each time");
    CHECK(complaint_about_data("id,a\np,1\n,2\np,3\n") ==
          "dir/f.csv: line 3, column id: expected a value in every row, found none");
    CHECK(complaint_about_data("t,a\n0,1\n,2\n") ==
          "dir/f.csv: line 3, column t: expected a value in every row, found none");
    CHECK(complaint_about_data("t,a\n0,1\ninf,2\n") ==
          "dir/f.csv: line 3, column t: expected a finite number, found inf");
    CHECK(complaint_about_data("a,b\n1,2\n3,-inf\n") ==
          "dir/f.csv: line 3, column b: expected a finite number, found -inf");
    CHECK(complaint_about_data("a,b\n1,9007199254740993\n") ==
          "dir/f.csv: line 2, column b: expected a number from -2^53 to 2^53, found 9007199254740993");
}

TEST_CASE("data set: a long table that would explode") {
    std::string text = "t,variable,value\n";
    for (int i = 0; i < 20000; ++i) text += fmt::format("{},v{},1\n", i, i);
    CHECK(complaint_about_data(text) ==
          "dir/f.csv: 20000 variables at 20000 steps, but only 20000 rows: is variable the column of variables?");
}

TEST_CASE("split: the end of an only sequence") {
    const auto [train, test] = split(data_of("a\n1.5\n2\n3\n4\n5\n"), {.fraction = 0.4, .names = {}, .seed = 1});
    CHECK(cells(train.observations.y) == "1 2 3 | ");
    CHECK(cells(test.observations.y) == "4 5 | ");
    CHECK(test.sequence_names == Names{"f"});
}

TEST_CASE("split: sequences, drawn or named") {
    const ImportedData data = data_of("id,w\np,x\np,y\nq,z\nr,x\nr,y\nr,z\ns,x\n");
    const auto [train, test] = split(data, {.fraction = 0.5, .names = {}, .seed = 3});
    CHECK((train.sequence_names.size() == 2 && test.sequence_names.size() == 2));
    CHECK(split(data, {.fraction = 0.5, .names = {}, .seed = 3}).second.sequence_names == test.sequence_names);
    std::set<Names> seen;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        seen.insert(split(data, {.fraction = 0.5, .names = {}, .seed = seed}).second.sequence_names);
    CHECK(seen.size() == 6);  // all pairs
    const auto [rest, named] = split(data, {.fraction = 0.0, .names = {"r", "p"}, .seed = 1});
    CHECK(named.sequence_names == Names{"p", "r"});
    CHECK(lengths(named) == Lengths{2, 3});
    CHECK(symbols(named) == Symbols{0, 1, 0, 1, 2});
    CHECK((named.labels == data.labels && rest.labels == data.labels));
    CHECK(rest.sequence_names == Names{"q", "s"});
}

TEST_CASE("split: at least one sequence or step on either side") {
    const ImportedData two = data_of("id,a\np,1\np,2\nq,3\nq,4\n");
    CHECK(split(two, {.fraction = 0.01, .names = {}, .seed = 1}).second.sequence_names.size() == 1);
    CHECK(split(two, {.fraction = 0.99, .names = {}, .seed = 1}).first.sequence_names.size() == 1);
    CHECK(failure<UsageError>([&] {
              split(two, {.fraction = 0.0, .names = {"p", "q"}, .seed = 1});
          }) == "--test-sequences: no sequence would be left to train on");
    CHECK(failure<UsageError>([&] { split(two, {.fraction = 0.0, .names = {"pp"}, .seed = 1}); }) ==
          "--test-sequences: there is no sequence pp; did you mean p?");
    CHECK(failure<UsageError>([&] { split(data_of("a,b\n1,2\n"), {.fraction = 0.5, .names = {}, .seed = 1}); }) ==
          "--test: expected at least 2 steps to divide, found 1");
}

TEST_CASE("summary: says what was understood") {
    const SourceTable source = read_csv("t,a,b,c\n0,1.5,,x\n2,,,y\n5,2,1,z\n", "f.csv", {});
    const Roles roles = find_roles(source, {});
    CHECK(summary(source, roles, make_data_set(source, roles)) ==
          "f.csv: CSV, separated by commas, with a header, 3 rows\n"
          "  layout     wide: one row per step, one column per channel\n"
          "  sequences  1 sequence of 3 steps\n"
          "  order      by t\n"
          "  channels   2: y_0 = a, y_1 = b\n"
          "  missing    3 of 6 cells; 1 step without any\n"
          "  ignored    c (text)\n"
          "  note       by t, steps are 2 to 3 apart; only their order counts\n");
    CHECK(lengths_text(Sequences::of_lengths({3, 1, 8})) == "3 sequences of 1 to 8 steps (median 3)");
    CHECK(lengths_text(Sequences::of_lengths({1, 2})) == "2 sequences of 1 to 2 steps (median 1.5)");
    CHECK(lengths_text(Sequences::of_lengths({1, 1})) == "2 sequences of 1 step each");
}
