#include "hmmlt/io/table.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

TEST_CASE("table: columns by name and type") {
    Table table("truth");
    table.add_column("t", Ints{3, 4})
        .add_column("p", std::vector<float>{0.5f, 1.0f})
        .add_column("name", Texts{"a", "b"});
    table.add_column("n", std::vector<std::int64_t>{1, 2}).add_column("x", Reals{1.0, 2.0}, {true, false});
    CHECK(table.n_rows() == 2);
    CHECK(table.column<std::int32_t>("t") == Ints{3, 4});
    CHECK(table.column<float>("p")[0] == 0.5f);
    CHECK(table.column<std::string>("name")[1] == "b");
    CHECK(table.column<std::int64_t>("n")[1] == 2);
    CHECK(table.is_null("x", 1));
    CHECK_FALSE(table.is_null("x", 0));
    CHECK_FALSE(table.is_null("t", 0));
    CHECK(table.at("x").type() == ColumnType::float64);
    CHECK(table.has("t"));
    CHECK_FALSE(table.has("T"));
}

TEST_CASE("table: a family comes in numeric order") {
    Table table("observations");
    for (const char* name : {"y_10", "y_2", "y", "y_0", "x_1"}) table.add_column(name, Reals{0.0});
    CHECK(table.family("y") == Texts{"y_0", "y_2", "y_10"});
    CHECK(table.family("z").empty());
}

TEST_CASE("table: equality is that of bits, and what lies under a null does not count") {
    const auto with = [](double value, bool valid) {
        Table table("t");
        table.add_column("x", Reals{value, 1.0}, {valid, true});
        return table;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(with(nan, true) == with(nan, true));
    CHECK(with(0.0, true) != with(-0.0, true));
    CHECK(with(5.0, false) == with(nan, false));
    CHECK(with(0.0, false) != with(0.0, true));
    CHECK(with(1.0, true).at("x").valid.empty());
    CHECK(Table("a") != Table("b"));
}

TEST_CASE("table: errors name table, column, expected and found") {
    Table table("truth");
    table.add_column("t", Ints{3, 4});
    CHECK(failure<DataError>([&] { table.column<double>("t"); }) ==
          "table truth: column t: expected float64, found int32");
    CHECK(failure<DataError>([&] { table.column<double>("u"); }) == "table truth: there is no column u");
    CHECK(failure<std::invalid_argument>([&] {
              table.add_column("t", Ints{1, 2});
          }) == "Table::add_column: truth.t: there is such a column already");
    CHECK(failure<std::invalid_argument>([&] { table.add_column("u", Ints{1}); }) ==
          "Table::add_column: truth.u: expected 2 rows, found 1");
    CHECK(failure<std::invalid_argument>([&] {
              table.add_column("u", Ints{1, 2}, {true});
          }) == "Table::add_column: truth.u: expected 2 validity flags, found 1");
    CHECK(table.columns().size() == 1);
}
