#include "hmmlt/math/column_shares.hpp"

#include <doctest/doctest.h>

#include "hmmlt/math/equality.hpp"

using namespace hmmlt;

TEST_CASE("column_shares: each column is divided by its sum") {
    const arma::mat shares = column_shares({{1.0, 0.5}, {3.0, 1.5}});
    CHECK(arma::approx_equal(shares, arma::mat{{0.25, 0.25}, {0.75, 0.75}}, "absdiff", 1e-15));
}

// arma::normalise fails here under OpenBLAS cores SkylakeX and Haswell: with 1001 rows no two columns of eight are
// aligned alike, and the order in which they are summed follows the alignment.
TEST_CASE("column_shares: equal columns have equal shares, wherever in memory they begin") {
    for (const double frequency : {0.1, 0.7, 1.0, 1.9, 2.3}) {
        const arma::vec column = arma::exp(5.0 * arma::sin(frequency * arma::regspace(1.0, 1001.0)));
        const arma::mat shares = column_shares(arma::repmat(column, 1, 8));
        for (arma::uword j = 1; j < shares.n_cols; ++j)
            CHECK(same_values(arma::vec(shares.col(j)), arma::vec(shares.col(0))));
    }
}
