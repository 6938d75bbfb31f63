// Numbers, names and chords as text.
#include "pipelines/chorales/text.hpp"

#include <doctest/doctest.h>

#include "pipelines/chorales/chord.hpp"
#include "pipelines/chorales/score_file.hpp"

using namespace hmmlt::chorales;

TEST_CASE("text: whole numbers") {
    CHECK(whole_number("12") == 12);
    CHECK(whole_number(" -3\n") == -3);
    CHECK(whole_number("4.000") == 4);
    CHECK(whole_number("4.") == 4);
    CHECK(whole_number("9223372036854775807") == INT64_MAX);
    for (const char* none :
         {"", " ", ".", ".0", "-", "1.5", "1e3", "0x10", "1 2", "9223372036854775808", "--1", "1.0.0"})
        CHECK_MESSAGE(!whole_number(none).has_value(), none);
}

TEST_CASE("text: what is UTF-8") {
    for (const char* good :
         {"", "a", "\xc3\xa9", "\xe2\x99\xad", "\xf0\x9d\x84\x9e", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        CHECK(is_utf8(good));
    for (const char* bad : {"\xff", "\xc3", "a\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xf0\x9d\x84", "\xf5\x80\x80\x80"})
        CHECK(!is_utf8(bad));
}

TEST_CASE("text: quoted for a message") {
    CHECK(in_quotes("Soprano") == "\"Soprano\"");
    CHECK(in_quotes("a\r\nb\tc") == "\"a  b c\"");
    CHECK(in_quotes("\x1b[31m\xff\x7f") == "\"\\x1b[31m\\xff\\x7f\"");
    CHECK(in_quotes("\xc2\x9b") == "\"\\xc2\\x9b\"");  // a control character of two bytes
    CHECK(in_quotes("Ten\xc3\xb3r") == "\"Ten\xc3\xb3r\"");
    CHECK(in_quotes(std::string(41, 'x')) == "\"" + std::string(40, 'x') + "...\"");
    CHECK(in_quotes(std::string(39, 'x') + "\xc3\xb3") ==
          "\"" + std::string(39, 'x') + "\xc3\xb3\"");  // not cut in two
}

TEST_CASE("chord: labels and names") {
    CHECK(label({60, 55, 52, 48}) == "60,55,52,48");
    CHECK(name({60, 55, 52, 48}) == "C4 G3 E3 C3");
    CHECK(label({rest, 62}) == "r,62");
    CHECK(name({rest, 61, 63, 66, 68, 70, 59}) == "r C#4 E-4 F#4 G#4 B-4 B3");
    CHECK(name({0, -1, -12, -13}) == "C-1 B-2 C-2 B-3");  // B of octave -2, not B flat of octave 2
}

TEST_CASE("score_file: names") {
    for (const char* score : {"a.mxl", "a.xml", "a.musicxml", "A.XML", "b.c.MXL"}) CHECK(has_score_name(score));
    for (const char* other : {"a.mid", "a", "xml", "a.xml.bak", "a.krn"}) CHECK(!has_score_name(other));
}
