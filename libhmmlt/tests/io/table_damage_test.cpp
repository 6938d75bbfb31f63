// Damage to a file of ours is found, or harmless: every truncation and every flipped bit gives an error or the very
// same table.
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <doctest/doctest.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>

#include <memory>
#include <optional>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
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

// A file without our metadata whose pages have checksums, and nothing else that would show a flipped bit.
void write_foreign_truth(const std::filesystem::path& path) {
    arrow::Int32Builder builder;
    PARQUET_THROW_NOT_OK(builder.AppendValues({1, 2, 3, 4}));
    PARQUET_ASSIGN_OR_THROW(const std::shared_ptr<arrow::Array> numbers, builder.Finish());
    const auto table =
        arrow::Table::Make(arrow::schema({arrow::field("sequence", arrow::int32()), arrow::field("t", arrow::int32())}),
                           {numbers, numbers});
    PARQUET_ASSIGN_OR_THROW(const auto sink, arrow::io::FileOutputStream::Open(path.string()));
    const auto properties = parquet::WriterProperties::Builder().disable_dictionary()->enable_page_checksum()->build();
    PARQUET_THROW_NOT_OK(parquet::arrow::WriteTable(*table, arrow::system_memory_pool(), sink, 1000, properties));
    PARQUET_THROW_NOT_OK(sink->Close());
}

// The position of the last byte of a column, which is inside its last page.
std::size_t last_byte_of_column(const std::filesystem::path& path, int column) {
    const auto chunk =
        parquet::ParquetFileReader::OpenFile(path.string())->metadata()->RowGroup(0)->ColumnChunk(column);
    const std::int64_t start =
        chunk->has_dictionary_page() ? chunk->dictionary_page_offset() : chunk->data_page_offset();
    return static_cast<std::size_t>(start + chunk->total_compressed_size() - 1);
}

}  // namespace

TEST_CASE("damage: every page has a checksum, which is checked before anything else, in files of others too") {
    const ScratchDirectory scratch;
    const auto complaint = [&](const Schema& schema, int column) {
        std::string bytes = read_bytes(scratch / "f");
        bytes[last_byte_of_column(scratch / "f", column)] ^= 1;
        write_bytes(scratch / "f", bytes);
        return failure<DataError>([&] { read_table(scratch / "f", schema); });
    };
    for (const Sample& sample : sample_tables()) {
        if (sample.table.n_rows() == 0) continue;
        CAPTURE(sample.file);
        for (std::size_t column = 0; column < sample.table.columns().size(); ++column) {
            write_bytes(scratch / "f", bytes_of(sample, scratch));
            CHECK(complaint(*sample.schema, static_cast<int>(column)).find("CRC checksum verification failed") !=
                  std::string::npos);
        }
    }
    write_foreign_truth(scratch / "f");
    CHECK(read_table(scratch / "f", truth_schema()).table.column<std::int32_t>("t") == Ints{1, 2, 3, 4});
    CHECK(complaint(truth_schema(), 1).find("CRC checksum verification failed") != std::string::npos);
}

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
