#include "hmmlt/io/config_section.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "hmmlt/io/config.hpp"
#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The section [s] of a file; its first line is line 2.
Section section(const std::string& lines) {
    return Config::parse("[s]\n" + lines, "m.toml").section("s");
}

template <typename Call>
std::string complaint_about_section(const std::string& lines, Call call) {
    return failure<DataError>([&] { call(section(lines)); });
}

}  // namespace

TEST_CASE("section: values") {
    const Section s = section("i = -3\nr = 0.25\nb = true\nt = \"x\"\nis = [1, 2]\nrs = [1, 2.5]\nts = [\"a\"]\n");
    CHECK(s.integer("i", {-3, -3}) == -3);
    CHECK(s.real("r", RealRange::open(0, 1)) == 0.25);
    CHECK(s.real("i", {}) == -3.0);
    CHECK(s.boolean("b"));
    CHECK(s.text("t", {"x", "y"}) == "x");
    CHECK(s.integers("is", {1, 2}) == std::vector<std::int64_t>{1, 2});
    CHECK(s.reals("rs", {}) == std::vector<double>{1.0, 2.5});
    CHECK(s.texts("ts", {}) == std::vector<std::string>{"a"});
}

TEST_CASE("section: fallbacks apply to what is not there, in sections that are not there too") {
    const Section s = section("");
    for (const Section& view : {s, s.section("no").section("where")}) {
        CHECK(view.integer("i", {1, 5}, 3) == 3);
        CHECK(view.real("r", {}, 0.5) == 0.5);
        CHECK(view.boolean("b", true));
        CHECK(view.text("t", {}, "x") == "x");
        CHECK(view.reals("rs", {}, std::vector<double>{}).empty());
        CHECK_FALSE(view.has("i"));
        CHECK_FALSE(view.is_table("i"));
    }
}

TEST_CASE("section: a number or a table") {
    const Section s = section("fixed = 0.0\ndrawn = { a = 1.0 }\n");
    CHECK(s.has("fixed"));
    CHECK_FALSE(s.is_table("fixed"));
    CHECK(s.is_table("drawn"));
    CHECK(s.section("drawn").real("a", RealRange::positive()) == 1.0);
}

TEST_CASE("section: looking for a key does not make it known") {
    const Config config = Config::parse("a = 1\n", "m.toml");
    CHECK(config.root().has("a"));
    CHECK(failure<DataError>([&] { config.reject_unknown(); }) == "m.toml:1: a: unknown key");
    config.root().integer("a", {});
    CHECK_NOTHROW(config.reject_unknown());
}

TEST_CASE("section: wrong types") {
    const auto integer = [](const Section& s) { s.integer("k", {1, 100000}); };
    CHECK(complaint_about_section("k = \"600\"", integer) ==
          "m.toml:2: s.k: expected an integer in [1, 100000], found the string \"600\"");
    CHECK(complaint_about_section("k = 600.0", integer) ==
          "m.toml:2: s.k: expected an integer in [1, 100000], found the number 600.0");
    CHECK(complaint_about_section("k = true", integer) ==
          "m.toml:2: s.k: expected an integer in [1, 100000], found the boolean true");
    CHECK(complaint_about_section("\nk = [1]", integer) ==
          "m.toml:3: s.k: expected an integer in [1, 100000], found an array");
    CHECK(complaint_about_section("k = {}", integer) ==
          "m.toml:2: s.k: expected an integer in [1, 100000], found a table");
    CHECK(complaint_about_section("k = 1979-05-27", integer) ==
          "m.toml:2: s.k: expected an integer in [1, 100000], found the time 1979-05-27");
    CHECK(complaint_about_section("k = 1", [](const Section& s) { s.boolean("k"); }) ==
          "m.toml:2: s.k: expected true or false, found the integer 1");
    CHECK(complaint_about_section("k = 1", [](const Section& s) { s.text("k", {}); }) ==
          "m.toml:2: s.k: expected a string, found the integer 1");
    CHECK(complaint_about_section("k = 1", [](const Section& s) { s.section("k"); }) ==
          "m.toml:2: s.k: expected a table, found the integer 1");
    CHECK(complaint_about_section("k = 1", [](const Section& s) { s.reals("k", {}); }) ==
          "m.toml:2: s.k: expected an array of numbers in (-inf, inf), found the integer 1");
}

TEST_CASE("section: out of range") {
    CHECK(complaint_about_section("k = 0", [](const Section& s) {
              s.integer("k", {1, 5});
          }) == "m.toml:2: s.k: expected an integer in [1, 5], found the integer 0");
    CHECK(complaint_about_section("k = 0", [](const Section& s) { s.integer("k", {.min = 1}); }) ==
          "m.toml:2: s.k: expected an integer of at least 1, found the integer 0");
    CHECK(complaint_about_section("k = 9", [](const Section& s) { s.integer("k", {.max = 8}); }) ==
          "m.toml:2: s.k: expected an integer of at most 8, found the integer 9");
    CHECK(complaint_about_section("k = 0", [](const Section& s) { s.real("k", RealRange::positive()); }) ==
          "m.toml:2: s.k: expected a number in (0, inf), found the integer 0");
    CHECK(complaint_about_section("k = -0.5", [](const Section& s) { s.real("k", RealRange::closed(0, 1)); }) ==
          "m.toml:2: s.k: expected a number in [0, 1], found the number -0.5");
    CHECK(complaint_about_section("k = [0.5, 2]", [](const Section& s) { s.reals("k", RealRange::closed(0, 1)); }) ==
          "m.toml:2: s.k: expected an array of numbers in [0, 1], found the integer 2 as element 1");
    CHECK(complaint_about_section("k = \"singel\"",
                                  [](const Section& s) {
                                      s.text("k", {"single", "blocked"});
                                  }) ==
          "m.toml:2: s.k: expected a string among \"single\", \"blocked\", found the string \"singel\"; "
          "did you mean single?");
    CHECK(complaint_about_section("k = 9007199254740993", [](const Section& s) { s.real("k", {}); }) ==
          "m.toml:2: s.k: expected a number in (-inf, inf), found the integer 9007199254740993");
}

TEST_CASE("section: infinity only where a range includes it, NaN nowhere") {
    CHECK(section("k = inf").real("k", RealRange::closed(0, infinity)) == infinity);
    CHECK(complaint_about_section("k = inf", [](const Section& s) { s.real("k", RealRange::non_negative()); }) ==
          "m.toml:2: s.k: expected a number in [0, inf), found the number inf");
    CHECK(complaint_about_section("k = nan", [](const Section& s) {
              s.real("k", RealRange::closed(-infinity, infinity));
          }) == "m.toml:2: s.k: expected a number in [-inf, inf], found the number nan");
}

TEST_CASE("section: a required key that is missing, and a rule between keys") {
    CHECK(complaint_about_section("", [](const Section& s) {
              s.integer("k", {1, 5});
          }) == "m.toml:1: s.k: expected an integer in [1, 5], found nothing");
    CHECK(complaint_about_section("", [](const Section& s) { s.section("no").boolean("k"); }) ==
          "m.toml:1: s.no.k: expected true or false, found nothing");
    CHECK(failure<DataError>([] { Config::parse("", "m.toml").root().boolean("k"); }) ==
          "m.toml: k: expected true or false, found nothing");
    CHECK(complaint_about_section("k = 1", [](const Section& s) { s.fail("k", "needs weights.parquet"); }) ==
          "m.toml:2: s.k: needs weights.parquet");
}
