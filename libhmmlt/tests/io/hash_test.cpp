#include "hmmlt/io/hash.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"
#include "io/system_calls.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

// FIPS 180-2, appendix B.1, and the digest of nothing.
constexpr const char* hash_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* hash_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST_CASE("hash: published digests") {
    CHECK(sha256_of_text("abc") == hash_of_abc);
    CHECK(sha256_of_text("") == hash_of_nothing);
}

TEST_CASE("hash: in pieces as in one") {
    Sha256 hash;
    hash.update("a");
    hash.update("");
    hash.update("bc");
    CHECK(hash.hex() == hash_of_abc);
}

TEST_CASE("hash: a file longer than the buffer") {
    const ScratchDirectory scratch;
    const std::string bytes((std::size_t{1} << 20) + 12345, 'x');
    write_bytes(scratch / "long", bytes);
    CHECK(sha256_of_file(scratch / "long") == sha256_of_text(bytes));
}

TEST_CASE("hash: errors") {
    CHECK(failure<IoError>([] { sha256_of_file("/nowhere/x"); }) ==
          "cannot read /nowhere/x: No such file or directory");
    CHECK(failure<IoError>([] { sha256_of_file("/"); }) == "cannot read /: Is a directory");
    Sha256 hash;
    hash.hex();
    CHECK_THROWS_AS(hash.update("x"), std::logic_error);
    CHECK_THROWS_AS(hash.hex(), std::logic_error);
}

TEST_CASE("hash: an exception on the way leaves no file open") {
    const ScratchDirectory scratch;
    write_bytes(scratch / "x", "x");
    const auto n_open = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto n_before = n_open();
    {
        SystemCalls calls;
        calls.before_read = [](int) -> int { throw std::runtime_error("on the way"); };
        CHECK(failure<std::runtime_error>([&] { sha256_of_file(scratch / "x"); }) == "on the way");
        calls.before_read = [](int) { return EIO; };
        CHECK(failure<IoError>([&] { sha256_of_file(scratch / "x"); }) ==
              "cannot read " + (scratch / "x").string() + ": Input/output error");
    }
    CHECK(n_open() == n_before);
}
