#include "hmmlt/io/table_check.hpp"

#include <doctest/doctest.h>

#include <set>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

std::string complaint(const Schema& schema, const Table& table) {
    return failure<DataError>([&] { check_table("f", schema, table); });
}

Table observations() {
    Table table("observations");
    table.add_column("sequence", Ints{0}).add_column("t", Ints{0});
    return table;
}

std::string hash_of(const Table& table, const Schema& schema = observations_schema(), const char* provenance = "{}") {
    return content_sha256(schema, check_table("f", schema, table), provenance);
}

}  // namespace

TEST_CASE("table check: every sample fits its schema") {
    for (const Sample& sample : sample_tables()) {
        CAPTURE(sample.file);
        CHECK(check_table("f", *sample.schema, sample.table).size() == sample.table.columns().size());
    }
}

TEST_CASE("table check: columns come in the order of the schema") {
    Table table("observations");
    table.add_column("y_1", Reals{1.0})
        .add_column("t", Ints{0})
        .add_column("y_0", Reals{0.0})
        .add_column("sequence", Ints{0});
    Texts names;
    for (const Column* column : check_table("f", observations_schema(), table)) names.push_back(column->name);
    CHECK(names == Texts{"sequence", "t", "y_0", "y_1"});
}

TEST_CASE("table check: complaints") {
    CHECK(complaint(observations_schema(), Table("truth")) == "f: expected the table observations, found truth");
    CHECK(complaint(observations_schema(), Table("observations")) ==
          "f: column sequence is missing; the columns are: none");
    CHECK(complaint(observations_schema(), observations()) ==
          "f: expected exactly one of the columns y_0, symbol, found none; the columns are: sequence, t");
    CHECK(
        complaint(observations_schema(), observations().add_column("y_0", Reals{0.0}).add_column("symbol", Ints{0})) ==
        "f: expected exactly one of the columns y_0, symbol, found y_0, symbol; the columns are: sequence, t, y_0, "
        "symbol");
    CHECK(complaint(observations_schema(), observations().add_column("y_0", Ints{0})) ==
          "f: column y_0: expected float64, found int32");
    CHECK(
        complaint(observations_schema(), observations().add_column("y_0", Reals{0.0}).add_column("y_2", Reals{0.0})) ==
        "f: column y_1 is missing, but there is y_2; the columns y_0, y_1, ... must have no gap");
    CHECK(complaint(observations_schema(), observations().add_column("y_0", Reals{0.0}).add_column("z", Ints{0})) ==
          "f: a table observations has no column z");
    Table nulls("sequences");
    nulls.add_column("sequence", Ints{0, 1}, {true, false}).add_column("name", Texts{"a", "b"});
    CHECK(complaint(sequences_schema(), nulls) ==
          "f: column sequence: expected a value in every row, found null in row 1");
    Table no_weights("weights");
    no_weights.add_column("feature", Ints{0});
    CHECK(complaint(weights_schema(), no_weights) == "f: column w_0 is missing; the columns are: feature");
}

TEST_CASE("content hash: follows the content, not the order of columns") {
    Table one("observations");
    one.add_column("t", Ints{0}).add_column("y_0", Reals{2.0}).add_column("sequence", Ints{0});
    const Table two = observations().add_column("y_0", Reals{2.0});
    CHECK(hash_of(one) == hash_of(two));
}

TEST_CASE("content hash: every ingredient counts") {
    Schema next = observations_schema();
    next.version = 2;
    const Table table = observations().add_column("y_0", Reals{2.0});
    std::set<std::string> hashes{hash_of(table), hash_of(table, next), hash_of(table, observations_schema(), "{ }")};
    hashes.insert(hash_of(observations().add_column("y_0", Reals{2.5})));
    hashes.insert(hash_of(observations().add_column("y_0", Reals{0.0})));
    hashes.insert(hash_of(observations().add_column("y_0", Reals{-0.0})));
    hashes.insert(hash_of(observations().add_column("y_0", Reals{0.0}, {false})));
    hashes.insert(hash_of(observations().add_column("symbol", Ints{0})));
    CHECK(hashes.size() == 8);
}

TEST_CASE("content hash: where one string ends and the next begins") {
    const auto with_names = [](const Texts& names) {
        Table table("sequences");
        table.add_column("sequence", Ints{0, 1}).add_column("name", names);
        return hash_of(table, sequences_schema());
    };
    CHECK(with_names({"ab", "c"}) != with_names({"a", "bc"}));
}
