// The cheapest assignment against all permutations, and features against a truth whose order and signs were lost.
#include "hmmlt/diagnostics/matching.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "hmmlt/random/uniform.hpp"

using namespace hmmlt;

namespace {

double cost_of(const arma::mat& cost, const std::vector<arma::uword>& columns) {
    double sum = 0.0;
    for (arma::uword row = 0; row < columns.size(); ++row) sum += cost(row, columns[row]);
    return sum;
}

double least_cost(const arma::mat& cost) {
    std::vector<arma::uword> columns(cost.n_rows);
    std::iota(columns.begin(), columns.end(), arma::uword{0});
    double least = cost_of(cost, columns);
    while (std::next_permutation(columns.begin(), columns.end())) least = std::min(least, cost_of(cost, columns));
    return least;
}

arma::umat random_bits(arma::uword n_rows, arma::uword n_steps, Stream& rng) {
    arma::umat bits(n_rows, n_steps);
    bits.for_each([&rng](arma::uword& bit) { bit = draw_uniform(rng) < 0.4 ? 1 : 0; });
    return bits;
}

arma::uword n_different(const MatchedBits& matched) {
    return arma::accu(matched.truth != matched.found);
}

// The fewest different cells over all orders, features turned over or not, by trying all of them.
arma::uword fewest_different(const arma::umat& truth, const arma::umat& found) {
    const arma::uword n = std::max(truth.n_rows, found.n_rows);
    std::vector<arma::uword> order(n);
    std::iota(order.begin(), order.end(), arma::uword{0});
    arma::uword fewest = n * truth.n_cols + 1;
    do {
        arma::uword sum = 0;
        for (arma::uword d = 0; d < n; ++d) {
            const arma::urowvec off(truth.n_cols, arma::fill::zeros);
            const arma::urowvec wanted = d < truth.n_rows ? arma::urowvec(truth.row(d)) : off;
            const arma::urowvec has = order[d] < found.n_rows ? arma::urowvec(found.row(order[d])) : off;
            const arma::uword as_it_is = arma::accu(wanted != has);
            sum += order[d] < found.n_rows ? std::min(as_it_is, truth.n_cols - as_it_is) : as_it_is;
        }
        fewest = std::min(fewest, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return fewest;
}

}  // namespace

TEST_CASE("matching: the cheapest assignment by hand") {
    // the first two rows both want column 0
    const arma::mat cost{{1.0, 2.0, 8.0}, {1.0, 5.0, 7.0}, {4.0, 6.0, 3.0}};
    const arma::uvec columns = cheapest_assignment(cost);
    CHECK((columns(0) == 1 && columns(1) == 0 && columns(2) == 2));
    CHECK(cheapest_assignment(arma::mat(0, 0)).is_empty());
    CHECK(cheapest_assignment(arma::mat(1, 1, arma::fill::value(-3.0)))(0) == 0);
}

TEST_CASE("matching: no permutation is cheaper, whatever the costs") {
    Stream rng({.seed = 1});
    for (int trial = 0; trial < 600; ++trial) {
        const auto n = static_cast<arma::uword>(1 + trial % 7);
        arma::mat cost(n, n);
        // real, negative, or small whole numbers with many ties
        cost.for_each([&](double& value) {
            value = draw_uniform(rng) * 10.0 - (trial % 3 == 1 ? 8.0 : 0.0);
            if (trial % 3 == 2) value = std::floor(0.3 * value);
        });
        const arma::uvec columns = cheapest_assignment(cost);
        CAPTURE(trial);
        CHECK(arma::unique(columns).eval().n_elem == n);
        CHECK(cost_of(cost, {columns.begin(), columns.end()}) == doctest::Approx(least_cost(cost)).epsilon(1e-12));
    }
}

TEST_CASE("matching: costs that are no numbers, or not square, are refused") {
    CHECK_THROWS_WITH(cheapest_assignment(arma::mat(2, 3, arma::fill::zeros)),
                      doctest::Contains("cheapest_assignment"));
    CHECK_THROWS_WITH(cheapest_assignment(arma::mat(1, 1, arma::fill::value(arma::datum::nan))),
                      doctest::Contains("cheapest_assignment"));
    CHECK_THROWS_WITH(match_features(arma::umat(2, 3, arma::fill::zeros), arma::umat(2, 4, arma::fill::zeros)),
                      doctest::Contains("the columns of found"));
}

TEST_CASE("matching: features in another order and turned over are found again") {
    Stream rng({.seed = 2});
    const arma::umat truth = random_bits(4, 50, rng);
    arma::umat found = truth.rows(arma::uvec{2, 0, 3, 1});
    found.row(1) = 1 - found.row(1);
    found.row(3) = 1 - found.row(3);
    const MatchedBits matched = match_features(truth, found);
    CHECK(n_different(matched) == 0);
    CHECK(matched.n_turned == 2);
    CHECK(score_bits(matched.truth, matched.found).f1 == 1.0);
}

TEST_CASE("matching: a spare feature is a false alarm unless it never changes, a feature too few is a miss") {
    const arma::umat truth{{1, 1, 0, 0, 1, 0}, {0, 1, 1, 0, 0, 0}};
    const arma::umat spare{{0, 1, 1, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 0, 0}, {1, 1, 0, 0, 1, 0}};
    const MatchedBits more = match_features(truth, spare);
    CHECK(more.truth.n_rows == 4);
    CHECK(n_different(more) == 1);
    CHECK(more.n_turned == 1);
    CHECK(score_bits(more.truth, more.found).precision == doctest::Approx(5.0 / 6.0));
    CHECK(score_bits(more.truth, more.found).recall == 1.0);

    const MatchedBits fewer = match_features(truth, truth.row(0));
    CHECK(n_different(fewer) == 2);
    CHECK(score_bits(fewer.truth, fewer.found).recall == doctest::Approx(3.0 / 5.0));
    CHECK(score_bits(fewer.truth, fewer.found).precision == 1.0);
}

TEST_CASE("matching: no order and no turning over differs in fewer cells") {
    Stream rng({.seed = 3});
    for (int trial = 0; trial < 200; ++trial) {
        const arma::umat truth = random_bits(1 + static_cast<arma::uword>(trial % 5), 9, rng);
        const arma::umat found = random_bits(1 + static_cast<arma::uword>(trial / 5 % 6), 9, rng);
        CAPTURE(trial);
        CHECK(n_different(match_features(truth, found)) == fewest_different(truth, found));
    }
}
