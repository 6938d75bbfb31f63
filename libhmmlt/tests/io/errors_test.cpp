#include "hmmlt/io/errors.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>

using namespace hmmlt;

TEST_CASE("errors: every kind has its exit code") {
    CHECK(exit_code_for(UsageError("x")) == 64);
    CHECK(exit_code_for(DataError("x")) == 65);
    CHECK(exit_code_for(IoError("x")) == 74);
    CHECK(exit_code_for(Interrupted("x")) == 130);
}

TEST_CASE("errors: what the file system refuses is of its kind") {
    CHECK(exit_code_for(std::filesystem::filesystem_error("x", std::make_error_code(std::errc::io_error))) == 74);
}

TEST_CASE("errors: anything else is internal") {
    CHECK(exit_code_for(std::runtime_error("x")) == 70);
    CHECK(exit_code_for(std::bad_alloc()) == 70);
}

TEST_CASE("errors: a system error says what was tried, on what, and why it failed") {
    CHECK(std::string(system_error("write", "a/b", ENOSPC).what()) == "cannot write a/b: No space left on device");
}
