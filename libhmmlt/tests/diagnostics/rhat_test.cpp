#include "hmmlt/diagnostics/rhat.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "hmmlt/diagnostics/draws.hpp"
#include "hmmlt/diagnostics/summary.hpp"
#include "hmmlt/random/normal.hpp"

using namespace hmmlt;

namespace {

arma::mat noise(arma::uword n_draws, arma::uword n_chains) {
    Stream rng({.seed = 7});
    arma::mat draws(n_draws, n_chains);
    for (double& draw : draws) draw = draw_standard_normal(rng);
    return draws;
}

bool equal(const arma::mat& a, const arma::mat& b) {
    return arma::approx_equal(a, b, "absdiff", 1e-14);
}

}  // namespace

TEST_CASE("draws: halves of chains, the middle draw left out") {
    const arma::mat draws{{1, 6}, {2, 7}, {3, 8}, {4, 9}, {5, 10}};
    CHECK(equal(split_chains(draws), arma::mat{{1, 6, 4, 9}, {2, 7, 5, 10}}));
    CHECK(equal(split_chains(draws.head_rows(4)), arma::mat{{1, 6, 3, 8}, {2, 7, 4, 9}}));
}

TEST_CASE("draws: ranks by normal quantiles, ties share theirs") {
    // normal quantiles of (1 - 3/8) / 4.25 and (2 - 3/8) / 4.25
    const double outer = 1.0491313979639707;
    const double inner = 0.2993069104656671;
    CHECK(equal(rank_normalise({{30.0, -1.0}, {2.5, 7.0}}), arma::mat{{outer, -outer}, {-inner, inner}}));
    CHECK(equal(rank_normalise({{5.0, 5.0}, {5.0, 5.0}}), arma::mat(2, 2, arma::fill::zeros)));
    CHECK(rank_normalise({{1.0, 1.0}, {2.0, 3.0}})(0, 0) == rank_normalise({{1.0, 1.0}, {2.0, 3.0}})(0, 1));
}

TEST_CASE("draws: folded and cut") {
    CHECK(equal(fold({{1.0, 2.0}, {5.0, 10.0}}), arma::mat{{2.5, 1.5}, {1.5, 6.5}}));
    CHECK(equal(fold(arma::vec{1.0, 2.0, 9.0}), arma::vec{1.0, 0.0, 7.0}));
    const arma::mat four{{4.0, 1.0}, {3.0, 2.0}};
    CHECK(quantile(four, 0.5) == 2.5);
    CHECK(quantile(four, 0.05) == doctest::Approx(1.15));
    CHECK((quantile(four, 0.0) == 1.0 && quantile(four, 1.0) == 4.0));
    CHECK(quantile(arma::mat{3.0}, 0.3) == 3.0);
    CHECK_THROWS_WITH_AS(quantile(arma::mat(), 0.5), doctest::Contains("quantile: draws"), std::domain_error);
    CHECK_THROWS_AS(quantile(four, 1.5), std::domain_error);
}

TEST_CASE("rhat: two chains by hand") {
    // Halves 1 2, 5 6, 3 4, 7 8: by ranks, with q(r) the normal quantile of (r - 3/8) / 8.25,
    // between = 2 var(means), within = mean of (q(r + 1) - q(r))^2 / 2, R-hat = sqrt((between / within + 1) / 2).
    const double q[] = {-1.4342001596863792, -0.8524950342746941, -0.4727891209922674, -0.15250597424624437};
    const double means[] = {(q[0] + q[1]) / 2.0, (q[2] + q[3]) / 2.0};  // and the same with the other sign
    const double between = 2.0 * 2.0 * (means[0] * means[0] + means[1] * means[1]) / 3.0;
    const double within = (std::pow(q[1] - q[0], 2) + std::pow(q[3] - q[2], 2)) / 4.0;
    const double expected = std::sqrt((between / within + 1.0) / 2.0);
    CHECK(rhat({{1, 5}, {2, 6}, {3, 7}, {4, 8}}) == doctest::Approx(expected).epsilon(1e-12));
}

TEST_CASE("rhat: near 1 for chains of one law, large for chains that differ in place or spread") {
    const arma::mat same = noise(1000, 4);
    CHECK(std::abs(rhat(same) - 1.0) < 0.01);
    arma::mat shifted = same;
    shifted.col(2) += 2.0;
    CHECK(rhat(shifted) > 1.1);
    arma::mat wide = same;
    wide.col(1) *= 4.0;
    CHECK(rhat(wide) > 1.1);
    const arma::mat drift = same + arma::repmat(arma::linspace(0.0, 3.0, 1000), 1, 4);  // the same in all chains
    CHECK(rhat(drift) > 1.1);
}

TEST_CASE("rhat: undefined, and chains that stand still") {
    CHECK(std::isnan(rhat(arma::mat(10, 4, arma::fill::ones))));
    CHECK(std::isnan(rhat(noise(3, 4))));
    CHECK(std::isnan(rhat(noise(10, 1))));
    arma::mat bad = noise(10, 2);
    bad(4, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(rhat(bad)));
    CHECK(std::isinf(rhat(arma::repmat(arma::rowvec{1.0, 2.0, 3.0}, 10, 1))));
}

TEST_CASE("summary: moments, quantiles and what is undefined") {
    const ScalarSummary summary = summarise({{1, 2}, {3, 4}, {5, 6}, {7, 8}});
    CHECK(summary.mean == 4.5);
    CHECK(summary.sd == doctest::Approx(std::sqrt(6.0)));
    CHECK(summary.q5 == doctest::Approx(1.35));
    CHECK(summary.q95 == doctest::Approx(7.65));
    CHECK(std::isnan(summarise(arma::mat{2.0}).sd));
    arma::mat bad(4, 2, arma::fill::ones);
    bad(0, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(summarise(bad).mean));
}
