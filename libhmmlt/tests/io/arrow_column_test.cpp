// Files that others wrote: what can be read without loss is read, the rest is refused by row.
#include "hmmlt/io/arrow_column.hpp"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <doctest/doctest.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <limits>
#include <memory>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

template <typename Builder, typename T>
std::shared_ptr<arrow::Array> array(const std::vector<T>& values, const std::vector<bool>& valid = {}) {
    Builder builder;
    for (std::size_t row = 0; row < values.size(); ++row)
        PARQUET_THROW_NOT_OK(valid.empty() || valid[row] ? builder.Append(values[row]) : builder.AppendNull());
    std::shared_ptr<arrow::Array> out;
    PARQUET_THROW_NOT_OK(builder.Finish(&out));
    return out;
}

using Named = std::pair<std::string, std::shared_ptr<arrow::Array>>;

void write_foreign(const std::filesystem::path& path, const std::vector<Named>& columns) {
    arrow::FieldVector fields;
    arrow::ArrayVector arrays;
    for (const auto& [name, values] : columns) {
        fields.push_back(arrow::field(name, values->type()));
        arrays.push_back(values);
    }
    const auto table = arrow::Table::Make(arrow::schema(fields), arrays);
    PARQUET_ASSIGN_OR_THROW(const auto sink, arrow::io::FileOutputStream::Open(path.string()));
    const auto keep_types = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    PARQUET_THROW_NOT_OK(parquet::arrow::WriteTable(*table, arrow::system_memory_pool(), sink, 1000,
                                                    parquet::default_writer_properties(), keep_types));
    PARQUET_THROW_NOT_OK(sink->Close());
}

std::shared_ptr<arrow::Array> longs(const std::vector<std::int64_t>& values, const std::vector<bool>& valid = {}) {
    return array<arrow::Int64Builder>(values, valid);
}

TableFile read_foreign(const Schema& schema, const std::vector<Named>& columns) {
    const ScratchDirectory scratch;
    write_foreign(scratch / "f", columns);
    return read_table(scratch / "f", schema);
}

std::string complaint_about_columns(const Schema& schema, const std::vector<Named>& columns) {
    const std::string message = failure<DataError>([&] { read_foreign(schema, columns); });
    return message.substr(message.find("/f: ") + 1);
}

std::string complaint_about_t(std::shared_ptr<arrow::Array> t) {
    return complaint_about_columns(truth_schema(), {{"sequence", longs({0, 0})}, {"t", std::move(t)}});
}

}  // namespace

TEST_CASE("foreign file: wider, narrower and other types, any order, further columns") {
    const TableFile file = read_foreign(observations_schema(),
                                        {{"y_1", array<arrow::FloatBuilder>(std::vector{0.5f, 1.5f})},
                                         {"comment", array<arrow::StringBuilder>(Texts{"a", "b"})},
                                         {"t", longs({0, 1})},
                                         {"y_0", longs({7, 0}, {true, false})},
                                         {"sequence", array<arrow::UInt8Builder>(std::vector<std::uint8_t>{0, 0})}});
    Table expected("observations");
    expected.add_column("sequence", Ints{0, 0})
        .add_column("t", Ints{0, 1})
        .add_column("y_0", Reals{7.0, 0.0}, {true, false})
        .add_column("y_1", Reals{0.5, 1.5});
    CHECK(file.table == expected);
    CHECK(file.foreign);
    CHECK(file.provenance_json.empty());
    CHECK(file.content_sha256.size() == 64);
}

TEST_CASE("foreign file: integers with gaps as pandas stores them, booleans, columns of nothing") {
    const TableFile symbols =
        read_foreign(observations_schema(), {{"sequence", longs({0, 0})},
                                             {"t", longs({0, 1})},
                                             {"symbol", array<arrow::DoubleBuilder>(Reals{5.0, 0.0}, {true, false})}});
    CHECK(symbols.table.column<std::int32_t>("symbol")[0] == 5);
    CHECK(symbols.table.is_null("symbol", 1));

    const TableFile truth =
        read_foreign(truth_schema(), {{"sequence", longs({0, 0})},
                                      {"t", longs({0, 1})},
                                      {"theta_0", array<arrow::BooleanBuilder>(std::vector<bool>{true, false})}});
    CHECK(truth.table.column<std::int32_t>("theta_0") == Ints{1, 0});

    const TableFile heights =
        read_foreign(observations_schema(), {{"sequence", longs({0, 0})},
                                             {"t", longs({0, 1})},
                                             {"y_0", array<arrow::BooleanBuilder>(std::vector<bool>{true, false})},
                                             {"y_1", longs({std::int64_t{1} << 53, -(std::int64_t{1} << 53)})}});
    CHECK(heights.table.column<double>("y_0") == Reals{1.0, 0.0});
    CHECK(heights.table.column<double>("y_1") == Reals{9007199254740992.0, -9007199254740992.0});

    const TableFile missing = read_foreign(
        observations_schema(),
        {{"sequence", longs({0, 0})}, {"t", longs({0, 1})}, {"y_0", std::make_shared<arrow::NullArray>(2)}});
    CHECK(missing.table.is_null("y_0", 0));
    CHECK(missing.table.is_null("y_0", 1));
}

TEST_CASE("foreign file: strings of every kind") {
    const Texts words{"b", "a", "b", "Müller"};
    for (const auto& names : {array<arrow::StringBuilder>(words), array<arrow::LargeStringBuilder>(words),
                              array<arrow::StringViewBuilder>(words), array<arrow::StringDictionaryBuilder>(words)}) {
        CAPTURE(names->type()->ToString());
        const TableFile file = read_foreign(sequences_schema(), {{"sequence", longs({0, 1, 2, 3})}, {"name", names}});
        CHECK(file.table.column<std::string>("name") == words);
    }
}

TEST_CASE("foreign file: a value that does not fit is named by row") {
    CHECK(complaint_about_t(longs({0, 2147483648})) == "f: column t: expected int32, found 2147483648 in row 1");
    CHECK(complaint_about_t(longs({-2147483649, 0})) == "f: column t: expected int32, found -2147483649 in row 0");
    CHECK(complaint_about_t(array<arrow::DoubleBuilder>(Reals{0.0, 0.5})) ==
          "f: column t: expected int32, found 0.5 in row 1");
    CHECK(complaint_about_t(array<arrow::DoubleBuilder>(Reals{0.0, std::numeric_limits<double>::quiet_NaN()})) ==
          "f: column t: expected int32, found nan in row 1");
    CHECK(complaint_about_t(array<arrow::DoubleBuilder>(Reals{1e300, 0.0})) ==
          "f: column t: expected int32, found 1e+300 in row 0");
    CHECK(complaint_about_t(longs({0, 1}, {true, false})) ==
          "f: column t: expected a value in every row, found null in row 1");
    CHECK(complaint_about_columns(weights_schema(), {{"feature", longs({0})}, {"w_0", longs({9007199254740993})}}) ==
          "f: column w_0: expected float64, found 9007199254740993 in row 0");
    // A double could hold this one; a rule by range is easier to keep in mind than one by trailing zeros.
    CHECK(complaint_about_columns(weights_schema(), {{"feature", longs({0})}, {"w_0", longs({9007199254740994})}}) ==
          "f: column w_0: expected float64, found 9007199254740994 in row 0");
}

TEST_CASE("foreign file: a type that cannot stand for ours") {
    CHECK(complaint_about_t(array<arrow::StringBuilder>(Texts{"0", "1"})) ==
          "f: column t: expected int32, found string");
    CHECK(complaint_about_t(array<arrow::Date32Builder>(Ints{0, 1})) ==
          "f: column t: expected int32, found date32[day]");
    CHECK(complaint_about_columns(sequences_schema(), {{"sequence", longs({0})}, {"name", longs({5})}}) ==
          "f: column name: expected string, found int64");
}

TEST_CASE("foreign file: missing and repeated columns") {
    CHECK(complaint_about_columns(sequences_schema(),
                                  {{"seq", longs({0})}, {"name", array<arrow::StringBuilder>(Texts{"a"})}}) ==
          "f: column sequence is missing; the columns are: name, seq");
    CHECK(complaint_about_columns(truth_schema(), {{"t", longs({0})}, {"sequence", longs({0})}, {"t", longs({0})}}) ==
          "f: there are two columns t");
    CHECK(complaint_about_columns(observations_schema(),
                                  {{"sequence", longs({0})}, {"t", longs({0})}, {"y_1", longs({0})}}) ==
          "f: column y_0 is missing, but there is y_1; the columns y_0, y_1, ... must have no gap");
}

TEST_CASE("foreign column: arrays that contradict themselves are refused before a value is read") {
    const auto complaint_about_text = [](const std::vector<std::int32_t>& offsets, const std::string& text) {
        const std::string memory = text + std::string(100, 'x');  // so that a test without the check stays in bounds
        const auto data = std::make_shared<arrow::Buffer>(std::string_view(memory).substr(0, text.size()));
        const auto words = std::make_shared<arrow::StringArray>(static_cast<std::int64_t>(offsets.size()) - 1,
                                                                arrow::Buffer::Wrap(offsets), data);
        return failure<DataError>(
            [&] { column_from_arrow("f", "name", ColumnType::string, arrow::ChunkedArray(words)); });
    };
    CHECK(complaint_about_text({0, 1, 3}, "abc") == "nothing was thrown");
    CHECK(complaint_about_text({0, 1, 50}, "abc").starts_with("f: column name: damaged: "));
    CHECK(complaint_about_text({0, 3, 1}, "abc").starts_with("f: column name: damaged: "));
    CHECK(complaint_about_text({0, 1, 3}, "a\xff\xfe").starts_with("f: column name: damaged: "));
}
