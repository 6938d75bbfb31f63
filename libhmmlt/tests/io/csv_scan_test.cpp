#include "hmmlt/io/csv_scan.hpp"

#include <doctest/doctest.h>

using namespace hmmlt;

namespace {

struct Shape {
    std::size_t line;
    std::size_t n_fields;
    bool operator==(const Shape&) const = default;
};

std::vector<Shape> shapes(std::string_view text, char delimiter = ',') {
    std::vector<Shape> out;
    CsvRows rows(text, delimiter);
    for (CsvRow row; rows.next(row);) out.push_back({row.line, row.n_fields});
    return out;
}

using Shapes = std::vector<Shape>;

}  // namespace

TEST_CASE("csv scan: rows, their lines and fields, whatever ends a line") {
    for (const char* text : {"a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2", "a,b\n1,2"})
        CHECK(shapes(text) == Shapes{{1, 2}, {2, 2}});
    CHECK(shapes("").empty());
    CHECK(shapes("\n\r\n\r").empty());
    CHECK(shapes("a\n\n\nb\n") == Shapes{{1, 1}, {4, 1}});
    CHECK(shapes("a,\n,\n") == Shapes{{1, 2}, {2, 2}});
}

TEST_CASE("csv scan: quotes hide delimiters and line breaks, but only where a field begins") {
    CHECK(shapes("\"a,b\",c\n") == Shapes{{1, 2}});
    CHECK(shapes("\"a\nb\r\nc\",d\ne,f") == Shapes{{1, 2}, {4, 2}});
    CHECK(shapes("\"a\"\"b,c\",d") == Shapes{{1, 2}});
    CHECK(shapes("a\"b,c\"d") == Shapes{{1, 2}});
    CHECK(shapes("\"a\"b,c") == Shapes{{1, 2}});
    CHECK(shapes("x,  \"a,b\"") == Shapes{{1, 2}});
}

TEST_CASE("csv scan: a quote that nothing closes") {
    CsvRows rows("a\n\"b\nc\n", ',');
    CsvRow row;
    CHECK((rows.next(row) && row.is_closed));
    CHECK((rows.next(row) && !row.is_closed && row.line == 2));
    CHECK_FALSE(rows.next(row));
}

TEST_CASE("csv scan: fields without quotes and padding") {
    CHECK(csv_fields("a, b ,\"c, \"\"d\"\"\",,", ',') == CsvFields{"a", "b", "c, \"d\"", "", ""});
    CHECK(csv_fields("", ',') == CsvFields{""});
    CHECK(csv_fields("1  2", ' ') == CsvFields{"1", "", "2"});
    CHECK(csv_fields("\"open", ',') == CsvFields{"open"});
}

TEST_CASE("csv scan: the delimiter is the one that makes even rows") {
    CHECK(detect_delimiter("a,b\n1,2\n") == ',');
    CHECK(detect_delimiter("a;b\n1,5;2\n") == ';');
    CHECK(detect_delimiter("1,5;2,5\n3,5;4,5\n") == ';');  // commas are even, too
    CHECK(detect_delimiter("a\tb\n1, 2\t3;4\n") == '\t');
    CHECK(detect_delimiter("\"a;b\",c\n\"d;e\",f\n") == ',');
    CHECK(detect_delimiter("a,b\n1,2,3\n") == ',');         // uneven: by the first row
    CHECK(detect_delimiter("word\nhere; there\n") == ',');  // one column
    CHECK(detect_delimiter("0.5 1.5\n2.5 3.5\n") == ' ');
    CHECK(detect_delimiter("two words\nand two\n") == ',');
}

TEST_CASE("csv scan: a header holds names") {
    CHECK(looks_like_header({{"t", "x"}, {"0", "1"}}));
    CHECK(looks_like_header({{"word"}, {"the"}, {"cat"}}));
    CHECK(looks_like_header({{"x"}, {"1"}, {"x"}, {"2"}}));  // two files put together
    CHECK(looks_like_header({{"", "0", "1"}, {"0", "1.5", "2"}}));
    CHECK(looks_like_header({{"id", "1", "2"}, {"a", "3", "4"}}));
    CHECK(looks_like_header({{"a", "b"}}));
    CHECK_FALSE(looks_like_header({{"1", "2"}, {"3", "4"}}));
    CHECK_FALSE(looks_like_header({{"0", "1", "2"}, {"3", "4", "5"}}));
    CHECK_FALSE(looks_like_header({{"s1", "1.5"}, {"s1", "2.5"}}));
    CHECK_FALSE(looks_like_header({{"the"}, {"cat"}, {"the"}}));
    CHECK_FALSE(looks_like_header({{"2024-01-01", "walk"}, {"2024-01-02", "run"}}));
    CHECK_FALSE(looks_like_header({{"", ""}, {"1", "2"}}));
}

TEST_CASE("csv scan: padding goes, inside quotes it stays") {
    CHECK(without_padding(" a , \" b \" ,c \n  1,2  ,\n", ',') == "a,\" b \",c\n1,2,\n");
    CHECK(without_padding("a b,c d", ',') == "a b,c d");
    CHECK(without_padding("   \n\"open  ", ',') == "\n\"open  ");
    CHECK(may_have_padding("a, b", ','));
    CHECK(may_have_padding("a \nb", ','));
    CHECK_FALSE(may_have_padding("a b,c", ','));
    CHECK_FALSE(may_have_padding("a b ", ' '));
}
