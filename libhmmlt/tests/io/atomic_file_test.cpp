#include "hmmlt/io/atomic_file.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;
using Names = std::vector<std::string>;

namespace {

::mode_t mode_of(const std::filesystem::path& path) {
    struct stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    return found.st_mode & 07777;
}

// The umask of this process while one is alive.
class Umask {
  public:
    explicit Umask(::mode_t mask) : old_(::umask(mask)) {}
    ~Umask() { ::umask(old_); }
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;

  private:
    ::mode_t old_;
};

}  // namespace

TEST_CASE("atomic file: the target appears with commit, complete, and nothing else stays") {
    const ScratchDirectory scratch;
    AtomicFile file(scratch / "x");
    file.write("one ");
    file.write("two");
    CHECK_FALSE(std::filesystem::exists(scratch / "x"));
    CHECK(scratch.names() == Names{".x.partial"});
    file.commit();
    CHECK(read_bytes(scratch / "x") == "one two");
    CHECK(scratch.names() == Names{"x"});
    CHECK_THROWS_AS(file.write("more"), std::logic_error);
    CHECK_THROWS_AS(file.commit(), std::logic_error);
}

TEST_CASE("atomic file: an exception leaves the old target and no litter") {
    const ScratchDirectory scratch;
    write_text_atomically(scratch / "x", "old");
    try {
        AtomicFile file(scratch / "x");
        file.write("new");
        throw std::runtime_error("on the way");
    } catch (const std::runtime_error&) {
    }
    CHECK(read_bytes(scratch / "x") == "old");
    CHECK(scratch.names() == Names{"x"});
}

TEST_CASE("atomic file: a second writer of the same target is refused, the first is not disturbed") {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "x").string();
    AtomicFile first(path);
    first.write("first");
    CHECK(failure<IoError>([&] { AtomicFile second(path); }) ==
          "cannot write " + path + ": another process is writing it");
    first.commit();
    CHECK(read_bytes(path) == "first");
    write_text_atomically(path, "third");
    CHECK(read_bytes(path) == "third");
}

TEST_CASE("atomic file: a killed writer leaves one partial file, which the next writer takes over") {
    const ScratchDirectory scratch;
    write_text_atomically(scratch / "x", "old");
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile file(scratch / "x");
        file.write("a long text that was never finished");
        [[maybe_unused]] const auto n_written = ::write(ready[1], "!", 1);
        while (true) ::pause();
    }
    REQUIRE(child > 0);
    char signal = 0;
    REQUIRE(::read(ready[0], &signal, 1) == 1);
    CHECK_THROWS_AS(AtomicFile{scratch / "x"}, IoError);  // alive, it holds the lock
    REQUIRE(::kill(child, SIGKILL) == 0);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    ::close(ready[0]);
    ::close(ready[1]);
    CHECK(read_bytes(scratch / "x") == "old");
    CHECK(scratch.names() == Names{".x.partial", "x"});
    write_text_atomically(scratch / "x", "new");
    CHECK(read_bytes(scratch / "x") == "new");
    CHECK(scratch.names() == Names{"x"});
}

TEST_CASE("atomic file: two processes that write the same target never mix") {
    const ScratchDirectory scratch;
    constexpr std::size_t size = 20000;
    constexpr int n_rounds = 100;
    const auto is_whole = [](const std::string& text) {
        return text == std::string(size, text.empty() ? '?' : text[0]);
    };
    write_text_atomically(scratch / "x", std::string(size, 'a'));
    std::vector<pid_t> children;
    for (const char letter : {'b', 'c'}) {
        const pid_t child = ::fork();
        if (child == 0) {
            int n_written = 0;
            while (n_written < n_rounds) try {
                    AtomicFile file(scratch / "x");
                    for (std::size_t i = 0; i < size; i += 1000) file.write(std::string(1000, letter));
                    file.commit();
                    ++n_written;
                } catch (const IoError&) {
                }
            ::_exit(0);
        }
        REQUIRE(child > 0);
        children.push_back(child);
    }
    bool always_whole = true;
    for (int i = 0; i < 500; ++i) always_whole = always_whole && is_whole(read_bytes(scratch / "x"));
    for (const pid_t child : children) {
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    CHECK(always_whole);
    CHECK(is_whole(read_bytes(scratch / "x")));
    CHECK(scratch.names() == Names{"x"});
}

TEST_CASE("atomic file: a file that cannot grow leaves the old target and no litter") {
    const ScratchDirectory scratch;
    write_text_atomically(scratch / "x", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string message =
            failure<IoError>([&] { write_text_atomically(scratch / "x", std::string(5000, 'x')); });
        ::_exit(message == "cannot write " + (scratch / "x").string() + ": File too large" ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(read_bytes(scratch / "x") == "old");
    CHECK(scratch.names() == Names{"x"});
}

TEST_CASE("atomic file: a new file has the permissions of the umask, whatever a stale partial file had") {
    const ScratchDirectory scratch;
    const Umask umask(027);
    write_text_atomically(scratch / "x", "new");
    CHECK(mode_of(scratch / "x") == 0640);
    write_bytes(scratch / ".y.partial", "stale, and longer than the new one");
    REQUIRE(::chmod((scratch / ".y.partial").c_str(), 0777) == 0);
    write_text_atomically(scratch / "y", "new");
    CHECK(mode_of(scratch / "y") == 0640);
    CHECK(read_bytes(scratch / "y") == "new");
}

TEST_CASE("atomic file: a file that is replaced keeps its permissions, from the first byte") {
    const ScratchDirectory scratch;
    const Umask umask(022);
    for (const ::mode_t mode : {0600u, 0666u, 0750u}) {
        CAPTURE(mode);
        write_bytes(scratch / "x", "old");
        REQUIRE(::chmod((scratch / "x").c_str(), mode) == 0);
        AtomicFile file(scratch / "x");
        CHECK(mode_of(scratch / ".x.partial") == mode);
        file.write("new");
        file.commit();
        CHECK(read_bytes(scratch / "x") == "new");
        CHECK(mode_of(scratch / "x") == mode);
    }
}

TEST_CASE("atomic file: a write-protected target is refused, by root too") {
    const ScratchDirectory scratch;
    write_bytes(scratch / "x", "old");
    REQUIRE(::chmod((scratch / "x").c_str(), 0464) == 0);
    CHECK(failure<IoError>([&] { write_text_atomically(scratch / "x", "new"); }) ==
          "cannot write " + (scratch / "x").string() + ": the file is write-protected (mode 0464)");
    CHECK(read_bytes(scratch / "x") == "old");
    CHECK(scratch.names() == Names{"x"});
}

TEST_CASE("atomic file: somebody else's target that we may not write is refused") {
    if (::geteuid() != 0) return;  // only root can make such a file
    constexpr ::uid_t nobody = 65534;
    const ScratchDirectory scratch;
    write_bytes(scratch / "x", "root's");
    REQUIRE(::chmod((scratch / "x").c_str(), 0644) == 0);
    REQUIRE(::chown(scratch.path().c_str(), nobody, nobody) == 0);  // nobody could rename over it
    const pid_t child = ::fork();
    if (child == 0) {
        if (::setuid(nobody) != 0) ::_exit(2);
        const std::string message = failure<IoError>([&] { write_text_atomically(scratch / "x", "nobody's"); });
        ::_exit(message == "cannot write " + (scratch / "x").string() + ": Permission denied" ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(read_bytes(scratch / "x") == "root's");
}

TEST_CASE("atomic file: a link stays, the file it leads to is replaced") {
    const ScratchDirectory scratch;
    std::filesystem::create_directory(scratch / "real");
    write_bytes(scratch / "real/file", "old");
    std::filesystem::create_symlink("real/file", scratch / "relative");
    std::filesystem::create_symlink(scratch / "relative", scratch / "absolute");
    std::filesystem::create_symlink("real/new", scratch / "dangling");
    const Names links = scratch.names();
    {
        AtomicFile file(scratch / "absolute");
        CHECK(std::filesystem::exists(scratch / "real/.file.partial"));
        file.write("new");
        file.commit();
    }
    CHECK(std::filesystem::read_symlink(scratch / "absolute") == scratch / "relative");
    CHECK(std::filesystem::read_symlink(scratch / "relative") == "real/file");
    CHECK(read_bytes(scratch / "real/file") == "new");
    write_text_atomically(scratch / "dangling", "made");
    CHECK(std::filesystem::is_symlink(scratch / "dangling"));
    CHECK(read_bytes(scratch / "real/new") == "made");
    CHECK(scratch.names() == links);
    std::filesystem::create_symlink("loop", scratch / "loop");
    CHECK(failure<IoError>([&] { AtomicFile file(scratch / "loop"); }) ==
          "cannot write " + (scratch / "loop").string() + ": Too many levels of symbolic links");
}

TEST_CASE("atomic file: names as long as the file system allows, and longer") {
    const ScratchDirectory scratch;
    for (const std::size_t length : {246u, 247u, 254u, 255u}) {
        CAPTURE(length);
        const std::string name(length, 'n');
        const std::string other = std::string(length - 1, 'n') + 'm';
        AtomicFile file(scratch / name);
        AtomicFile neighbour(scratch / other);  // has a partial file of its own
        CHECK_THROWS_AS(AtomicFile{scratch / name}, IoError);
        file.write("long");
        file.commit();
        CHECK(read_bytes(scratch / name) == "long");
    }
    const std::string too_long = (scratch / std::string(256, 'n')).string();
    CHECK(failure<IoError>([&] { AtomicFile file(too_long); }) == "cannot write " + too_long + ": File name too long");
}

TEST_CASE("atomic file: errors") {
    const ScratchDirectory scratch;
    const std::string root = scratch.path().string();
    CHECK(failure<IoError>([&] { AtomicFile file(root + "/no/x"); }) ==
          "cannot write " + root + "/no/x: the directory " + root + "/no does not exist");
    CHECK(failure<IoError>([&] { AtomicFile file(root); }) == "cannot write " + root + ": Is a directory");
    write_bytes(scratch / "file", "");
    CHECK(failure<IoError>([&] { AtomicFile file(root + "/file/x"); }) ==
          "cannot write " + root + "/file/x: Not a directory");
    CHECK(failure<IoError>([&] { make_directories(root + "/file/x"); }) ==
          "cannot create the directory " + root + "/file/x: Not a directory");
    CHECK(failure<IoError>([&] { AtomicFile file("/dev/null"); }) ==
          "cannot write /dev/null: it is not a regular file");
    std::filesystem::create_symlink(scratch / "file", scratch / ".y.partial");
    CHECK_THROWS_AS(AtomicFile{scratch / "y"}, IoError);  // never follows a link somebody planted
    REQUIRE(::mkfifo((scratch / ".z.partial").c_str(), 0600) == 0);
    CHECK_THROWS_AS(AtomicFile{scratch / "z"}, IoError);  // nor waits for a reader
}

TEST_CASE("make_directories: makes parents, and is content with what is there") {
    const ScratchDirectory scratch;
    make_directories(scratch / "a/b/c");
    make_directories(scratch / "a/b/c");
    CHECK(std::filesystem::is_directory(scratch / "a/b/c"));
}
