#include "hmmlt/io/data_tables.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The table as it comes back from a file.
Table through_file(const Schema& schema, const Table& table) {
    const ScratchDirectory scratch;
    write_table(scratch / "f", schema, table, sample_provenance());
    return read_table(scratch / "f", schema).table;
}

}  // namespace

TEST_CASE("data tables: real channels of several sequences, missing cells are null") {
    const Observations observations{
        Sequences::of_lengths({2, 1}), {{1.5, missing, -0.0}, {missing, missing, 4.0}}, arma::ivec()};
    const Table back = through_file(observations_schema(), observations_table(observations));
    Table expected("observations");
    expected.add_column("sequence", Ints{0, 0, 1})
        .add_column("t", Ints{0, 1, 0})
        .add_column("y_0", Reals{1.5, 0.0, -0.0}, {true, false, true})
        .add_column("y_1", Reals{0.0, 0.0, 4.0}, {false, false, true});
    CHECK(back == expected);
}

TEST_CASE("data tables: symbols, missing ones are null") {
    const Observations observations{Sequences::of_lengths({1, 3}), arma::mat(), {7, no_symbol, 0, 2}};
    const Table back = through_file(observations_schema(), observations_table(observations));
    Table expected("observations");
    expected.add_column("sequence", Ints{0, 1, 1, 1})
        .add_column("t", Ints{0, 0, 1, 2})
        .add_column("symbol", Ints{7, 0, 0, 2}, {true, false, true, true});
    CHECK(back == expected);
}

TEST_CASE("data tables: sequences of no steps have no rows, and channels stay channels without any") {
    const Observations some{Sequences::of_lengths({0, 1}), arma::mat{2.5}, arma::ivec()};
    CHECK(observations_table(some).column<std::int32_t>("sequence") == Ints{1});
    const Observations none{Sequences::of_lengths({}), arma::mat(2, 0), arma::ivec()};
    const Table back = through_file(observations_schema(), observations_table(none));
    CHECK(back.n_rows() == 0);
    CHECK(back.family("y") == Texts{"y_0", "y_1"});
}

TEST_CASE("data tables: the truth, with the bits of the states and without") {
    const Sequences sequences = Sequences::of_lengths({3, 1});
    const arma::uvec z{2, 0, 0, 1};
    const arma::umat theta{{1, 0, 0, 1}, {0, 1, 1, 0}};  // n_dims x n_steps
    Table expected("truth");
    expected.add_column("sequence", Ints{0, 0, 0, 1})
        .add_column("t", Ints{0, 1, 2, 0})
        .add_column("theta_0", Ints{1, 0, 0, 1})
        .add_column("theta_1", Ints{0, 1, 1, 0})
        .add_column("z", Ints{2, 0, 0, 1});
    CHECK(through_file(truth_schema(), truth_table(sequences, z, theta)) == expected);

    const Table without = through_file(truth_schema(), truth_table(sequences, z, arma::umat()));
    CHECK(without.family("theta").empty());
    CHECK(without.column<std::int32_t>("z") == Ints{2, 0, 0, 1});
    CHECK(!through_file(truth_schema(), truth_table(sequences, arma::uvec(), theta)).has("z"));
}

TEST_CASE("data tables: weights, the bias first") {
    const arma::mat weights{{0.5, -1.0}, {2.0, 3.0}, {0.0, 1e-300}};
    Table expected("weights");
    expected.add_column("feature", Ints{0, 1, 2})
        .add_column("w_0", Reals{0.5, 2.0, 0.0})
        .add_column("w_1", Reals{-1.0, 3.0, 1e-300});
    CHECK(through_file(weights_schema(), weights_table(weights)) == expected);
    CHECK(weights_table(arma::mat(0, 2)).n_rows() == 0);
}

TEST_CASE("data tables: lengths that do not fit") {
    const Sequences two_steps = Sequences::of_lengths({2});
    CHECK(failure<std::invalid_argument>([&] {
              observations_table({two_steps, arma::mat(1, 3, arma::fill::zeros), arma::ivec()});
          }) == "Table::add_column: observations.y_0: expected 2 rows, found 3");
    CHECK(failure<std::invalid_argument>([&] {
              observations_table({two_steps, arma::mat(), arma::ivec(1, arma::fill::zeros)});
          }) == "Table::add_column: observations.symbol: expected 2 rows, found 1");
    CHECK(failure<std::invalid_argument>([&] {
              truth_table(two_steps, arma::uvec(3, arma::fill::zeros), arma::umat());
          }) == "Table::add_column: truth.z: expected 2 rows, found 3");
}
