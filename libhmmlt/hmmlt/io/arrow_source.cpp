// The kind of a column follows from its Arrow type alone; arrow_column.cpp converts the values.
#include "hmmlt/io/arrow_source.hpp"

#include <arrow/api.h>
#include <arrow/util/decimal.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>

#include "hmmlt/io/arrow_column.hpp"
#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

double seconds_per_tick(arrow::TimeUnit::type unit) {
    switch (unit) {
        case arrow::TimeUnit::SECOND:
            return 1.0;
        case arrow::TimeUnit::MILLI:
            return 1e-3;
        case arrow::TimeUnit::MICRO:
            return 1e-6;
        case arrow::TimeUnit::NANO:
            return 1e-9;
    }
    return 1.0;
}

// Seconds per tick of a date or time; 0 for any other type.
double seconds_per_tick(const arrow::DataType& type) {
    switch (type.id()) {
        case arrow::Type::DATE32:
            return 86400.0;
        case arrow::Type::DATE64:
            return 1e-3;
        case arrow::Type::TIME32:
        case arrow::Type::TIME64:
            return seconds_per_tick(static_cast<const arrow::TimeType&>(type).unit());
        case arrow::Type::TIMESTAMP:
            return seconds_per_tick(static_cast<const arrow::TimestampType&>(type).unit());
        default:
            return 0.0;
    }
}

std::shared_ptr<arrow::ChunkedArray> ticks(const arrow::ChunkedArray& column) {
    const auto type = arrow::bit_width(column.type()->id()) == 32 ? arrow::int32() : arrow::int64();
    auto viewed = column.View(type);
    if (!viewed.ok()) throw DataError(viewed.status().message());
    return *viewed;
}

// Decimal numbers (DuckDB makes them) as the nearest doubles.
std::shared_ptr<arrow::ChunkedArray> decimals_as_doubles(const std::string& where, const arrow::ChunkedArray& column) {
    const auto scale = static_cast<const arrow::Decimal128Type&>(*column.type()).scale();
    arrow::DoubleBuilder builder(arrow::system_memory_pool());
    for (const auto& chunk : column.chunks()) {
        if (const auto status = chunk->ValidateFull(); !status.ok())
            throw DataError(fmt::format("{}: damaged: {}", where, status.message()));
        const auto& values = static_cast<const arrow::Decimal128Array&>(*chunk);
        for (std::int64_t row = 0; row < values.length(); ++row) {
            const arrow::Status status = values.IsNull(row)
                                             ? builder.AppendNull()
                                             : builder.Append(arrow::Decimal128(values.GetValue(row)).ToDouble(scale));
            if (!status.ok()) throw std::bad_alloc();
        }
    }
    std::shared_ptr<arrow::Array> array;
    if (!builder.Finish(&array).ok()) throw std::bad_alloc();
    return std::make_shared<arrow::ChunkedArray>(array);
}

bool is_text(const arrow::DataType& type) {
    if (type.id() == arrow::Type::DICTIONARY)
        return static_cast<const arrow::DictionaryType&>(type).value_type()->id() == arrow::Type::STRING;
    return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING ||
           type.id() == arrow::Type::STRING_VIEW;
}

void nan_to_null(Column& column) {
    if (column.type() != ColumnType::float64) return;
    const auto& numbers = std::get<std::vector<double>>(column.values);
    for (std::size_t row = 0; row < numbers.size(); ++row)
        if (std::isnan(numbers[row])) column.valid[row] = false;
}

}  // namespace

void add_source_column(SourceTable& source, std::string name, const std::shared_ptr<arrow::ChunkedArray>& column) {
    const arrow::DataType& type = *column->type();
    const auto add = [&](ColumnType kind, const arrow::ChunkedArray& values) {
        Column converted = column_from_arrow(source.file, name, kind, values);
        nan_to_null(converted);
        if (std::find(converted.valid.begin(), converted.valid.end(), true) == converted.valid.end())
            source.left_out.emplace(name, "no value");
        else
            source.table.add_column(name, std::move(converted.values), std::move(converted.valid));
    };
    if (const double seconds = seconds_per_tick(type); seconds > 0.0) {
        add(ColumnType::int64, *ticks(*column));
        source.times.emplace(std::move(name), seconds);
    } else if (type.id() == arrow::Type::NA) {
        source.left_out.emplace(std::move(name), "no value");
    } else if (type.id() == arrow::Type::BOOL || arrow::is_integer(type.id())) {
        add(ColumnType::int64, *column);
    } else if (type.id() == arrow::Type::FLOAT || type.id() == arrow::Type::DOUBLE) {
        add(ColumnType::float64, *column);
    } else if (type.id() == arrow::Type::DECIMAL128) {
        add(ColumnType::float64, *decimals_as_doubles(source.file, *column));
    } else if (is_text(type)) {
        add(ColumnType::string, *column);
    } else {
        source.left_out.emplace(std::move(name), type.ToString());
    }
}

}  // namespace hmmlt
