// What is a score for four voices, and what is said about everything else.
#include "pipelines/chorales/musicxml.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "little_score.hpp"

using namespace hmmlt;
using namespace hmmlt::chorales;
using namespace hmmlt::chorales::testing;
using hmmlt::testing::failure;

namespace {

std::vector<PartText> plain() {
    return four("C5:4", "G4:4", "E4:4", "C3:4");
}

std::string complaint(const std::string& xml) {
    return failure<DataError>([&] { parse_musicxml(xml); });
}

std::string complaint(const std::vector<PartText>& parts) {
    return complaint(score_xml(parts));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("musicxml: voices are found by name, whatever their order, other parts are left out") {
    const std::vector<PartText> parts{
        {"B.", "C3:4"}, {"Corno", "C6:4"}, {"T.", "E4:4"}, {" Soprano\n", "C5:4"}, {"A.", "G4:4"}};
    const Score score = parse_musicxml(score_xml(parts));
    CHECK(score.voices[0].at(0).midi == 72);
    CHECK(score.voices[1].at(0).midi == 67);
    CHECK(score.voices[2].at(0).midi == 64);
    CHECK(score.voices[3].at(0).midi == 48);
}

TEST_CASE("musicxml: key and mode give the tonic") {
    const int major[] = {11, 6, 1, 8, 3, 10, 5, 0, 7, 2, 9, 4, 11, 6, 1};  // C flat (7 flats) to C sharp
    for (int fifths = -7; fifths <= 7; ++fifths)
        for (const bool is_major : {true, false}) {
            auto parts = plain();
            for (PartText& part : parts)
                part.key =
                    fmt::format("<key><fifths>{}</fifths><mode>{}</mode></key>", fifths, is_major ? "major" : "minor");
            const Score score = parse_musicxml(score_xml(parts));
            CHECK(score.major == is_major);
            CHECK(score.tonic == (major[fifths + 7] + (is_major ? 0 : 9)) % 12);  // A minor goes with C major
        }
}

TEST_CASE("musicxml: pitches, alterations, transposing parts") {
    auto parts = plain();
    parts[0].music = "F#4:1 Bb3:1 B3:1 C4:1";
    parts[2].attributes += "<transpose><chromatic>-2</chromatic><octave-change>-1</octave-change></transpose>";
    const Score score = parse_musicxml(score_xml(parts));
    CHECK(score.voices[0] ==
          std::vector<Event>{{0, 1, 66, true}, {1, 2, 58, true}, {2, 3, 59, true}, {3, 4, 60, true}});
    CHECK(score.voices[2].at(0).midi == 64 - 14);
}

TEST_CASE("musicxml: which parts are there") {
    CHECK(complaint({{"Piano", "C5:4"}}) ==
          "expected one part each named Soprano (or S.), Alto (A.), Tenor (T.), Bass (B.), found \"Piano\"");
    auto parts = plain();
    parts[1].name = "Soprano";
    CHECK(complaint(parts).ends_with("found \"Soprano\", \"Soprano\", \"Tenor\", \"Bass\""));
    parts = plain();
    parts[0].name = "soprano";
    CHECK(complaint(parts).ends_with("found \"soprano\", \"Alto\", \"Tenor\", \"Bass\""));
    for (int i = 0; i < 6; ++i) parts.push_back({"Violino\n" + std::string(100, 'o'), ""});
    CHECK(complaint(parts).ends_with(" and 2 more"));
    CHECK(complaint(parts).find("\"Violino " + std::string(32, 'o') + "...\"") != std::string::npos);
    CHECK(complaint("<score-partwise/>").ends_with("found no part"));
    CHECK(complaint("<score-timewise/>") == "expected MusicXML with <score-partwise>, found \"score-timewise\"");
    CHECK(complaint("<html><score-partwise/></html>").ends_with("found \"html\""));
}

TEST_CASE("musicxml: keys") {
    auto parts = plain();
    parts[1].key = "";
    CHECK(complaint(parts) == "part \"Alto\": expected one key, found 0");
    parts[1].key = parts[0].key + parts[0].key;
    CHECK(complaint(parts) == "part \"Alto\": expected one key, found 2");
    parts[1].key = "<key><fifths>1</fifths><mode>major</mode></key>";
    CHECK(complaint(parts) == "expected the same key in all four voices, found different ones");
    parts[1].key = "<key><fifths>0</fifths><mode>minor</mode></key>";
    CHECK(complaint(parts) == "expected the same key in all four voices, found different ones");
    parts[1].key = "<key><fifths>0</fifths></key>";
    CHECK(complaint(parts) == "part \"Alto\": expected a key that says major or minor, found no mode");
    parts[1].key = "<key><fifths>0</fifths><mode>dorian</mode></key>";
    CHECK(complaint(parts) == "part \"Alto\": expected a key that says major or minor, found \"dorian\"");
    for (const char* fifths : {"8", "-8", "1e300", "", "99999999999999999999", "0.5"}) {
        parts[1].key = fmt::format("<key><fifths>{}</fifths><mode>major</mode></key>", fifths);
        CHECK(complaint(parts) == fmt::format("part \"Alto\": expected a key of at most 7 sharps (1 to 7) or flats "
                                              "(-1 to -7), found \"{}\"",
                                              fifths));
    }
}

TEST_CASE("musicxml: numbers that make no sense are named with part and measure") {
    const std::string xml = score_xml(four("C5:4 | D5:4", "G4:4 | G4:4", "E4:4 | F4:4", "C3:4 | B2:4"));
    const std::string second = "<octave>5</octave></pitch><duration>4</duration></note></measure></part>";
    for (const char* duration : {"1e300", "-1", "1000000001", "99999999999999999999", "4.5", "", "four", "0x4", "+4"})
        CHECK(
            complaint(replaced(xml, second, replaced(second, ">4<", fmt::format(">{}<", duration)))) ==
            fmt::format("part \"Soprano\", measure \"2\": expected a whole number from 0 to 1000000000 as <duration>, "
                        "found \"{}\"",
                        duration));
    CHECK(complaint(replaced(xml, second, replaced(second, "<duration>4</duration>", ""))) ==
          "part \"Soprano\", measure \"2\": expected a whole number from 0 to 1000000000 as <duration>, found none");
    CHECK_NOTHROW(parse_musicxml(replaced(xml, second, replaced(second, ">4<", "> 4.00 <"))));
    for (const char* divisions : {"0", "-1", "1e300", "1000000001", "0.5"})
        CHECK(
            complaint(replaced(xml, "<divisions>1</divisions>", fmt::format("<divisions>{}</divisions>", divisions))) ==
            fmt::format("part \"Soprano\", measure \"1\": expected a whole number from 1 to 1000000000 as "
                        "<divisions>, found \"{}\"",
                        divisions));
    CHECK(complaint(replaced(xml, "<divisions>1</divisions>", "")) ==
          "part \"Soprano\", measure \"1\": expected <divisions> before the first <duration>");
    CHECK(complaint(four("d999999999 C5:4", "d999999998 G4:4", "E4:4", "C3:4")) ==
          "its <divisions> have no common multiple below 1000000000");
    CHECK(complaint(replaced(xml, "<octave>5", "<octave>50")).ends_with("from 0 to 9 as <octave>, found \"50\""));
    CHECK(complaint(replaced(xml, "<octave>5", "<alter>0.5</alter><octave>5")).ends_with("as <alter>, found \"0.5\""));
    CHECK(complaint(replaced(xml, "<step>C", "<step>H"))
              .ends_with("expected a letter from A to G as <step>, found \"H\""));
    CHECK(complaint(replaced(xml, "<step>C</step>", "")).ends_with("as <step>, found \"\""));
    CHECK(complaint(replaced(xml, "<step>C</step><octave>5", "<step>G</step><alter>1</alter><octave>9"))
              .ends_with("a pitch lies outside the range of MIDI"));
    CHECK(complaint(replaced(xml, "<pitch><step>C</step><octave>5</octave></pitch>", "<unpitched/>"))
              .ends_with("expected a <pitch> or a <rest> in a note"));
}

TEST_CASE("musicxml: times that cannot be") {
    CHECK(complaint(four("C5:4 -5", "G4:4", "E4:4", "C3:4")) ==
          "part \"Soprano\", measure \"1\": <backup> goes back beyond the beginning of the measure");
    CHECK(complaint(four("C5:4c", "G4:4", "E4:4", "C3:4")) ==
          "part \"Soprano\", measure \"1\": <chord> without a note before it");
    // a chord does not reach back over a bar line
    CHECK(complaint(four("C5:4 | C5:4c", "G4:4", "E4:4", "C3:4")).find("measure \"2\"") != std::string::npos);
    // 10^9 quarters of 10^9 ticks each, again and again
    const std::string longest = "d1000000000 d1 +1000000000";
    CHECK(complaint(four(longest + " +1000000000", "G4:4", "E4:4", "C3:4")).ends_with("the measure is too long"));
    CHECK(complaint(four(longest + " | +1000000000", "G4:4", "E4:4", "C3:4")) == "the score is too long");
}

TEST_CASE("musicxml: what is not XML, and what XML could do to a careless reader") {
    CHECK(complaint("").starts_with("not well-formed XML: "));
    CHECK(complaint("<score-partwise><part>").starts_with("not well-formed XML: "));
    CHECK(complaint(std::string("\0\1\2\3", 4)).starts_with("not well-formed XML: "));
    const std::string whole = score_xml(plain());
    for (const std::size_t cut : {10U, 100U, 500U})
        CHECK(complaint(whole.substr(0, whole.size() - cut)).starts_with("not well-formed XML: "));
    // entities are not expanded: a name made of them stays what it is
    const std::string entities =
        "<!DOCTYPE score-partwise [<!ENTITY a \"Soprano\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n";
    std::string xml = replaced(whole, "<score-partwise>", entities + "<score-partwise>");
    CHECK(complaint(replaced(xml, ">Soprano<", ">&a;<")).find("found \"&a;\",") != std::string::npos);
    CHECK(complaint(replaced(xml, ">Soprano<", ">&b;<")).find("found \"&b;\",") != std::string::npos);
    // deep nesting needs no stack
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += "<a>";
    CHECK(complaint(deep).starts_with("not well-formed XML: "));
    for (int i = 0; i < 200000; ++i) deep += "</a>";
    CHECK(complaint(deep) == "expected MusicXML with <score-partwise>, found \"a\"");
    // another encoding
    std::string wide("\xff\xfe", 2);
    for (const char letter : replaced(whole, "UTF-8", "UTF-16")) wide += {letter, '\0'};
    CHECK(parse_musicxml(wide).voices[0].at(0).midi == 72);
}
