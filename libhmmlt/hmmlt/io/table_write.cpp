// Table -> Parquet. One thread, fixed settings: the bytes depend on the content and on Arrow's version only.
#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_check.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

constexpr std::size_t row_group_rows = std::size_t{1} << 17;
constexpr int zstd_level = 3;

// Lets Arrow write into an AtomicFile. Exceptions do not cross Arrow: the first one is kept, and rethrown outside.
class AtomicFileStream : public arrow::io::OutputStream {
  public:
    explicit AtomicFileStream(AtomicFile& file) : file_(file) { set_mode(arrow::io::FileMode::WRITE); }

    arrow::Status Write(const void* data, std::int64_t size) override {
        if (failure_) return arrow::Status::IOError("an earlier write failed");
        try {
            file_.write(std::span(static_cast<const std::byte*>(data), static_cast<std::size_t>(size)));
        } catch (...) {
            failure_ = std::current_exception();
            return arrow::Status::IOError("write failed");
        }
        position_ += size;
        return arrow::Status::OK();
    }
    using arrow::io::OutputStream::Write;

    arrow::Status Close() override {
        closed_ = true;
        return arrow::Status::OK();
    }
    bool closed() const override { return closed_; }
    arrow::Result<std::int64_t> Tell() const override { return position_; }

    void rethrow_failure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    AtomicFile& file_;
    std::exception_ptr failure_;
    std::int64_t position_ = 0;
    bool closed_ = false;
};

std::shared_ptr<arrow::DataType> arrow_type(ColumnType type) {
    switch (type) {
        case ColumnType::int32:
            return arrow::int32();
        case ColumnType::int64:
            return arrow::int64();
        case ColumnType::float32:
            return arrow::float32();
        case ColumnType::float64:
            return arrow::float64();
        case ColumnType::string:
            return arrow::utf8();
    }
    throw std::logic_error("arrow_type: unknown column type");
}

// Validity of rows [first, last), a byte each; empty if the whole column has no nulls.
std::vector<std::uint8_t> validity_bytes(const Column& column, std::size_t first, std::size_t last) {
    if (column.valid.empty()) return {};
    const auto begin = column.valid.begin();
    return {begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)};
}

void append(arrow::StringBuilder& builder, std::span<const std::string> values, const std::uint8_t* valid) {
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (valid != nullptr && valid[row] == 0)
            PARQUET_THROW_NOT_OK(builder.AppendNull());
        else
            PARQUET_THROW_NOT_OK(builder.Append(values[row]));
    }
}

template <typename Builder, typename T>
void append(Builder& builder, std::span<const T> values, const std::uint8_t* valid) {
    PARQUET_THROW_NOT_OK(builder.AppendValues(values.data(), static_cast<std::int64_t>(values.size()), valid));
}

// Rows [first, last) of a column; at most one row group, so copying costs little memory.
std::shared_ptr<arrow::Array> slice(const Column& column, std::size_t first, std::size_t last) {
    const std::vector<std::uint8_t> valid = validity_bytes(column, first, last);
    return std::visit(
        [&](const auto& values) {
            using T = typename std::remove_cvref_t<decltype(values)>::value_type;
            typename arrow::CTypeTraits<T>::BuilderType builder(arrow::system_memory_pool());
            PARQUET_THROW_NOT_OK(builder.Reserve(static_cast<std::int64_t>(last - first)));
            append(builder, std::span<const T>(values).subspan(first, last - first),
                   valid.empty() ? nullptr : valid.data());
            std::shared_ptr<arrow::Array> array;
            PARQUET_THROW_NOT_OK(builder.Finish(&array));
            return array;
        },
        column.values);
}

std::shared_ptr<arrow::Schema> arrow_schema(const Schema& schema, const std::vector<const Column*>& columns) {
    arrow::FieldVector fields;
    for (const Column* column : columns)
        fields.push_back(
            arrow::field(column->name, arrow_type(column->type()), find_spec(schema, column->name)->nullable));
    return arrow::schema(fields);
}

// Hardly two floats of a column are equal, so that a dictionary would only cost; with their bytes split into streams,
// signs and exponents stand together and compress.
std::shared_ptr<parquet::WriterProperties> writer_properties(const std::vector<const Column*>& columns) {
    parquet::WriterProperties::Builder builder;
    builder.memory_pool(arrow::system_memory_pool())
        ->version(parquet::ParquetVersion::PARQUET_2_6)
        ->compression(parquet::Compression::ZSTD)
        ->compression_level(zstd_level)
        ->max_row_group_length(static_cast<std::int64_t>(row_group_rows))
        ->enable_page_checksum();
    for (const Column* column : columns)
        if (column->type() == ColumnType::float32 || column->type() == ColumnType::float64)
            builder.disable_dictionary(column->name)->encoding(column->name, parquet::Encoding::BYTE_STREAM_SPLIT);
    return builder.build();
}

void write_parquet(AtomicFileStream& stream, const Schema& schema, const std::vector<const Column*>& columns,
                   std::shared_ptr<const arrow::KeyValueMetadata> metadata) {
    // Arrow wants a shared_ptr; the stream outlives the writer, which does not outlive this function.
    const std::shared_ptr<arrow::io::OutputStream> sink(&stream, [](arrow::io::OutputStream*) {});
    PARQUET_ASSIGN_OR_THROW(
        const std::unique_ptr<parquet::arrow::FileWriter> writer,
        parquet::arrow::FileWriter::Open(*arrow_schema(schema, columns), arrow::system_memory_pool(), sink,
                                         writer_properties(columns)));
    PARQUET_THROW_NOT_OK(writer->AddKeyValueMetadata(metadata));
    const std::size_t n_rows = columns.empty() ? 0 : columns.front()->size();
    for (std::size_t first = 0; first < n_rows; first += row_group_rows) {
        const std::size_t last = std::min(first + row_group_rows, n_rows);
        PARQUET_THROW_NOT_OK(writer->NewRowGroup());
        for (const Column* column : columns)
            PARQUET_THROW_NOT_OK(writer->WriteColumnChunk(*slice(*column, first, last)));
    }
    PARQUET_THROW_NOT_OK(writer->Close());
}

}  // namespace

void write_table(const std::filesystem::path& path, const Schema& schema, const Table& table,
                 const Provenance& provenance) {
    const std::vector<const Column*> columns = check_table(path.string(), schema, table);
    const std::string provenance_json = to_json(provenance);
    const auto metadata = arrow::key_value_metadata(
        {metadata_key::table, metadata_key::schema_version, metadata_key::provenance, metadata_key::content_sha256},
        {schema.name, std::to_string(schema.version), provenance_json,
         content_sha256(schema, columns, provenance_json)});

    AtomicFile file(path);
    AtomicFileStream stream(file);
    try {
        write_parquet(stream, schema, columns, metadata);
    } catch (const std::exception& error) {
        stream.rethrow_failure();
        throw IoError(fmt::format("cannot write {}: {}", path.string(), error.what()));
    }
    file.commit();
}

}  // namespace hmmlt
