// Counts, rates, holding times and failed jumps: laws with their exact moments and distribution functions.
#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "hmmlt/conditionals/failed_jumps.hpp"
#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("transition counts: two ragged sequences, by hand") {
    // 0 0 1 | 2 1 | (empty)
    const Sequences sequences = Sequences::of_lengths({3, 2, 0});
    arma::mat n;
    count_transitions(arma::uvec{0, 0, 1, 2, 1}, sequences, 3, n);
    const arma::mat expected{{1, 1, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 1}};
    CHECK(arma::approx_equal(n, expected, "absdiff", 0.0));
    // departures, not visits: the last step of a sequence departs nowhere
    CHECK(arma::approx_equal(count_departures(n), arma::vec{2, 0, 1, 2}, "absdiff", 0.0));
    CHECK(count_used_states(arma::uvec{0, 0, 1, 2, 1}, 5) == 3);
    CHECK_THROWS_AS(count_transitions(arma::uvec{0, 3}, Sequences::of_lengths({2}), 3, n), std::domain_error);
    CHECK_THROWS_AS(count_transitions(arma::uvec{0}, Sequences::of_lengths({2}), 3, n), std::domain_error);
}

TEST_CASE("rates: shapes by hand; every row adds up to c") {
    const arma::vec beta{0.2, 0.3, 0.5};
    arma::mat a;
    rate_shapes(arma::log(beta), 4.0, 0.25, a);
    CHECK(a(0, 1) == doctest::Approx(0.75 * 4.0 * 0.3).epsilon(1e-14));
    CHECK(a(1, 1) == doctest::Approx(0.75 * 4.0 * 0.3 + 1.0).epsilon(1e-14));
    CHECK(a(3, 1) == doctest::Approx(4.0 * 0.3).epsilon(1e-14));
    for (arma::uword from = 0; from <= 3; ++from) CHECK(arma::accu(a.row(from)) == doctest::Approx(4.0).epsilon(1e-14));
    CHECK_THROWS_AS(rate_shapes(arma::log(beta), 4.0, 1.5, a), std::domain_error);
}

TEST_CASE("rates: Gamma with the right shape and rate in every cell, with and without Q") {
    const arma::mat a{{0.5, 2.0}, {1.5, 0.01}, {3.0, 1.0}};
    const arma::mat n{{2.0, 0.0}, {1.0, 4.0}, {0.0, 1.0}};
    const arma::mat q{{0.0, 7.0}, {3.0, 0.0}};
    const arma::vec log_u{std::log(2.0), minus_infinity, std::log(0.5)};
    const arma::mat log_phi{{0.0, -1.0}, {-1.0, 0.0}};
    constexpr std::uint32_t n_draws = 20000;
    std::vector<std::vector<double>> given_q(6);
    std::vector<std::vector<double>> without_q(6);
    arma::mat log_pi;
    for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
        sample_rates_given_failed_jumps(a, n, q, log_u, log_pi, BlockStreams({.seed = 1, .sweep = sweep}));
        for (arma::uword cell = 0; cell < 6; ++cell) given_q[cell].push_back(log_pi(cell));
        sample_rates(a, n, log_u, log_phi, log_pi, BlockStreams({.seed = 2, .sweep = sweep}));
        for (arma::uword cell = 0; cell < 6; ++cell) without_q[cell].push_back(log_pi(cell));
    }
    for (arma::uword from = 0; from < 3; ++from)
        for (arma::uword to = 0; to < 2; ++to) {
            CAPTURE(from);
            CAPTURE(to);
            const arma::uword cell = from + 3 * to;
            const double u = std::exp(log_u(from));
            const double failed = from < 2 ? q(from, to) : 0.0;
            const double phi = from < 2 ? std::exp(log_phi(from, to)) : 1.0;
            const double shape = a(from, to) + n(from, to);
            CHECK(testing::kolmogorov_smirnov(given_q[cell], [&](double x) {
                      return boost::math::gamma_p(shape + failed, (1.0 + u) * std::exp(x));
                  }) > level);
            CHECK(testing::kolmogorov_smirnov(without_q[cell], [&](double x) {
                      return boost::math::gamma_p(shape, (1.0 + u * phi) * std::exp(x));
                  }) > level);
        }
}

TEST_CASE("rates: a shape that underflows is an exact zero") {
    arma::mat a;
    rate_shapes(arma::vec{0.0, -5000.0}, 1.0, 0.0, a);
    arma::mat log_pi;
    sample_rates(a, arma::mat(3, 2, arma::fill::zeros), arma::vec(3, arma::fill::value(minus_infinity)),
                 arma::mat(2, 2, arma::fill::zeros), log_pi, BlockStreams({.seed = 3}));
    CHECK(log_pi(0, 1) == minus_infinity);
    CHECK(std::isfinite(log_pi(0, 0)));
}

TEST_CASE("rates: a state without any way out gets one, by beta; all else stays") {
    const arma::vec log_beta{-1e-300, -2000.0, -2000.0 + std::log(3.0), -3000.0};
    arma::mat a;
    rate_shapes(log_beta, 2.0, 0.0, a);
    const arma::mat none(5, 4, arma::fill::zeros);
    const arma::vec log_u(5, arma::fill::value(minus_infinity));
    const arma::vec departures(5, arma::fill::zeros);
    std::vector<double> chosen(4, 0.0);
    constexpr std::uint32_t n_draws = 4000;
    for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
        const BlockStreams rng({.seed = 5, .sweep = sweep});
        arma::mat log_pi;
        sample_rates(a, none, log_u, arma::mat(4, 4, arma::fill::zeros), log_pi, rng);
        const arma::mat before = log_pi;
        sample_only_jumps(a, departures, log_beta, log_pi, rng.from(4));
        const arma::uvec changed = arma::find(log_pi != before);
        REQUIRE(changed.n_elem == 1);  // rows 1 to 3 lead to state 0, and the start row stays as it is
        CHECK(changed[0] % 5 == 0);
        CHECK(std::isfinite(log_pi(changed[0])));
        chosen[changed[0] / 5] += 1.0;
    }
    CHECK(chosen[0] == 0.0);
    CHECK(chosen[3] == 0.0);
    CHECK(testing::chi_square({chosen[1], chosen[2]}, {0.25 * n_draws, 0.75 * n_draws}) > level);
    // beta itself below all doubles: any state but its own
    arma::mat log_pi(5, 4, arma::fill::value(minus_infinity));
    const arma::vec one_beta{0.0, minus_infinity, minus_infinity, minus_infinity};
    sample_only_jumps(arma::mat(5, 4, arma::fill::zeros), departures, one_beta, log_pi, BlockStreams({}));
    for (arma::uword from = 0; from < 4; ++from) {
        CHECK(arma::find(log_pi.row(from) > minus_infinity).eval().n_elem == 1);
        CHECK(log_pi(from, from) == minus_infinity);
    }
}

TEST_CASE("rates: a state that is left keeps its rates, however small the shapes of its other jumps") {
    arma::mat log_pi(3, 2, arma::fill::zeros);
    const arma::mat before = log_pi;
    const arma::mat a(3, 2, arma::fill::zeros);
    sample_only_jumps(a, arma::vec{1.0, 1.0, 0.0}, arma::vec{0.0, 0.0}, log_pi, BlockStreams({}));
    CHECK(arma::approx_equal(log_pi, before, "absdiff", 0.0));
}

TEST_CASE("rates: below the smallest sum of shapes beta alone chooses, above it the shapes do") {
    // one of the cells is still above what a double can hold, the other is not
    const arma::vec log_beta{0.0, std::log(1.1e-300), std::log(0.9e-300)};
    arma::mat a;
    rate_shapes(log_beta, 1.0, 0.0, a);
    double second = 0.0;
    constexpr std::uint32_t n_draws = 4000;
    for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
        arma::mat log_pi(4, 3, arma::fill::zeros);
        sample_only_jumps(a, arma::vec(4, arma::fill::zeros), log_beta, log_pi,
                          BlockStreams({.seed = 6, .sweep = sweep}));
        second += log_pi(0, 2) > minus_infinity ? 1.0 : 0.0;
        REQUIRE(log_pi(1, 0) == 0.0);  // row 1 leads to state 0, whose shape is 1
    }
    CHECK(testing::chi_square({n_draws - second, second}, {0.55 * n_draws, 0.45 * n_draws}) > level);
}

TEST_CASE("holding times: Gamma(departures, total rate), zero without departures") {
    const arma::vec departures{3.0, 0.0, 1.0};
    const arma::vec log_total{std::log(0.5), 0.0, -900.0};
    std::vector<double> first;
    std::vector<double> last;
    arma::vec log_u;
    for (std::uint32_t sweep = 0; sweep < 50000; ++sweep) {
        sample_holding_times(departures, log_total, log_u, BlockStreams({.seed = 4, .sweep = sweep}));
        REQUIRE(log_u(1) == minus_infinity);
        first.push_back(log_u(0));
        last.push_back(log_u(2) - 900.0);  // e^900 would overflow, its logarithm does not
    }
    CHECK(testing::kolmogorov_smirnov(first, [](double x) { return boost::math::gamma_p(3.0, 0.5 * std::exp(x)); }) >
          level);
    CHECK(testing::kolmogorov_smirnov(last, [](double x) { return boost::math::gamma_p(1.0, std::exp(x)); }) > level);
}

TEST_CASE("failed jumps: Poisson means, none without time or at full similarity, saturation counted") {
    const arma::vec log_u{std::log(4.0), minus_infinity, 0.0};
    arma::mat log_pi(3, 2, arma::fill::value(std::log(2.0)));
    const arma::mat log_phi{{0.0, std::log(0.75)}, {std::log(0.75), 0.0}};
    arma::mat q;
    std::vector<double> counts;
    for (std::uint32_t sweep = 0; sweep < 50000; ++sweep) {
        CHECK(sample_failed_jumps(log_u, log_pi, log_phi, q, BlockStreams({.seed = 5, .sweep = sweep})) == 0);
        REQUIRE(q(0, 0) + q(1, 0) + q(1, 1) == 0.0);
        counts.push_back(q(0, 1));
    }
    const auto pmf = [](double k) { return std::exp(-2.0 + k * std::log(2.0) - std::lgamma(k + 1.0)); };
    CHECK(testing::chi_square_of_counts(counts, pmf, 20) > level);
    log_pi(0, 1) = 100.0;
    CHECK(sample_failed_jumps(log_u, log_pi, log_phi, q, BlockStreams({.seed = 6})) == 1);
    CHECK(q(0, 1) == doctest::Approx(largest_failed_jumps).epsilon(1e-6));
}
