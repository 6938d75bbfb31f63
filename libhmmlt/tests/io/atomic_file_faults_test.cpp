// An atomic file when the system does not play along: no locks, a disk that fails, others who come in between.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"
#include "io/system_calls.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;
using Names = std::vector<std::string>;

namespace {

bool is_directory(int fd) {
    struct stat found {};
    REQUIRE(::fstat(fd, &found) == 0);
    return S_ISDIR(found.st_mode);
}

}  // namespace

TEST_CASE("atomic file: a file system without locks is no reason to stop; other failures are") {
    const ScratchDirectory scratch;
    SystemCalls calls;
    for (const int error_number : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
        CAPTURE(error_number);
        calls.before_flock = [error_number](int) { return error_number; };
        write_bytes(scratch / ".x.partial", "stale");
        write_text_atomically(scratch / "x", "new");
        CHECK(read_bytes(scratch / "x") == "new");
        CHECK(scratch.names() == Names{"x"});
    }
    int n_calls = 0;
    calls.before_flock = [&n_calls](int) { return ++n_calls < 3 ? EINTR : 0; };
    write_text_atomically(scratch / "x", "newer");
    CHECK(n_calls == 3);
    calls.before_flock = [](int) { return EIO; };
    CHECK(failure<IoError>([&] { AtomicFile file(scratch / "y"); }) ==
          "cannot lock " + (scratch / ".y.partial").string() + ": Input/output error");
}

TEST_CASE("atomic file: without locks, of two writers the first one notices and harms nobody") {
    const ScratchDirectory scratch;
    SystemCalls calls;
    calls.before_flock = [](int) { return ENOLCK; };
    auto first = std::make_unique<AtomicFile>(scratch / "x");
    first->write("first");
    AtomicFile second(scratch / "x");
    second.write("second");
    CHECK(failure<IoError>([&] { first->commit(); }) == "cannot write " + (scratch / "x").string() +
                                                            ": somebody removed or replaced " +
                                                            (scratch / ".x.partial").string() + " meanwhile");
    CHECK_FALSE(std::filesystem::exists(scratch / "x"));
    first.reset();  // removes nothing that is not its own
    second.commit();
    CHECK(read_bytes(scratch / "x") == "second");
}

TEST_CASE("atomic file: a partial file that changes hands between open and lock") {
    const ScratchDirectory scratch;
    SystemCalls calls;
    const auto once = [&calls](auto action) {
        calls.before_flock = [&calls, action](int) {
            calls.before_flock = {};
            action();
            return 0;
        };
    };
    SUBCASE("its writer finishes: what was written stays whole") {
        write_bytes(scratch / ".x.partial", "theirs");
        once([&] { std::filesystem::rename(scratch / ".x.partial", scratch / "x"); });
        AtomicFile file(scratch / "x");
        CHECK(read_bytes(scratch / "x") == "theirs");
        file.write("ours");
        file.commit();
        CHECK(read_bytes(scratch / "x") == "ours");
    }
    SUBCASE("its writer finishes and a third one begins: the third one is left alone") {
        write_bytes(scratch / ".x.partial", "theirs");
        std::unique_ptr<AtomicFile> third;
        once([&] {
            std::filesystem::rename(scratch / ".x.partial", scratch / "x");
            third = std::make_unique<AtomicFile>(scratch / "x");
            third->write("third");
        });
        CHECK_THROWS_AS(AtomicFile{scratch / "x"}, IoError);
        third->commit();
        CHECK(read_bytes(scratch / "x") == "third");
    }
    SUBCASE("the one we have just made is taken for a stale one and removed: we make another") {
        once([&] { std::filesystem::remove(scratch / ".x.partial"); });
        write_text_atomically(scratch / "x", "ours");
        CHECK(read_bytes(scratch / "x") == "ours");
    }
}

TEST_CASE("atomic file: flushed to disk before the rename, the directory after it") {
    const ScratchDirectory scratch;
    Names events;
    SystemCalls calls;
    calls.before_fsync = [&events](int fd) {
        events.push_back(is_directory(fd) ? "flush directory" : "flush file");
        return 0;
    };
    calls.before_rename = [&events](const std::string&, const std::string&) {
        events.push_back("rename");
        return 0;
    };
    write_text_atomically(scratch / "x", "new");
    CHECK(events == Names{"flush file", "rename", "flush directory"});
}

TEST_CASE("atomic file: what cannot be flushed or renamed") {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "x").string();
    const auto fail_to_write = [&] { return failure<IoError>([&] { write_text_atomically(path, "new"); }); };
    write_text_atomically(path, "old");
    SystemCalls calls;
    calls.before_fsync = [](int) { return EIO; };
    CHECK(fail_to_write() == "cannot write " + path + ": Input/output error");
    CHECK(read_bytes(path) == "old");
    calls.before_fsync = {};
    calls.before_rename = [](const std::string&, const std::string&) { return EDQUOT; };
    CHECK(fail_to_write() == "cannot write " + path + ": Disk quota exceeded");
    CHECK(read_bytes(path) == "old");
    CHECK(scratch.names() == Names{"x"});
    calls.before_rename = {};
    calls.before_fsync = [](int fd) { return is_directory(fd) ? EIO : 0; };
    CHECK(fail_to_write() == path + " is written, but may not survive a power cut: cannot flush the directory " +
                                 scratch.path().string() + ": Input/output error");
    CHECK(read_bytes(path) == "new");
    calls.before_fsync = [](int fd) { return is_directory(fd) ? EINVAL : 0; };  // the file system cannot do it
    CHECK_NOTHROW(write_text_atomically(path, "newer"));
}
