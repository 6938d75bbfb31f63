#include "hmmlt/io/provenance.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

TEST_CASE("provenance: canonical JSON, sorted, with the seed as text") {
    CHECK(to_json(sample_provenance()) ==
          R"({"blas":{"core":"Haswell","library":"OpenBLAS 0.3.21","threads":1},)"
          R"("config":"model.n_states = 3\n","executable_sha256":"22bb",)"
          R"("inputs":{"observations":"00ff","weights":"11aa"},)"
          R"("instruction_set":"-march=x86-64-v3: avx2 fma","seed":"18446744073709551615"})");
    Provenance no_seed = sample_provenance();
    no_seed.seed.reset();
    CHECK(to_json(no_seed).ends_with(R"("seed":null})"));
}

TEST_CASE("provenance: JSON and back, or a complaint that names the file") {
    Provenance no_seed = sample_provenance();
    no_seed.seed.reset();
    for (const Provenance& provenance : {sample_provenance(), no_seed})
        CHECK(provenance_from_json(to_json(provenance), "f") == provenance);
    for (const char* damaged : {"", "{", "[]", "{}", R"({"config": 3})", R"({"config": "", "seed": "x"})"}) {
        CAPTURE(damaged);
        CHECK(failure<DataError>([&] { provenance_from_json(damaged, "f"); }).starts_with("f: damaged provenance: "));
    }
}

TEST_CASE("provenance: this process knows its executable, its instruction set and its BLAS") {
    const Provenance provenance = provenance_of_this_process("c", 7, {{"a", "b"}});
    CHECK(provenance.executable_sha256 == sha256_of_file("/proc/self/exe"));
    CHECK_FALSE(provenance.instruction_set.empty());
    CHECK(provenance.blas == blas_info());
    CHECK(provenance.seed == 7u);
    CHECK(provenance == provenance_of_this_process("c", 7, {{"a", "b"}}));
}

TEST_CASE("provenance: provenance.json beside a result") {
    const ScratchDirectory scratch;
    const auto time = [](int seconds) { return std::chrono::system_clock::time_point(std::chrono::seconds(seconds)); };
    const RunRecord run{"v1-3-gabc", {"hmmlt-train", "--model", "bad byte \xff"}, time(0), time(86399)};
    write_provenance_beside(scratch / "trace.parquet", sample_provenance(), run);
    const std::string text = read_bytes(scratch / "provenance.json");
    std::string host(256, '\0');
    REQUIRE(::gethostname(host.data(), host.size() - 1) == 0);
    host.resize(host.find('\0'));
    for (const std::string& part :
         {std::string(R"("revision": "v1-3-gabc")"), std::string(R"("started": "1970-01-01T00:00:00Z")"),
          std::string(R"("finished": "1970-01-01T23:59:59Z")"), std::string(R"("hmmlt-train")"),
          std::string(R"("seed": "18446744073709551615")"), R"("host": ")" + host + R"(")"}) {
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
    CHECK(scratch.names() == std::vector<std::string>{"provenance.json"});
}

TEST_CASE("provenance: a missing directory is an error") {
    CHECK_THROWS_AS(write_provenance_beside("/nowhere/trace.parquet", sample_provenance(), {}), IoError);
}
