// Records come back in order; what was not marked is cut off; any damage before the mark is noticed.
#include "hmmlt/io/journal.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <vector>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

std::vector<std::string> records(const std::filesystem::path& path, const JournalMark& mark) {
    std::vector<std::string> found;
    read_journal(path, mark, [&](std::string_view record) { found.emplace_back(record); });
    return found;
}

}  // namespace

TEST_CASE("journal: records of any length, appended in several runs") {
    const ScratchDirectory scratch;
    const std::string large(3 << 20, 'x');
    JournalMark first;
    {
        Journal journal(scratch / "j", {});
        journal.append("one");
        journal.append("");
        first = journal.sync();
        journal.append("lost in a crash");
        journal.sync();
    }
    JournalMark second;
    {
        Journal journal(scratch / "j", first);
        journal.append(large);
        second = journal.sync();
    }
    CHECK(std::filesystem::file_size(scratch / "j") == second.n_bytes);
    CHECK(records(scratch / "j", second) == std::vector<std::string>{"one", "", large});
    CHECK(records(scratch / "j", first) == std::vector<std::string>{"one", ""});
    CHECK(records(scratch / "j", {}).empty());
}

TEST_CASE("journal: the same records give the same bytes, interrupted or not") {
    const ScratchDirectory scratch;
    JournalMark whole;
    {
        Journal journal(scratch / "whole", {});
        for (const char* record : {"a", "b", "c"}) journal.append(record);
        whole = journal.sync();
    }
    JournalMark mark;
    for (const char* record : {"a", "b", "c"}) {
        Journal journal(scratch / "parts", mark);
        journal.append(record);
        mark = journal.sync();
    }
    CHECK(mark == whole);
    CHECK(records(scratch / "parts", mark) == records(scratch / "whole", whole));
}

TEST_CASE("journal: any damage before the mark is noticed") {
    const ScratchDirectory scratch;
    JournalMark mark;
    {
        Journal journal(scratch / "j", {});
        journal.append("some record");
        journal.append("another");
        mark = journal.sync();
    }
    std::ifstream file(scratch / "j", std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t byte = 0; byte < good.size(); ++byte) {
        std::string bad = good;
        bad[byte] = static_cast<char>(bad[byte] ^ 1);
        std::ofstream(scratch / "bad", std::ios::binary) << bad;
        CHECK_THROWS_AS(records(scratch / "bad", mark), DataError);
        std::ofstream(scratch / "bad", std::ios::binary) << good.substr(0, byte);
        CHECK_THROWS_AS(records(scratch / "bad", mark), DataError);
        CHECK_THROWS_AS(Journal(scratch / "bad", mark), DataError);
    }
    JournalMark other = mark;
    other.hash[0] = other.hash[0] == 'a' ? 'b' : 'a';
    CHECK_THROWS_AS(records(scratch / "j", other), DataError);
    CHECK_THROWS_AS(records(scratch / "none", mark), IoError);
    CHECK_THROWS_AS(Journal(scratch / "none/j", mark), IoError);
}
