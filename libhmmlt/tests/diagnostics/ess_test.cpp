#include "hmmlt/diagnostics/ess.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "hmmlt/random/normal.hpp"

using namespace hmmlt;

namespace {

// Draws of an autoregression of order 1 with standard normal innovations, from its stationary law.
arma::mat autoregression(arma::uword n_draws, arma::uword n_chains, double phi, std::uint64_t seed) {
    arma::mat x(n_draws, n_chains);
    for (arma::uword chain = 0; chain < n_chains; ++chain) {
        Stream rng({.seed = seed, .chain = static_cast<std::uint32_t>(chain)});
        double value = draw_standard_normal(rng) / std::sqrt(1.0 - phi * phi);
        for (double& draw : x.unsafe_col(chain)) draw = value = phi * value + draw_standard_normal(rng);
    }
    return x;
}

}  // namespace

TEST_CASE("ess: autocovariance by hand") {
    const arma::mat draws{{1.0, 2.0, 0.0}, {2.0, 5.0, 3.0}, {3.0, 2.0, 3.0}};  // centred: -1 0 1, -1 2 -1, -2 1 1
    const arma::mat by_chain{{2.0, 6.0, 6.0}, {0.0, -4.0, -1.0}, {-1.0, 1.0, -2.0}};  // times 3
    for (arma::uword n_chains = 1; n_chains <= 3; ++n_chains) {
        const arma::vec expected = arma::mean(by_chain.head_cols(n_chains), 1) / 3.0;
        CHECK(arma::approx_equal(mean_autocovariance(draws.head_cols(n_chains)), expected, "absdiff", 1e-14));
    }
}

TEST_CASE("ess: a chain by hand, its sum ended by a negative pair") {
    // Centred by 1/2; autocovariances 8, 5, 2, -1, ... / 32, so rho(k) = 4 a(k) - 1/7: 27/56, 3/28, -15/56, ... The
    // second pair is negative, its even lag positive: tau = -1 + 2 (1 + 27/56) + 3/28 = 29/14.
    const arma::mat draws = arma::vec{0, 0, 0, 0, 1, 1, 1, 1};
    CHECK(ess(draws) == doctest::Approx(8.0 * 14.0 / 29.0).epsilon(1e-13));
}

TEST_CASE("ess: chains of their own mean are worth little") {
    // Two chains 0 1 0 1 and 4 5 4 5: within 1/3, between 8, total 1/4 + 8; autocovariances 1/4, -3/16, 1/8, -1/16, and
    // rho(1) = 1 - (1/3 + 3/16) / (33/4) > 0; there is no second pair, so tau = -1 + 1: the bound n log10(n) holds.
    const arma::mat draws{{0.0, 4.0}, {1.0, 5.0}, {0.0, 4.0}, {1.0, 5.0}};
    CHECK(ess(draws) == doctest::Approx(8.0 * std::log10(8.0)).epsilon(1e-13));
    // Six draws: rho(1) = 1 - (3/10 + 5/24) / (33/4), rho(2) = 1 - (3/10 - 1/6) / (33/4), rho(3) = 1 - (3/10 + 1/8) /
    // (33/4), and the last pair looked at counts by its even lag, once: tau = -1 + 2 (1 + rho(1)) + rho(2).
    const arma::mat six = arma::join_cols(draws, arma::mat{{0.0, 4.0}, {1.0, 5.0}});
    const double total = 33.0 / 4.0;
    const double tau = -1.0 + 2.0 * (2.0 - (3.0 / 10.0 + 5.0 / 24.0) / total) + 1.0 - (3.0 / 10.0 - 1.0 / 6.0) / total;
    CHECK(ess(six) == doctest::Approx(12.0 / tau).epsilon(1e-13));
}

TEST_CASE("ess: an autoregression has (1 - phi) / (1 + phi) of its draws") {
    // The relative error of the estimate is a few per cent at this length; 20 % is far outside for these fixed seeds.
    for (const double phi : {-0.4, 0.0, 0.5, 0.9}) {
        CAPTURE(phi);
        const arma::mat draws = autoregression(20000, 4, phi, 1);
        const double theory = 80000.0 * (1.0 - phi) / (1.0 + phi);
        CHECK(ess(draws) == doctest::Approx(theory).epsilon(0.2));
        CHECK(ess_bulk(draws) == doctest::Approx(theory).epsilon(0.2));
        if (phi == 0.0) CHECK(ess_tail(draws) == doctest::Approx(theory).epsilon(0.2));
    }
}

TEST_CASE("ess: monotone transformations change nothing, nor does the order of chains") {
    const arma::mat draws = autoregression(301, 3, 0.7, 2);
    CHECK(ess_bulk(arma::exp(draws)) == ess_bulk(draws));
    CHECK(ess_tail(2.0 * draws) == doctest::Approx(ess_tail(draws)).epsilon(1e-12));
    CHECK(ess_bulk(arma::fliplr(draws)) == doctest::Approx(ess_bulk(draws)).epsilon(1e-12));
}

TEST_CASE("ess: draws that are all equal count each, of an odd number but one") {
    CHECK(ess_bulk(arma::mat(10, 4, arma::fill::ones)) == 40.0);
    CHECK(ess_tail(arma::mat(11, 4, arma::fill::ones)) == 40.0);
}

TEST_CASE("ess: undefined") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(ess_bulk(arma::mat(3, 4, arma::fill::ones))));
    CHECK(std::isnan(ess_tail(arma::mat(3, 4, arma::fill::ones))));
    CHECK(std::isnan(ess_bulk(arma::mat())));
    for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
        arma::mat draws(10, 2, arma::fill::ones);
        draws(3, 1) = bad;
        CHECK(std::isnan(ess_bulk(draws)));
        CHECK(std::isnan(ess_tail(draws)));
    }
}
