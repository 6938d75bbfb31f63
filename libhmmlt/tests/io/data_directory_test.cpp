// A data directory as the library sees it: order of rows, missing values, sizes, and what is refused.
#include "hmmlt/io/data_directory.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

Table channels(Ints sequence, Ints t, Reals y, std::vector<bool> valid = {}) {
    Table table("observations");
    table.add_column("sequence", std::move(sequence)).add_column("t", std::move(t));
    table.add_column("y_0", std::move(y), std::move(valid));
    return table;
}

Table symbols(Ints t, Ints symbol, std::vector<bool> valid = {}) {
    Table table("observations");
    table.add_column("sequence", Ints(t.size(), 0)).add_column("t", std::move(t));
    table.add_column("symbol", std::move(symbol), std::move(valid));
    return table;
}

void write(const std::filesystem::path& path, const Schema& schema, const Table& table) {
    std::filesystem::create_directories(path.parent_path());
    write_table(path, schema, table, sample_provenance());
}

std::string complaint_about_table(const Table& table) {
    return failure<DataError>([&] { observations_from(table, "f"); });
}

}  // namespace

TEST_CASE("data directory: rows in any order, nulls are missing") {
    const Observations found =
        observations_from(channels({1, 0, 0}, {0, 1, 0}, {3.0, 2.0, 0.0}, {true, true, false}), "f");
    CHECK(found.sequences == Sequences::of_lengths({2, 1}));
    CHECK(std::isnan(found.y(0, 0)));
    CHECK(found.y(0, 1) == 2.0);
    CHECK(found.y(0, 2) == 3.0);
    const Observations tokens = observations_from(symbols({1, 0}, {4, 0}, {true, false}), "f");
    CHECK(tokens.symbol(0) == no_symbol);
    CHECK(tokens.symbol(1) == 4);
}

TEST_CASE("data directory: observations that are refused") {
    CHECK(complaint_about_table(channels({}, {}, {})) == "f: expected at least one row, found none");
    CHECK(complaint_about_table(channels({1}, {0}, {1.0})) ==
          "f: row 0: expected sequence 0, found 1; sequences count from 0 without gaps");
    CHECK(complaint_about_table(channels({0, 2}, {0, 0}, {1.0, 1.0})) ==
          "f: row 1: expected sequence 1, found 2; sequences count from 0 without gaps");
    CHECK(complaint_about_table(channels({0, 0}, {0, 2}, {1.0, 1.0}))
              .starts_with("f: row 1: expected t = 1 in sequence 0, found 2"));
    CHECK(complaint_about_table(channels({0, 0}, {0, 0}, {1.0, 1.0}))
              .starts_with("f: row 1: expected t = 1 in sequence 0, found 0"));
    CHECK(complaint_about_table(channels({0}, {0}, {std::numeric_limits<double>::quiet_NaN()})) ==
          "f: column y_0, row 0: expected a number from -1e+100 to 1e+100 or null, found nan");
    CHECK(complaint_about_table(symbols({0}, {-3})) ==
          "f: column symbol, row 0: expected a symbol from 0 to 999999, found -3");
}

TEST_CASE("data directory: sizes come from the vocabulary, or from training and test together") {
    const ScratchDirectory scratch;
    const std::filesystem::path data = scratch / "data";
    write(data / "observations.parquet", observations_schema(), symbols({0, 1}, {0, 2}));
    CHECK(read_data_directory(data).shape.n_symbols == 3u);
    write(data / "test/observations.parquet", observations_schema(), symbols({0}, {5}));
    const DataDirectory both = read_data_directory(data);
    CHECK(both.shape.n_symbols == 6u);
    CHECK(both.test->observations.symbol(0) == 5);
    CHECK(both.inputs.size() == 2);
    CHECK(both.inputs.contains("test/observations"));
    Table vocabulary("vocabulary");
    vocabulary.add_column("symbol", Ints{0, 1, 2, 3, 4}).add_column("label", Texts{"a", "b", "c", "d", "e"});
    write(data / "vocabulary.parquet", vocabulary_schema(), vocabulary);
    CHECK(failure<DataError>([&] {
              read_data_directory(data);
          }).ends_with("expected a row for every symbol of the data, 0 to 5, found 5 rows"));
}

TEST_CASE("data directory: truth and weights") {
    const ScratchDirectory scratch;
    const std::filesystem::path data = scratch / "data";
    write(data / "observations.parquet", observations_schema(), channels({0, 0}, {0, 1}, {1.0, 2.0}));
    Table truth("truth");
    truth.add_column("sequence", Ints{0, 0}).add_column("t", Ints{1, 0});
    truth.add_column("theta_0", Ints{1, 0}).add_column("z", Ints{4, 2});
    write(data / "truth.parquet", truth_schema(), truth);
    Table weights("weights");
    weights.add_column("feature", Ints{1, 0}).add_column("w_0", Reals{2.5, -1.0});
    write(data / "weights.parquet", weights_schema(), weights);
    const DataDirectory found = read_data_directory(data);
    CHECK(found.shape.n_channels == 1u);
    CHECK((*found.shape.weights)(0, 0) == -1.0);
    CHECK((*found.shape.weights)(1, 0) == 2.5);
    CHECK(found.train.truth.theta(0, 0) == 0);
    CHECK(found.train.truth.theta(0, 1) == 1);
    CHECK(found.train.truth.z(0) == 2);
    CHECK_FALSE(found.test.has_value());

    Table twice("weights");
    twice.add_column("feature", Ints{1, 1}).add_column("w_0", Reals{2.5, -1.0});
    write(data / "weights.parquet", weights_schema(), twice);
    CHECK(failure<DataError>([&] {
              read_data_directory(data);
          }).ends_with("row 1: expected each feature from 0 to 1 once, found 1"));
    CHECK_THROWS_AS(read_data_directory(scratch / "none"), IoError);
}
