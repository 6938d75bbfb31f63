#include "hmmlt/io/source_table.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

using Wholes = std::vector<std::int64_t>;

SourceTable csv(std::string_view text, const CsvOptions& options = {}) {
    return read_csv(text, "f.csv", options);
}

std::string complaint_about_source(std::string_view text, const CsvOptions& options = {}) {
    return failure<DataError>([&] { csv(text, options); });
}

}  // namespace

TEST_CASE("source: the kinds of columns") {
    const SourceTable source =
        csv("n,x,s,b,day,at,clock,none\n"
            "1,1.5,p,true,2024-01-01,2024-01-01T00:00:00,10:00:00,\n"
            "-2,2,q,false,2024-01-03,2024-01-01 00:00:01,10:00:05,NA\n");
    CHECK(source.table.column<std::int64_t>("n") == Wholes{1, -2});
    CHECK(source.table.column<double>("x") == Reals{1.5, 2.0});
    CHECK(source.table.column<std::string>("s") == Texts{"p", "q"});
    CHECK(source.table.column<std::int64_t>("b") == Wholes{1, 0});
    CHECK(source.times == std::map<std::string, double>{{"at", 1.0}, {"clock", 1.0}, {"day", 86400.0}});
    for (const char* time : {"at", "clock", "day"}) {
        const Wholes& ticks = source.table.column<std::int64_t>(time);
        CHECK((ticks[1] - ticks[0]) * static_cast<std::int64_t>(source.times.at(time)) > 0);
    }
    CHECK(source.left_out == std::map<std::string, std::string>{{"none", "no value"}});
    CHECK(source.description == "CSV, separated by commas, with a header");
    CHECK((source.place(0) == "line 2" && source.place(1) == "line 3"));
}

TEST_CASE("source: the words for a missing value, quoted or not, and words of the user's") {
    for (const std::string& word : missing_words()) {
        CAPTURE(word);
        for (const std::string& cell : {word, "\"" + word + "\"", " " + word + " "}) {
            const SourceTable source = csv("x,s\n1,p\n" + cell + "," + cell + "\n");
            CHECK((source.table.is_null("x", 1) && source.table.is_null("s", 1)));
            CHECK_FALSE((source.table.is_null("x", 0) || source.table.is_null("s", 0)));
        }
    }
    CsvOptions options;
    options.missing = {"-999", "?"};
    const SourceTable source = csv("x,y\n-999,1.5\n2,?\n", options);
    CHECK((source.table.is_null("x", 0) && source.table.is_null("y", 1)));
    CHECK(source.table.at("x").type() == ColumnType::int64);
}

TEST_CASE("source: infinity stays, for others to refuse; NaN is missing") {
    const SourceTable source = csv("x\n1\ninf\n-nan\n");
    CHECK(std::isinf(source.table.column<double>("x")[1]));
    CHECK(source.table.is_null("x", 2));
}

TEST_CASE("source: a column that must stay text") {
    CsvOptions options;
    options.keep_as_text = [](std::string_view name) { return name == "id"; };
    CHECK(csv("id,x\n007,007\n08,08\n", options).table.column<std::string>("id") == Texts{"007", "08"});
}

TEST_CASE("source: byte order mark, tabs, CRLF, padding, quotes, no header") {
    const SourceTable tabs =
        csv("\xEF\xBB\xBF"
            "a\t\"b \"\"c\"\"\"\r\n1\t\"x\r\ny\"\r\n\r\n2\tz\r\n");
    CHECK(tabs.table.column<std::string>("b \"c\"") == Texts{"x\r\ny", "z"});
    CHECK(tabs.place(1) == "line 5");
    const SourceTable padded = csv("a, b\n1 ,  2.5\n , 3\n");
    CHECK(padded.table.column<double>("b") == Reals{2.5, 3.0});
    CHECK(padded.table.is_null("a", 1));
    const SourceTable bare = csv("1.5;2\n3;4\n");
    CHECK(bare.table.column<double>("column_0") == Reals{1.5, 3.0});
    CHECK(bare.description == "CSV, separated by semicolons, without a header");
    CsvOptions options;
    options.header = CsvOptions::Header::yes;
    CHECK(csv("2001;2002\n3;4\n", options).table.column<std::int64_t>("2002") == Wholes{4});
}

TEST_CASE("source: names that the file does not give") {
    const SourceTable source = csv(",a,,\"b\nc\"\n0,1,2,3\n");
    Texts names;
    for (const Column& column : source.table.columns()) names.push_back(column.name);
    CHECK(names == Texts{"index", "a", "column_2", "b c"});
}

TEST_CASE("source: a row longer than any block") {
    const std::string cell(3'000'000, 'x');
    CHECK(csv("a,b\n1,\"" + cell + "\"\n2,y\n").table.column<std::string>("b") == Texts{cell, "y"});
}

TEST_CASE("source: complaints about text") {
    using namespace std::string_literals;
    CHECK(complaint_about_source("") == "f.csv: the file is empty");
    CHECK(complaint_about_source("\xEF\xBB\xBF\r\n\n") == "f.csv: the file is empty");
    CHECK(complaint_about_source("\na,b\n") == "f.csv: line 2 is a header, and there is no row below it");
    CHECK(complaint_about_source("a,b\n1,2\n\n1,2,3\n") == "f.csv: line 4: expected 2 columns, as in line 1, found 3");
    CHECK(complaint_about_source("a\n1,2\n") == "f.csv: line 2: expected 1 column, as in line 1, found 2");
    CHECK(complaint_about_source("a,b, a\n1,2,3\n") ==
          "f.csv: line 1: two columns are called a (columns 0 and 2, counted from 0)");
    CHECK(complaint_about_source("a\n1\n\"2\n3\n") == "f.csv: line 3: a quote is opened and never closed");
    CHECK(complaint_about_source("a,b\n1,2\0\n"s) == "f.csv: line 2: expected text, found a NUL byte");
    CHECK(complaint_about_source("caf\xE9,b\n1,2\n") ==
          "f.csv: line 1: expected UTF-8 text, found other bytes (to convert Latin-1: iconv -f latin1 -t utf8)");
    CHECK(complaint_about_source("a,b\r1,\xFF\r") ==
          "f.csv: line 2: expected UTF-8 text, found other bytes (to convert Latin-1: iconv -f latin1 -t utf8)");
    CHECK(complaint_about_source("\xFF\xFE"
                                 "a\0"s) == "f.csv: expected CSV text, found UTF-16; save it as UTF-8");
    CHECK(complaint_about_source("PK\x03\x04") ==
          "f.csv: expected CSV text, found a spreadsheet or zip archive; save it as CSV");
    CHECK(complaint_about_source("\x1F\x8B") ==
          "f.csv: expected CSV text, found gzip-compressed data; unpack it first");
}

TEST_CASE("source: files, by their name or as the user says") {
    const ScratchDirectory scratch;
    write_bytes(scratch / "f.txt", "a,b\n1,2\n");
    const SourceTable text = read_source(scratch / "f.txt", SourceFormat::by_name, {});
    CHECK(text.sha256 == sha256_of_file(scratch / "f.txt"));
    CHECK(text.table.column<std::int64_t>("b") == Wholes{2});

    Table table("observations");
    table.add_column("sequence", Ints{0, 0}).add_column("t", Ints{0, 1}).add_column("y_0", Reals{NAN, 2.5});
    write_table(scratch / "o.parquet", observations_schema(), table, sample_provenance());
    for (const SourceFormat format : {SourceFormat::by_name, SourceFormat::parquet}) {
        const SourceTable parquet = read_source(scratch / "o.parquet", format, {});
        CHECK((parquet.description == "Parquet" && parquet.place(1) == "row 1"));
        CHECK(parquet.table.column<std::int64_t>("t") == Wholes{0, 1});
        CHECK(parquet.table.is_null("y_0", 0));
    }
    CHECK(failure<DataError>([&] { read_source(scratch / "o.parquet", SourceFormat::csv, {}); }) ==
          (scratch / "o.parquet").string() + ": expected CSV text, found a Parquet file; say --format parquet");
    CHECK(failure<DataError>([&] { read_source(scratch / "f.txt", SourceFormat::parquet, {}); }) ==
          (scratch / "f.txt").string() + ": not a Parquet file");
    CHECK(failure<IoError>([&] { read_source(scratch / "no.csv", SourceFormat::by_name, {}); }) ==
          "cannot read " + (scratch / "no.csv").string() + ": No such file or directory");
    CHECK(failure<IoError>([&] { read_source(scratch.path(), SourceFormat::by_name, {}); }) ==
          "cannot read " + scratch.path().string() + ": Is a directory");
}
