// Both recipes on scores small enough to be sliced by hand.
#include "pipelines/chorales/slices.hpp"

#include <doctest/doctest.h>

#include "hmmlt/io/errors.hpp"
#include "little_score.hpp"
#include "pipelines/chorales/musicxml.hpp"

using namespace hmmlt;
using namespace hmmlt::chorales;
using namespace hmmlt::chorales::testing;

namespace {

// The labels of all chords, separated by blanks: a line of the check text.
std::string sliced(const std::vector<PartText>& parts, Recipe recipe) {
    std::string line;
    for (const Chord& chord : slices(parse_musicxml(score_xml(parts)), recipe)) {
        if (!line.empty()) line += ' ';
        line += label(chord);
    }
    return line;
}

void check(const std::vector<PartText>& parts, const std::string& a, const std::string& b) {
    CHECK(sliced(parts, Recipe::a) == a);
    CHECK(sliced(parts, Recipe::b) == b);
}

}  // namespace

TEST_CASE("slices: a chord wherever any voice moves, held notes sustained") {
    check(four("C5:2 D5:2", "G4:4", "E4:1 F4:3", "C3:4"),  //
          "72,67,64,48 72,67,65,48 74,67,65,48", "72,67,64,48 72,67,65,48 74,67,65,48");
}

TEST_CASE("slices: equal neighbours stay two chords") {
    check(four("C5:1 C5:1", "G4:2", "E4:2", "C3:2"), "72,67,64,48 72,67,64,48", "72,67,64,48 72,67,64,48");
}

TEST_CASE("slices: a tied note cuts in recipe A and not in recipe B") {
    check(four("C5:4 | C5:4s", "G4:4 | G4:4s", "E4:4 | E4:4s", "C3:4 | C3:4s"), "72,67,64,48 72,67,64,48",
          "72,67,64,48");
    // another voice moves at the same time: no difference
    check(four("C5:4 | C5:4s", "G4:4 | G4:4s", "E4:4 | F4:4", "C3:4 | C3:4s"), "72,67,64,48 72,67,65,48",
          "72,67,64,48 72,67,65,48");
    // a tie over three note heads whose middle one nobody else marks
    check(four("C5:1 C5:1s C5:1s", "G4:3", "E4:3", "C3:3"), "72,67,64,48 72,67,64,48 72,67,64,48", "72,67,64,48");
}

TEST_CASE("slices: a resting voice is absent in recipe A and r in recipe B") {
    check(four("C5:2", "r:1 G4:1", "E4:2", "C3:1 r:1"), "72,64,48 72,67,64", "72,r,64,48 72,67,64,r");
    // a second rest after a rest is a cut too
    check(four("C5:2", "r:1 r:1", "E4:2", "C3:2"), "72,64,48 72,64,48", "72,r,64,48 72,r,64,48");
}

TEST_CASE("slices: where nothing sounds there is no chord") {
    check(four("C5:1 r:1 D5:1", "G4:1 r:1 G4:1", "E4:1 r:1 F4:1", "C3:1 r:1 B2:1"), "72,67,64,48 74,67,65,47",
          "72,67,64,48 74,67,65,47");
    CHECK(sliced(four("r:4", "r:4", "r:4", "r:4"), Recipe::a).empty());
    CHECK(sliced(four("r:4", "r:4", "r:4", "r:4"), Recipe::b).empty());
}

TEST_CASE("slices: a unison is one number in recipe A and two in recipe B") {
    check(four("C4:1 E4:1", "C4:2", "C4:1 G3:1", "C3:2"), "60,48 64,60,55,48", "60,60,60,48 64,60,55,48");
}

TEST_CASE("slices: voices that cross keep their places") {
    check(four("C4:1", "E4:1", "G3:1", "A3:1"), "60,64,55,57", "60,64,55,57");
}

TEST_CASE("slices: a chord within a part") {
    check(four("C5:2 E5:2c", "A4:2 F4:2c", "E4:2", "C3:2 C2:2c"),  //
          "72,76,69,65,64,48,36", "76,69,64,36");
    // the next note follows the chord, not its last note
    check(four("C5:1 E5:1c D5:1", "G4:2", "E4:2", "C3:2"), "72,76,67,64,48 74,67,64,48", "76,67,64,48 74,67,64,48");
    // two equal notes; and a chord note that is shorter than its main note
    check(four("C5:2 C5:2c", "G4:2 B4:1c", "E4:2", "C3:2"), "72,67,71,64,48 72,67,64,48", "72,71,64,48");
}

TEST_CASE("slices: grace and cue notes are left out, a cue note still takes its time") {
    check(four("B4:0g C5:2", "G4:2", "E4:1 F4:1q", "D5:0gc C3:2"), "72,67,64,48 72,67,48", "72,67,64,48 72,67,r,48");
}

TEST_CASE("slices: backup and forward") {
    // two voices within the alto: G4 above, E4 and F4 below; written order in recipe A, the top one in recipe B
    check(four("C5:4", "G4:4 -4 E4:2 F4:2", "C4:4", "C3:4"), "72,67,64,60,48 72,67,65,60,48",
          "72,67,60,48 72,67,60,48");
    // a gap in the tenor: recipe A sees it as its neighbours' ends, recipe B as an onset of silence
    check(four("C5:4", "G4:4", "E4:1 +2 F4:1", "C3:4"), "72,67,64,48 72,67,48 72,67,65,48",
          "72,67,64,48 72,67,r,48 72,67,65,48");
    // a gap at the very beginning
    check(four("C5:2", "G4:2", "+1 E4:1", "C3:2"), "72,67,48 72,67,64,48", "72,67,r,48 72,67,64,48");
}

TEST_CASE("slices: divisions differ between parts and change within one") {
    // two against three: quarter = 2 ticks in the soprano, 3 in the alto; cuts at 0, 1/3, 1/2, 2/3
    std::vector<PartText> parts = four("d2 C5:1 D5:1", "d3 G4:1 A4:1 B4:1", "E4:1", "C3:1");
    check(parts, "72,67,64,48 72,69,64,48 74,69,64,48 74,71,64,48", "72,67,64,48 72,69,64,48 74,69,64,48 74,71,64,48");
    parts = four("C5:1 d4 D5:4 | E5:4", "G4:2 | G4:1", "E4:2 | E4:1", "C3:2 | C3:1");
    check(parts, "72,67,64,48 74,67,64,48 76,67,64,48", "72,67,64,48 74,67,64,48 76,67,64,48");
}

TEST_CASE("slices: a measure begins where the longest part of the one before ends") {
    // the alto's first measure is a quarter shorter: silence in the alto, not a shift
    check(four("C5:2 | D5:2", "G4:1 | A4:2", "E4:2 | F4:2", "C3:2 | D3:2"), "72,67,64,48 72,64,48 74,69,65,50",
          "72,67,64,48 72,r,64,48 74,69,65,50");
    // a part that is not kept counts as well: all four voices are silent for a quarter
    std::vector<PartText> parts = four("C5:1 | D5:1", "G4:1 | G4:1", "E4:1 | F4:1", "C3:1 | B2:1");
    parts.push_back({"Violino", "C6:2 | D6:1"});
    check(parts, "72,67,64,48 74,67,65,47", "72,67,64,48 74,67,65,47");
    const Score score = parse_musicxml(score_xml(parts));
    CHECK(score.voices[0] == std::vector<Event>{{0, 1, 72, true}, {2, 3, 74, true}});
    CHECK(score.end == 3);
}

TEST_CASE("slices: a pickup measure, and a part that ends early") {
    check(four("G4:1 | C5:2", "E4:1 | G4:2", "C4:1 | E4:2", "C3:1"), "67,64,60,48 72,67,64", "67,64,60,48 72,67,64,r");
}

TEST_CASE("slices: the tonic is subtracted, never added") {
    std::vector<PartText> parts = four("Bb4:1", "F4:1", "D4:1", "Bb2:1");
    for (PartText& part : parts) part.key = "<key><fifths>-2</fifths><mode>major</mode></key>";  // B flat
    check(parts, "60,55,52,36", "60,55,52,36");
}

TEST_CASE("slices: more notes at once than any choir has") {
    std::string alto = "G4:4";
    for (int i = 0; i < 32; ++i) alto += " G4:4c";
    CHECK_THROWS_WITH_AS(sliced(four("C5:4", alto, "E4:4", "C3:4"), Recipe::a),
                         "expected at most 32 notes at once in a voice, found more", DataError);
}
