// Value by value: a column of any Arrow type that can stand for one of our five, or a sentence saying why it cannot.
#include "hmmlt/io/arrow_column.hpp"

#include <arrow/api.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

// One column on its way to a vector of T.
template <typename T>
struct Conversion {
    std::string where;  // "<file>: column <name>"
    std::vector<T> values;
    std::vector<bool> valid;

    template <typename Found>
    [[noreturn]] void fail(Found found) const {
        const auto type = static_cast<ColumnType>(ColumnValues(std::vector<T>{}).index());
        throw DataError(
            fmt::format("{}: expected {}, found {} in row {}", where, type_name(type), found, values.size()));
    }

    // Appends a number if T holds exactly it. NaN stays NaN where T is a floating-point type.
    template <typename Found>
    void append(Found found) {
        if constexpr (std::is_same_v<Found, T>) {
            values.push_back(found);
        } else if constexpr (std::is_integral_v<Found> && std::is_integral_v<T>) {
            if (!std::in_range<T>(found)) fail(found);
            values.push_back(static_cast<T>(found));
        } else if constexpr (std::is_integral_v<T>) {
            constexpr double bound = -static_cast<double>(std::numeric_limits<T>::min());
            const auto number = static_cast<double>(found);
            if (!(number >= -bound && number < bound && std::trunc(number) == number)) fail(found);
            values.push_back(static_cast<T>(number));
        } else if constexpr (std::is_integral_v<Found>) {
            constexpr std::int64_t exact = std::int64_t{1} << std::numeric_limits<T>::digits;
            if (std::cmp_greater(found, exact) || std::cmp_less(found, -exact)) fail(found);
            values.push_back(static_cast<T>(found));
        } else {
            const auto number = static_cast<T>(found);
            if (static_cast<double>(number) != static_cast<double>(found) && !std::isnan(found)) fail(found);
            values.push_back(number);
        }
    }
    void append(std::string_view found) { values.emplace_back(found); }
};

template <typename Array, typename T>
bool append_all(const arrow::Array& chunk, Conversion<T>& out) {
    const auto& array = static_cast<const Array&>(chunk);
    for (std::int64_t row = 0; row < array.length(); ++row) {
        const bool valid = array.IsValid(row);
        if (!valid)
            out.values.push_back(T{});
        else if constexpr (std::is_same_v<Array, arrow::BooleanArray>)
            out.append(static_cast<std::int32_t>(array.Value(row)));
        else
            out.append(array.GetView(row));
        out.valid.push_back(valid);
    }
    return true;
}

bool append_dictionary(const arrow::Array& chunk, Conversion<std::string>& out) {
    const auto& array = static_cast<const arrow::DictionaryArray&>(chunk);
    const auto* words = dynamic_cast<const arrow::StringArray*>(array.dictionary().get());
    if (words == nullptr) return false;
    for (std::int64_t row = 0; row < array.length(); ++row) {
        const bool valid = array.IsValid(row) && words->IsValid(array.GetValueIndex(row));
        out.append(valid ? std::string_view(words->GetView(array.GetValueIndex(row))) : std::string_view());
        out.valid.push_back(valid);
    }
    return true;
}

bool append_chunk(const arrow::Array& chunk, Conversion<std::string>& out) {
    switch (chunk.type_id()) {
        case arrow::Type::STRING:
            return append_all<arrow::StringArray>(chunk, out);
        case arrow::Type::LARGE_STRING:
            return append_all<arrow::LargeStringArray>(chunk, out);
        case arrow::Type::STRING_VIEW:
            return append_all<arrow::StringViewArray>(chunk, out);
        case arrow::Type::DICTIONARY:
            return append_dictionary(chunk, out);
        default:
            return false;
    }
}

template <typename T>
bool append_chunk(const arrow::Array& chunk, Conversion<T>& out) {
    switch (chunk.type_id()) {
        case arrow::Type::BOOL:
            return append_all<arrow::BooleanArray>(chunk, out);
        case arrow::Type::INT8:
            return append_all<arrow::Int8Array>(chunk, out);
        case arrow::Type::INT16:
            return append_all<arrow::Int16Array>(chunk, out);
        case arrow::Type::INT32:
            return append_all<arrow::Int32Array>(chunk, out);
        case arrow::Type::INT64:
            return append_all<arrow::Int64Array>(chunk, out);
        case arrow::Type::UINT8:
            return append_all<arrow::UInt8Array>(chunk, out);
        case arrow::Type::UINT16:
            return append_all<arrow::UInt16Array>(chunk, out);
        case arrow::Type::UINT32:
            return append_all<arrow::UInt32Array>(chunk, out);
        case arrow::Type::UINT64:
            return append_all<arrow::UInt64Array>(chunk, out);
        case arrow::Type::FLOAT:
            return append_all<arrow::FloatArray>(chunk, out);
        case arrow::Type::DOUBLE:
            return append_all<arrow::DoubleArray>(chunk, out);
        default:
            return false;
    }
}

template <typename T>
bool append_nulls(const arrow::Array& chunk, Conversion<T>& out) {
    if (chunk.type_id() != arrow::Type::NA) return false;
    out.values.resize(out.values.size() + static_cast<std::size_t>(chunk.length()));
    out.valid.resize(out.values.size(), false);
    return true;
}

template <typename T>
Column convert(std::string where, std::string name, ColumnType type, const arrow::ChunkedArray& column) {
    Conversion<T> out{std::move(where), {}, {}};
    out.values.reserve(static_cast<std::size_t>(column.length()));
    for (const std::shared_ptr<arrow::Array>& chunk : column.chunks()) {
        // A damaged file may yield arrays whose offsets or dictionary indices lead out of bounds.
        const arrow::Status status = chunk->ValidateFull();
        if (!status.ok()) throw DataError(fmt::format("{}: damaged: {}", out.where, status.message()));
        if (!append_chunk(*chunk, out) && !append_nulls(*chunk, out))
            throw DataError(
                fmt::format("{}: expected {}, found {}", out.where, type_name(type), column.type()->ToString()));
    }
    return {std::move(name), std::move(out.values), std::move(out.valid)};
}

}  // namespace

bool is_exactly(const arrow::ChunkedArray& column, ColumnType type) {
    switch (column.type()->id()) {
        case arrow::Type::INT32:
            return type == ColumnType::int32;
        case arrow::Type::INT64:
            return type == ColumnType::int64;
        case arrow::Type::FLOAT:
            return type == ColumnType::float32;
        case arrow::Type::DOUBLE:
            return type == ColumnType::float64;
        case arrow::Type::STRING:
            return type == ColumnType::string;
        default:
            return false;
    }
}

Column column_from_arrow(std::string_view where, std::string name, ColumnType type, const arrow::ChunkedArray& column) {
    std::string place = fmt::format("{}: column {}", where, name);
    switch (type) {
        case ColumnType::int32:
            return convert<std::int32_t>(std::move(place), std::move(name), type, column);
        case ColumnType::int64:
            return convert<std::int64_t>(std::move(place), std::move(name), type, column);
        case ColumnType::float32:
            return convert<float>(std::move(place), std::move(name), type, column);
        case ColumnType::float64:
            return convert<double>(std::move(place), std::move(name), type, column);
        case ColumnType::string:
            return convert<std::string>(std::move(place), std::move(name), type, column);
    }
    throw std::logic_error("column_from_arrow: unknown column type");
}

}  // namespace hmmlt
