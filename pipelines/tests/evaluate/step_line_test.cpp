#include "pipelines/evaluate/step_line.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/io/errors.hpp"

using namespace hmmlt;

namespace {

LineFormat channels(arma::uword n) {
    LineFormat format;
    format.shape.n_channels = n;
    return format;
}

LineFormat symbols(arma::uword n) {
    LineFormat format;
    format.shape.n_symbols = n;
    return format;
}

std::string complaint(std::string_view line, const LineFormat& format) {
    try {
        parse_step(line, format);
    } catch (const DataError& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("step line: values between commas, some of them missing") {
    const arma::mat y = parse_step(" 1.5 ,\t-2e3,, NA,+.25,0\r\n", channels(6)).y;
    CHECK(arma::size(y) == arma::SizeMat(6, 1));
    CHECK(y(0) == 1.5);
    CHECK(y(1) == -2000.0);
    CHECK(std::isnan(y(2)));
    CHECK(std::isnan(y(3)));
    CHECK(y(4) == 0.25);
    CHECK(y(5) == 0.0);
    CHECK(std::isnan(parse_step("NA", channels(1)).y(0)));
    CHECK(arma::find_nan(parse_step(",", channels(2)).y).eval().n_elem == 2);
}

TEST_CASE("step line: symbols by number or by label, labels first") {
    LineFormat format = symbols(12);
    CHECK(parse_step("7\n", format).symbol(0) == 7);
    CHECK(parse_step("NA", format).symbol(0) == no_symbol);
    format.labels = {{"60,55,52,48", 3}, {"7", 4}, {"NA", 5}};
    CHECK(parse_step("60,55,52,48", format).symbol(0) == 3);
    CHECK(parse_step("7", format).symbol(0) == 4);
    CHECK(parse_step("NA", format).symbol(0) == 5);
    CHECK(parse_step("8", format).symbol(0) == 8);
}

TEST_CASE("step line: what is blank") {
    for (const char* line : {"", "\n", "\r\n", " \t \n"}) CHECK(is_blank(line));
    for (const char* line : {",", "NA", "0"}) CHECK_FALSE(is_blank(line));
}

TEST_CASE("step line: complaints say what was expected and found, in printable text of bounded length") {
    CHECK(complaint("1,2", channels(3)) == "expected 3 values between commas, found 2");
    const std::string ends = "expected a finite number, or NA where it is missing, found ";
    for (const char* bad : {"x", "nan", "inf", "-inf", "1e999", "1 2", "+-1", "+", "0x10", "1e"})
        CHECK(complaint(std::string("0,") + bad, channels(2)) == "y_1: " + ends + '"' + bad + '"');
    CHECK(complaint(std::string(500, 'x'), channels(1)) == "y_0: " + ends + '"' + std::string(40, 'x') + "...\"");
    CHECK(complaint(std::string_view("a\0\x1b\xff", 4), channels(1)) == "y_0: " + ends + "\"a???\"");
    const std::string symbol = "expected a symbol from 0 to 11, or NA where it is missing, found ";
    for (const char* bad : {"12", "-1", "1.0", "x", "99999999999999999999"})
        CHECK(complaint(bad, symbols(12)) == symbol + '"' + bad + '"');
    LineFormat labelled = symbols(12);
    labelled.labels = {{"rest", 0}};
    CHECK(complaint("Rest", labelled) ==
          "expected a symbol from 0 to 11 or a label of the vocabulary, or NA where it is missing, found \"Rest\"");
}
