// Tables and concentrations: parameters by hand, laws by exact enumeration.
#include <doctest/doctest.h>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "hmmlt/conditionals/base_weights.hpp"
#include "hmmlt/conditionals/concentrations.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/crt.hpp"
#include "hmmlt/random/poisson.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("tables: given Q, the customers are n + q; the start row has n only") {
    const arma::mat a{{0.7, 1.3}, {0.4, 2.0}, {1.0, 0.5}};
    const arma::mat n{{2.0, 0.0}, {1.0, 3.0}, {0.0, 4.0}};
    const arma::mat q{{0.0, 5.0}, {2.0, 0.0}};
    std::vector<std::vector<double>> tables(6);
    arma::mat m;
    for (std::uint32_t sweep = 0; sweep < 50000; ++sweep) {
        sample_table_counts_given_failed_jumps(a, n, q, m, BlockStreams({.seed = 1, .sweep = sweep}));
        for (arma::uword cell = 0; cell < 6; ++cell) tables[cell].push_back(m(cell));
    }
    for (arma::uword from = 0; from < 3; ++from)
        for (arma::uword to = 0; to < 2; ++to) {
            CAPTURE(from);
            CAPTURE(to);
            const auto& sample = tables[from + 3 * to];
            const int customers = static_cast<int>(n(from, to) + (from < 2 ? q(from, to) : 0.0));
            if (customers <= 1) {
                for (const double count : sample) REQUIRE(count == customers);
                continue;
            }
            const auto pmf = testing::crt_pmf(customers, a(from, to));
            const auto mass = [&](double k) { return pmf[static_cast<std::size_t>(k)]; };
            CHECK(testing::chi_square_of_counts(sample, mass, pmf.size()) > level);
        }
}

TEST_CASE("tables: without Q, the law is that of (16) averaged over Q given u") {
    // Given u alone, q is negative binomial with shape a + n: a Poisson whose mean has a Gamma law, pi being integrated
    // out under docs/model.md (32).
    const double a = 1.4, n = 3.0, u = 5.0, phi = 0.3;
    const arma::mat shapes{{a, a}, {a, a}, {a, a}};
    arma::mat counts(3, 2, arma::fill::zeros);
    counts(0, 1) = n;
    counts(0, 0) = 1.0;
    const arma::vec log_u{std::log(u), minus_infinity, minus_infinity};
    const arma::mat log_phi{{0.0, std::log(phi)}, {std::log(phi), 0.0}};
    // exact pmf of the sum: convolution of CRT(n, a) and Poisson(a excess)
    const double mean = a * std::log((1.0 + u) / (1.0 + u * phi));
    CHECK(a * excess_log_rate(std::log(u), std::log(phi)) == doctest::Approx(mean).epsilon(1e-13));
    const auto crt = testing::crt_pmf(3, a);
    const auto pmf = [&](double k) {
        double p = 0.0;
        for (int x = 0; x <= 3 && x <= k; ++x)
            p += crt[static_cast<std::size_t>(x)] *
                 std::exp(-mean + (k - x) * std::log(mean) - std::lgamma(k - x + 1.0));
        return p;
    };
    // the mixture of (16) over q, by direct summation over the negative binomial
    const double r = a + n;
    const double p_fail = u * (1.0 - phi) / (1.0 + u);
    std::vector<double> mixture(12, 0.0);
    for (int q = 0; q < 400; ++q) {
        const double weight = std::exp(std::lgamma(r + q) - std::lgamma(r) - std::lgamma(q + 1.0) +
                                       r * std::log1p(-p_fail) + q * std::log(p_fail));
        const auto tables = testing::crt_pmf(3 + q, a);
        for (std::size_t k = 0; k < mixture.size() && k < tables.size(); ++k) mixture[k] += weight * tables[k];
    }
    for (std::size_t k = 0; k < mixture.size(); ++k)
        CHECK(pmf(static_cast<double>(k)) == doctest::Approx(mixture[k]).epsilon(1e-9));
    // and the draws follow it
    std::vector<double> sample;
    arma::mat m;
    for (std::uint32_t sweep = 0; sweep < 100000; ++sweep) {
        sample_table_counts(shapes, counts, log_u, log_phi, m, BlockStreams({.seed = 2, .sweep = sweep}));
        sample.push_back(m(0, 1));
        REQUIRE(m(0, 0) == 1.0);  // phi = 1: no failures
        REQUIRE(arma::accu(m.row(1)) + arma::accu(m.row(2)) == 0.0);
    }
    CHECK(testing::chi_square_of_counts(sample, pmf, 25) > level);
}

TEST_CASE("tables: the excess is exact near phi = 1 and for astronomical u") {
    CHECK(excess_log_rate(2.0, 0.0) == 0.0);
    CHECK(excess_log_rate(900.0, -3.0) == doctest::Approx(3.0).epsilon(1e-12));
    CHECK(excess_log_rate(0.0, -1e-12) == doctest::Approx(0.5e-12).epsilon(1e-9));
    CHECK(excess_log_rate(400.0, minus_infinity) == doctest::Approx(400.0).epsilon(1e-12));
}

TEST_CASE("tables: sticky ones, base tables, and the parameters of c, rho, gamma, beta by hand") {
    const arma::mat m{{3, 1, 0}, {0, 2, 1}, {1, 0, 0}, {1, 1, 0}};
    const arma::vec w{2, 1, 0};
    CHECK(arma::approx_equal(base_tables(m, w), arma::vec{3, 3, 1}, "absdiff", 0.0));
    const arma::vec log_u{std::log(1.0), minus_infinity, std::log(3.0), std::log(7.0)};
    const GammaPrior c = concentration_law({0.1, 0.2}, m, log_u);
    CHECK(c.shape == doctest::Approx(0.1 + 10.0).epsilon(1e-14));
    CHECK(c.rate == doctest::Approx(0.2 + std::log(2.0) + std::log(4.0) + std::log(8.0)).epsilon(1e-14));
    const BetaPrior rho = stickiness_law({1.0, 2.0}, m, w);
    CHECK(rho == BetaPrior{4.0, 2.0 + 8.0 - 3.0});
    CHECK(top_concentration_law({1.0, 2.0}, 5.0, -0.7) == GammaPrior{6.0, 2.7});
    CHECK(arma::approx_equal(base_weight_concentration(arma::vec{3, 3, 1}, 6.0), arma::vec{5, 5, 3}, "absdiff", 1e-14));
}

TEST_CASE("tables: w is Binomial(m_jj, rho / (rho + (1 - rho) beta_j)), 0 where not sticky") {
    arma::mat m(3, 2, arma::fill::zeros);
    m(0, 0) = 6.0;
    const arma::vec log_beta = arma::log(arma::vec{0.4, 0.6});
    CHECK(arma::accu(sample_sticky_tables(m, log_beta, 0.0, BlockStreams({.seed = 3}))) == 0.0);
    std::vector<double> sample;
    for (std::uint32_t sweep = 0; sweep < 50000; ++sweep)
        sample.push_back(sample_sticky_tables(m, log_beta, 0.3, BlockStreams({.seed = 3, .sweep = sweep}))(0));
    const double p = 0.3 / (0.3 + 0.7 * 0.4);
    const auto pmf = [p](double k) {
        return std::exp(std::lgamma(7.0) - std::lgamma(k + 1.0) - std::lgamma(7.0 - k) + k * std::log(p) +
                        (6.0 - k) * std::log1p(-p));
    };
    CHECK(testing::chi_square_of_counts(sample, pmf, 7) > level);
}

TEST_CASE("tables: one Gibbs step on (r, eta, gamma) leaves the posterior of gamma invariant") {
    // Draw gamma from its exact posterior given mbar by inverting a grid of docs/model.md (21) times the prior, move it
    // once, and compare with the same posterior.
    const arma::vec base{4.0, 0.0, 1.0, 7.0};
    const GammaPrior prior{2.0, 1.0};
    const auto log_density = [&](double gamma) {
        double f = (prior.shape - 1.0) * std::log(gamma) - prior.rate * gamma + std::lgamma(gamma) -
                   std::lgamma(gamma + arma::accu(base));
        for (const double mbar : base) f += std::lgamma(gamma / 4.0 + mbar) - std::lgamma(gamma / 4.0);
        return f;
    };
    constexpr std::size_t n_grid = 40000;
    constexpr double top = 30.0;
    std::vector<double> cdf(n_grid + 1, 0.0);
    for (std::size_t i = 0; i < n_grid; ++i) {
        const double middle = top * (static_cast<double>(i) + 0.5) / n_grid;
        cdf[i + 1] = cdf[i] + std::exp(log_density(middle) - log_density(1.5));
    }
    for (double& value : cdf) value /= cdf.back();
    const auto quantile = [&](double u) {
        const auto above = std::upper_bound(cdf.begin(), cdf.end(), u) - cdf.begin();
        return top * static_cast<double>(above) / n_grid;
    };
    const auto distribution = [&](double x) { return cdf[static_cast<std::size_t>(std::min(x / top, 1.0) * n_grid)]; };
    std::vector<double> moved;
    for (std::uint32_t sweep = 0; sweep < 100000; ++sweep) {
        Stream rng({.seed = 7, .sweep = sweep});
        const double gamma = quantile((static_cast<double>(sweep) + 0.5) / 100000.0);
        const double r = sample_top_tables(base, gamma, BlockStreams({.seed = 8, .sweep = sweep}));
        const double log_eta = sample_log_eta(base, gamma, rng);
        moved.push_back(sample_gamma(prior, r, log_eta, rng));
    }
    CHECK(testing::kolmogorov_smirnov(moved, distribution) > level);
    Stream rng({.seed = 9});
    CHECK(sample_log_eta(arma::vec{0.0, 0.0}, 1.0, rng) == 0.0);
}
