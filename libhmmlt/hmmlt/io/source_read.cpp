// A user's file -> SourceTable: its bytes, or its Parquet columns one at a time.
#include <arrow/api.h>
#include <arrow/util/utf8.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <new>

#include "hmmlt/io/arrow_source.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/parquet_open.hpp"

namespace hmmlt {

namespace {

// Also from a pipe, which has no size and can be read once.
std::string bytes_of(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw system_error("read", path.string(), EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw system_error("read", path.string(), errno);
    std::string bytes;
    std::vector<char> buffer(std::size_t{1} << 20);
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0)
        bytes.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (file.bad()) throw system_error("read", path.string(), EIO);
    return bytes;
}

void check_name(const std::string& file, const arrow::Schema& fields, const std::string& name) {
    if (!arrow::util::ValidateUTF8(name))
        throw DataError(fmt::format("{}: expected names of columns in UTF-8, found one that is not", file));
    if (fields.GetAllFieldIndices(name).size() > 1)
        throw DataError(fmt::format("{}: two columns are called {}", file, name));
}

SourceTable read_parquet(const std::filesystem::path& path) {
    SourceTable source;
    source.file = path.string();
    source.sha256 = sha256_of_file(path);
    source.description = "Parquet";
    const auto reader = open_parquet(path);
    std::shared_ptr<arrow::Schema> fields;
    PARQUET_THROW_NOT_OK(reader->GetSchema(&fields));
    if (reader->parquet_reader()->metadata()->num_rows() == 0)
        throw DataError(fmt::format("{}: expected rows, found none", source.file));
    arrow::util::InitializeUTF8();
    for (int i = 0; i < fields->num_fields(); ++i) {
        const std::string& name = fields->field(i)->name();
        check_name(source.file, *fields, name);
        std::shared_ptr<arrow::ChunkedArray> column;
        if (arrow::is_nested(fields->field(i)->type()->id())) {
            source.left_out.emplace(name, fields->field(i)->type()->ToString());
            continue;
        }
        PARQUET_THROW_NOT_OK(reader->ReadColumn(i, &column));
        add_source_column(source, name, column);
    }
    return source;
}

bool is_parquet_by_name(const std::filesystem::path& path) {
    const std::string suffix = path.extension().string();
    return suffix == ".parquet" || suffix == ".pq";
}

}  // namespace

std::string SourceTable::place(std::size_t row) const {
    return lines.empty() ? fmt::format("row {}", row) : fmt::format("line {}", lines[row]);
}

SourceTable read_source(const std::filesystem::path& path, SourceFormat format, const CsvOptions& options) {
    const bool parquet =
        format == SourceFormat::parquet || (format == SourceFormat::by_name && is_parquet_by_name(path));
    if (!parquet) return read_csv(bytes_of(path), path.string(), options);
    return with_our_errors(path, [&] { return read_parquet(path); });
}

}  // namespace hmmlt
