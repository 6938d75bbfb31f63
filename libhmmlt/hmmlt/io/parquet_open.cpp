// The first and last bytes are looked at before Arrow sees the file.
#include "hmmlt/io/parquet_open.hpp"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/properties.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

void check_looks_like_parquet(const std::filesystem::path& path) {
    constexpr std::streamoff magic_size = 4;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw system_error("read", path.string(), EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw system_error("read", path.string(), errno);
    const std::streamoff size = file.tellg();
    char first[magic_size] = {};
    char last[magic_size] = {};
    if (size >= magic_size) {
        file.seekg(0).read(first, magic_size);
        file.seekg(size - magic_size).read(last, magic_size);
    }
    if (std::memcmp(first, "PAR1", magic_size) != 0)
        throw DataError(fmt::format("{}: not a Parquet file", path.string()));
    if (size < 3 * magic_size || std::memcmp(last, "PAR1", magic_size) != 0)
        throw DataError(fmt::format("{}: truncated: the end of the Parquet file is missing", path.string()));
}

std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::filesystem::path& path) {
    parquet::ReaderProperties checked(arrow::system_memory_pool());
    checked.set_page_checksum_verification(true);
    parquet::ArrowReaderProperties one_thread(false);
    one_thread.set_pre_buffer(false);
    PARQUET_ASSIGN_OR_THROW(const auto file, arrow::io::ReadableFile::Open(path.string(), arrow::system_memory_pool()));
    parquet::arrow::FileReaderBuilder builder;
    PARQUET_THROW_NOT_OK(builder.Open(file, checked));
    builder.memory_pool(arrow::system_memory_pool())->properties(one_thread);
    PARQUET_ASSIGN_OR_THROW(auto reader, builder.Build());
    return reader;
}

}  // namespace hmmlt
