// Damage to a file of ours is found, or harmless: every truncation and every flipped bit gives an error or the very
// same table.
#include <doctest/doctest.h>

#include <optional>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

// What reading such a file gives; nothing if it is refused as it should be. Any other exception fails the test.
std::optional<Table> read_damaged(const std::filesystem::path& path, const std::string& bytes, const Schema& schema) {
    write_bytes(path, bytes);
    try {
        return read_table(path, schema).table;
    } catch (const DataError&) {
    } catch (const IoError&) {
    }
    return std::nullopt;
}

std::string bytes_of(const Sample& sample, const ScratchDirectory& scratch) {
    write_table(scratch / "whole", *sample.schema, sample.table, sample_provenance());
    return read_bytes(scratch / "whole");
}

std::size_t count_wrong(const Sample& sample, std::size_t bit_step) {
    const ScratchDirectory scratch;
    std::string bytes = bytes_of(sample, scratch);
    std::size_t n_wrong = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += bit_step) {
        const auto mask = static_cast<char>(1 << (bit % 8));
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
        const std::optional<Table> table = read_damaged(scratch / "f", bytes, *sample.schema);
        if (table && *table != sample.table) ++n_wrong;
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    }
    return n_wrong;
}

}  // namespace

TEST_CASE("damage: every truncation is refused") {
    const ScratchDirectory scratch;
    for (const Sample& sample : sample_tables()) {
        CAPTURE(sample.file);
        const std::string bytes = bytes_of(sample, scratch);
        std::size_t n_accepted = 0;
        for (std::size_t length = 0; length < bytes.size(); ++length)
            if (read_damaged(scratch / "f", bytes.substr(0, length), *sample.schema)) ++n_accepted;
        CHECK(n_accepted == 0);
    }
}

TEST_CASE("damage: no flipped bit changes what is read") {
    for (const Sample& sample : sample_tables()) {
        CAPTURE(sample.file);
        // All bits of the two smallest files with strings and with floats; about two per byte of the others.
        CHECK(count_wrong(sample, sample.file == "sequences" || sample.file == "weights" ? 1 : 5) == 0);
    }
}

TEST_CASE("damage: bytes replaced, moved or appended") {
    const ScratchDirectory scratch;
    const Sample sample = sample_tables().front();
    const std::string bytes = bytes_of(sample, scratch);
    std::size_t n_wrong = 0;
    const auto try_with = [&](const std::string& damaged) {
        const auto table = read_damaged(scratch / "f", damaged, *sample.schema);
        if (table && *table != sample.table) ++n_wrong;
    };
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] == '\xff' ? 0 : 0xff);
        try_with(damaged);
        try_with(bytes.substr(0, at) + bytes.substr(at + 1));
        try_with(bytes.substr(0, at) + "x" + bytes.substr(at));
    }
    try_with(bytes + bytes);
    CHECK(n_wrong == 0);
}
