#include "hmmlt/io/config.hpp"

#include <doctest/doctest.h>

#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

constexpr const char* example = R"([model]
n_states = 600
similarity = { kind = "laplacian", lambda = { prior = "exponential", rate = 0.1 } }
[priors]
rho = 0.0
[run]
sampler = "single"
)";

// What a stage would ask of the example.
void read_everything(const Config& config) {
    config.section("model").integer("n_states", {1, 100000}, 100);
    const Section similarity = config.section("model").section("similarity");
    similarity.text("kind", {}, "constant");
    similarity.section("lambda").text("prior", {}, "exponential");
    similarity.section("lambda").real("rate", RealRange::positive(), 1.0);
    config.section("priors").real("rho", RealRange::closed(0, 1), 0.0);
    config.section("run").text("sampler", {"single", "blocked"}, "single");
    config.section("run").integer("burn_in", {0}, 0);
}

std::string set_failure(const char* assignment) {
    Config config = Config::parse(example, "m.toml");
    return failure<UsageError>([&] { config.set(assignment); });
}

std::string unknown(const std::string& text) {
    const Config config = Config::parse(text, "m.toml");
    read_everything(config);
    return failure<DataError>([&] { config.reject_unknown(); });
}

}  // namespace

TEST_CASE("config: loads a file") {
    const ScratchDirectory scratch;
    write_bytes(scratch / "m.toml", example);
    CHECK(Config::load(scratch / "m.toml").section("model").integer("n_states", {}) == 600);
}

TEST_CASE("config: a file that cannot be read") {
    CHECK(failure<IoError>([] { Config::load("/nowhere/m.toml"); }) ==
          "cannot read /nowhere/m.toml: No such file or directory");
    CHECK(failure<IoError>([] { Config::load("/"); }) == "cannot read /: Is a directory");
}

TEST_CASE("config: syntax errors say line and column") {
    const auto syntax = [](const char* text) { return failure<DataError>([&] { Config::parse(text, "m.toml"); }); };
    CHECK(syntax("a = 1\nb = = 2\n").starts_with("m.toml:2:5: not TOML: "));
    CHECK(syntax("a = 1\na = 2\n").starts_with("m.toml:2:"));  // a duplicate key
    CHECK(syntax("a = 1\n[b\n").starts_with("m.toml:2:"));
    CHECK(syntax("a = \"\xff\"\n").starts_with("m.toml:1:"));
    CHECK(syntax(std::string(100000, '[').insert(0, "a=").c_str()).starts_with("m.toml:1:"));
}

TEST_CASE("config: what everybody knows passes") {
    const Config config = Config::parse(example, "m.toml");
    read_everything(config);
    CHECK_NOTHROW(config.reject_unknown());
    CHECK_NOTHROW(Config::parse("", "m.toml").reject_unknown());
}

TEST_CASE("config: unknown keys are named, with place and suggestion") {
    CHECK(unknown("[model]\nn_state = 5\n") == "m.toml:2: model.n_state: unknown key; did you mean n_states?");
    CHECK(unknown("[modle]\nn_states = 5\n") == "m.toml:1: modle: unknown key; did you mean model?");
    CHECK(unknown("[run]\ncolour = 1\n") == "m.toml:2: run.colour: unknown key; known here: burn_in, sampler");
    CHECK(unknown("[model]\nsimilarity.lambda.raet = 1\n") ==
          "m.toml:2: model.similarity.lambda.raet: unknown key; did you mean rate?");
    CHECK(unknown("[run]\nzzz = 1\n[model]\naaa = 1\n") ==
          "m.toml:2: run.zzz: unknown key; known here: burn_in, sampler");  // the first in the file
}

TEST_CASE("config: keys that are in no list are named before anything is read") {
    constexpr std::string_view paths[]{"model.emission.kind", "model.n_states", "run.precision", "run.precision.low"};
    const auto reject = [&](const std::string& text, const std::string& assignment) {
        Config config = Config::parse(text, "m.toml");
        if (!assignment.empty()) config.set(assignment);
        config.reject_all_but(paths);
    };
    const auto unlisted = [&](const std::string& text) { return failure<DataError>([&] { reject(text, ""); }); };
    CHECK_NOTHROW(reject("[model]\nn_states = \"many\"\nemission = { kind = 5 }\n", ""));  // values are not looked at
    CHECK_NOTHROW(reject("model = 5\nrun.precision = 1\n", "run.precision={ low = 1 }"));
    CHECK_NOTHROW(reject("model.n_states = { any = 1 }\n", ""));  // the table is wrong, whatever is in it
    CHECK(unlisted("modle.n_states = 5\n") == "m.toml:1: modle: unknown key; did you mean model?");
    CHECK(unlisted("[model]\nemmission = { kind = 5 }\n") ==
          "m.toml:2: model.emmission: unknown key; did you mean emission?");
    CHECK(unlisted("[model]\nemission = { knid = 5 }\n") ==
          "m.toml:2: model.emission.knid: unknown key; did you mean kind?");
    CHECK(unlisted("run.precision.colour = 5\n") == "m.toml:1: run.precision.colour: unknown key; known here: low");
    CHECK(unlisted("[run]\nzzz = 1\n[model]\naaa = 1\n") ==
          "m.toml:2: run.zzz: unknown key; known here: precision");  // the first in the file
    CHECK(failure<UsageError>([&] { reject("", "model.n_sates=5"); }) ==
          "--set model.n_sates=5: model.n_sates: unknown key; did you mean n_states?");
    CHECK(failure<DataError>([&] {
              reject("run.precison = 1\n", "model.n_sates=5");
          }).starts_with("m.toml:1: run.precison"));
}

TEST_CASE("config: --set replaces, adds and nests") {
    Config config = Config::parse(example, "m.toml");
    for (const char* assignment :
         {"model.n_states=200", "run.sampler=blocked", "run.burn_in = 10", "priors.rho={a=1.0, b=2.0}",
          "model.similarity={kind=\"constant\"}", "new.table.key=[1, 2]", "new.table.path=data/x-1.parquet"})
        config.set(assignment);
    CHECK(config.canonical_text() ==
          "model.n_states = 200\n"
          "model.similarity.kind = \"constant\"\n"
          "new.table.key = [1, 2]\n"
          "new.table.path = \"data/x-1.parquet\"\n"
          "priors.rho.a = 1.0\n"
          "priors.rho.b = 2.0\n"
          "run.burn_in = 10\n"
          "run.sampler = \"blocked\"\n");
    config.set("model.similarity.kind=laplacian");
    CHECK(config.section("model").section("similarity").text("kind", {}) == "laplacian");
}

TEST_CASE("config: a bare word that is TOML keeps its TOML type") {
    Config config = Config::parse("", "m.toml");
    config.set("a=true");
    config.set("b=1e3");
    config.set("c=2k");
    CHECK(config.canonical_text() == "a = true\nb = 1000.0\nc = \"2k\"\n");
}

TEST_CASE("config: errors of --set say so") {
    const std::string rule = ": expected key=value, where the value is TOML or a bare word; ";
    CHECK(set_failure("n_states") == "--set n_states" + rule + "there is no =");
    CHECK(set_failure("a=1\nb=2") == "--set a=1\nb=2" + rule + "there is a line break");
    CHECK(set_failure("#a=1") == "--set #a=1" + rule + "there is no key");
    for (const char* assignment : {"=5", "a..b=1", "a=", "a=two words", "a=[1,", "a=\"open"}) {
        CAPTURE(assignment);
        CHECK(set_failure(assignment).starts_with("--set " + std::string(assignment) + rule));
    }
    CHECK(set_failure("priors.rho.a=1") == "--set priors.rho.a=1: priors.rho is the number 0.0, not a table");
}

TEST_CASE("config: a wrong or unknown value from --set is a usage error that quotes it") {
    Config config = Config::parse(example, "m.toml");
    config.set("model.n_states=many");
    CHECK(failure<UsageError>([&] {
              config.section("model").integer("n_states", {1, 100000});
          }) ==
          "--set model.n_states=many: model.n_states: expected an integer in [1, 100000], found the string \"many\"");
    config.set("model.n_states=5");
    config.set("model.n_sates=5");
    read_everything(config);
    CHECK(failure<UsageError>([&] { config.reject_unknown(); }) ==
          "--set model.n_sates=5: model.n_sates: unknown key; did you mean n_states?");
}

TEST_CASE("config: the canonical text does not depend on layout, and reads back as itself") {
    const std::string text = Config::parse(
                                 "z = 1\n[b]\ny = [1.0, 2.5e-300, inf]\nx = { q = \"tab\\t \\\"é\\\" \\\\\", p = {} }\n"
                                 "[a.\"odd key\"]\nd = 1979-05-27\nt = true\nn = [{ k = 1 }]\n",
                                 "m.toml")
                                 .canonical_text();
    CHECK(text ==
          "a.\"odd key\".d = 1979-05-27\n"
          "a.\"odd key\".n = [{k = 1}]\n"
          "a.\"odd key\".t = true\n"
          "b.x.p = {}\n"
          "b.x.q = \"tab\\u0009 \\\"é\\\" \\\\\"\n"
          "b.y = [1.0, 2.5e-300, inf]\n"
          "z = 1\n");
    CHECK(Config::parse(text, "m.toml").canonical_text() == text);
    CHECK(Config::parse("b.x=1\na=2", "m.toml").canonical_text() ==
          Config::parse("a = 2\n\n[b] # comment\nx = 0x1\n", "other").canonical_text());
}

TEST_CASE("config: in the canonical text each table is sorted, and stays together") {
    CHECK(Config::parse("a-b = 1\na_b = 2\nB = 3\n[a]\nc = 4\n", "m.toml").canonical_text() ==
          "B = 3\na.c = 4\na-b = 1\na_b = 2\n");
}
