#include "hmmlt/conditionals/total_rates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "hmmlt/math/log_space.hpp"

using namespace hmmlt;

TEST_CASE("total_rates: row sums of pi phi, the start row without phi") {
    const arma::mat pi{{1.0, 2.0}, {0.5, 0.25}, {3.0, 4.0}};
    const arma::mat phi{{1.0, 0.5}, {0.1, 1.0}};
    const arma::vec with_phi = log_total_rates(arma::log(pi), arma::log(phi));
    REQUIRE(with_phi.n_elem == 3);
    CHECK(with_phi[0] == doctest::Approx(std::log(1.0 + 1.0)).epsilon(1e-14));
    CHECK(with_phi[1] == doctest::Approx(std::log(0.05 + 0.25)).epsilon(1e-14));
    CHECK(with_phi[2] == doctest::Approx(std::log(7.0)).epsilon(1e-14));
    const arma::vec without = log_total_rates(arma::log(pi), {});
    CHECK(without[0] == doctest::Approx(std::log(3.0)).epsilon(1e-14));
    CHECK(without[1] == doctest::Approx(std::log(0.75)).epsilon(1e-14));
}

TEST_CASE("total_rates: rates far outside the range of a double, and exact zeros") {
    const arma::mat log_pi{{-5000.0, -5000.0}, {minus_infinity, 3000.0}, {0.0, -1e6}};
    const arma::vec log_total = log_total_rates(log_pi, {});
    CHECK(log_total[0] == doctest::Approx(-5000.0 + std::log(2.0)).epsilon(1e-15));
    CHECK(log_total[1] == 3000.0);
    CHECK(log_total[2] == 0.0);
    CHECK(log_largest_rates(log_pi, {})[0] == -5000.0);
}

TEST_CASE("total_rates: rows scaled to a largest rate of 1, whatever their scale") {
    const arma::mat log_pi{{-3.0, -1.0}, {minus_infinity, -0x1p43}, {minus_infinity, minus_infinity}};
    const arma::mat scaled = scale_rows(log_pi);
    CHECK(scaled(0, 0) == -2.0);
    CHECK(scaled(0, 1) == 0.0);
    CHECK(scaled(1, 0) == minus_infinity);
    CHECK(scaled(1, 1) == 0.0);
    CHECK(scaled(2, 0) == minus_infinity);
    CHECK(scaled(2, 1) == minus_infinity);
}

TEST_CASE("total_rates: bad arguments are named") {
    const arma::mat zeros(3, 2, arma::fill::zeros);
    CHECK_THROWS_WITH_AS(log_total_rates(arma::mat(2, 2, arma::fill::zeros), {}),
                         "log_largest_rates: the rows of log_pi must be of size 3, found 2", std::domain_error);
    CHECK_THROWS_WITH_AS(log_total_rates(zeros, arma::mat(3, 2, arma::fill::zeros)),
                         "log_largest_rates: the rows of log_phi must be of size 2, found 3", std::domain_error);
    CHECK_THROWS_AS(log_total_rates({}, {}), std::domain_error);
    arma::mat impossible = zeros;
    impossible.row(1).fill(minus_infinity);
    CHECK_THROWS_WITH_AS(log_total_rates(impossible, {}),
                         "log_largest_rates: row 1 of log_pi + log_phi must have a finite entry, found only -inf",
                         std::domain_error);
    arma::mat no_start = zeros;
    no_start.row(2).fill(minus_infinity);
    CHECK_THROWS_WITH_AS(
        log_total_rates(no_start, {}),
        "log_largest_rates: row 2 (the start row) of log_pi + log_phi must have a finite entry, found only -inf",
        std::domain_error);
    arma::mat not_a_number = zeros;
    not_a_number(0, 1) = arma::datum::nan;
    CHECK_THROWS_WITH_AS(log_total_rates(not_a_number, {}),
                         "log_largest_rates: log_pi + log_phi must be below infinity and not NaN, found nan in row 0, "
                         "column 1",
                         std::domain_error);
}
