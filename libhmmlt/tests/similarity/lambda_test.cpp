// lambda: derivatives against differences, values against brute force, draws against quadrature.
#include "hmmlt/similarity/lambda.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

const arma::mat distance{{0, 1, 3}, {1, 0, 2}, {3, 2, 0}};
const arma::mat n{{5, 2, 1}, {1, 3, 0}, {0, 0, 0}, {1, 0, 0}};
const arma::mat q{{0, 4, 9}, {2, 0, 6}, {0, 0, 0}};
const arma::mat log_pi{{0.1, -1.0, 0.7}, {-2.0, 0.3, -500.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
const ExponentialPrior prior{0.5};

double brute_given_q(double lambda) {
    double f = -prior.rate * lambda;
    for (arma::uword j = 0; j < 3; ++j)
        for (arma::uword k = 0; k < 3; ++k) {
            const double phi = std::exp(-lambda * distance(j, k));
            f += n(j, k) * std::log(phi) + (q(j, k) > 0.0 ? q(j, k) * std::log(1.0 - phi) : 0.0);
        }
    return f;
}

double brute_integrated(double lambda) {
    double f = -prior.rate * lambda;
    for (arma::uword j = 0; j < 3; ++j) {
        double total = 0.0;
        for (arma::uword k = 0; k < 3; ++k) {
            total += std::exp(log_pi(j, k) - lambda * distance(j, k));
            f += n(j, k) * (-lambda * distance(j, k));
        }
        f -= arma::accu(n.row(j)) * std::log(total);
    }
    return f;
}

template <typename Density>
void check_density(const Density& density, const std::function<double(double)>& brute) {
    for (const double lambda : {0.01, 0.4, 1.0, 5.0}) {
        CAPTURE(lambda);
        CHECK(density(lambda).value - density(1.0).value == doctest::Approx(brute(lambda) - brute(1.0)).epsilon(1e-11));
        const double step = 1e-5 * lambda;
        const double difference = (density(lambda + step).value - density(lambda - step).value) / (2.0 * step);
        CHECK(density(lambda).slope == doctest::Approx(difference).epsilon(1e-7));
    }
}

// KS test of draws against the normalised density on (0, top).
double fit(const std::vector<double>& draws, const std::function<double(double)>& log_density, double top) {
    constexpr std::size_t n_grid = 20000;
    std::vector<double> cdf(n_grid + 1, 0.0);
    const double reference = log_density(1.0);
    for (std::size_t i = 0; i < n_grid; ++i)
        cdf[i + 1] = cdf[i] + std::exp(log_density(top * (static_cast<double>(i) + 0.5) / n_grid) - reference);
    return testing::kolmogorov_smirnov(draws, [&](double x) {
        const double position = std::min(x / top, 1.0) * n_grid;
        const auto below = static_cast<std::size_t>(position);
        if (below >= n_grid) return 1.0;
        return (cdf[below] + (position - static_cast<double>(below)) * (cdf[below + 1] - cdf[below])) / cdf.back();
    });
}

}  // namespace

TEST_CASE("lambda: density given Q") {
    const LambdaGivenFailedJumps density(prior, distance, n, q);
    check_density(density, brute_given_q);
    CHECK(density.failures.size() == 3);  // one entry per distinct distance
    CHECK(density.n_failures == 21.0);
}

TEST_CASE("lambda: density with u and Q integrated out") {
    check_density(LambdaGivenRates(prior, distance, n, log_pi), brute_integrated);
}

TEST_CASE("lambda: distances that are no whole numbers, some of them equal, are another unit of length") {
    constexpr double unit = 0.37;
    const arma::mat whole{{0, 2, 2}, {2, 0, 3}, {2, 3, 0}};
    const arma::mat other = unit * whole;
    const ExponentialPrior same_prior{prior.rate * unit};
    for (const double lambda : {0.01, 1.0, 5.0}) {
        CAPTURE(lambda);
        const auto compare = [&](const LogDensity& found, const LogDensity& expected) {
            CHECK(found.value == doctest::Approx(expected.value).epsilon(1e-12));
            CHECK(found.slope == doctest::Approx(unit * expected.slope).epsilon(1e-12));
        };
        compare(LambdaGivenFailedJumps(same_prior, other, n, q)(lambda / unit),
                LambdaGivenFailedJumps(prior, whole, n, q)(lambda));
        compare(LambdaGivenRates(same_prior, other, n, log_pi)(lambda / unit),
                LambdaGivenRates(prior, whole, n, log_pi)(lambda));
    }
}

TEST_CASE("lambda: distances need not be symmetric, and jumps to the state itself say nothing") {
    const arma::mat one_way{{0, 1, 3}, {2, 0, 5}, {4, 1, 0}};
    const arma::mat left{{5, 2, 1}, {1, 3, 2}, {2, 4, 1}, {1, 0, 0}};
    const arma::mat failed{{7, 4, 9}, {2, 3, 6}, {1, 8, 5}};
    for (const double unit : {1.0, 0.37}) {  // whole numbers are collected, others are not
        const arma::mat delta = unit * one_way;
        const auto travelled = [&](double lambda) {
            return -lambda * (prior.rate + arma::accu(delta % left.head_rows(3)));
        };
        check_density(LambdaGivenFailedJumps(prior, delta, left, failed), [&](double lambda) {
            double f = travelled(lambda);
            for (arma::uword j = 0; j < 3; ++j)
                for (arma::uword k = 0; k < 3; ++k)
                    if (j != k) f += failed(j, k) * std::log(1.0 - std::exp(-lambda * delta(j, k)));
            return f;
        });
        arma::mat never = log_pi;  // no jump to the state itself ever succeeds
        never.diag().fill(minus_infinity);
        for (const arma::mat& rates : {log_pi, never})
            check_density(LambdaGivenRates(prior, delta, left, rates), [&](double lambda) {
                double f = travelled(lambda);
                for (arma::uword j = 0; j < 3; ++j)
                    f -=
                        arma::accu(left.row(j)) * std::log(arma::accu(arma::exp(rates.row(j) - lambda * delta.row(j))));
                return f;
            });
    }
}

TEST_CASE("lambda: draws follow both densities") {
    Stream rng({.seed = 1});
    double lambda = 1.0;
    const auto given_q =
        testing::sample(50000, [&] { return sample_lambda_given_failed_jumps(prior, distance, n, q, lambda, rng); });
    CHECK(fit(given_q, brute_given_q, 20.0) > level);
    const auto integrated =
        testing::sample(50000, [&] { return sample_lambda(prior, distance, n, log_pi, lambda, rng); });
    CHECK(fit(integrated, brute_integrated, 40.0) > level);
}

TEST_CASE("lambda: no data gives the prior; too many failures leave it alone") {
    Stream rng({.seed = 2});
    const arma::mat nothing(4, 3, arma::fill::zeros);
    const arma::mat no_failures(3, 3, arma::fill::zeros);
    const auto draws = testing::sample(
        50000, [&] { return sample_lambda_given_failed_jumps(prior, distance, nothing, no_failures, 3.0, rng); });
    CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return -std::expm1(-0.5 * x); }) > level);
    CHECK(sample_lambda_given_failed_jumps(prior, distance, n, q * 1e14, 3.0, rng) == 3.0);
}

TEST_CASE("lambda: large values do not underflow the totals") {
    // a row whose own state is e^-900 as likely as its neighbours: at lambda = 400 every term is far below the smallest
    // double
    const arma::mat lonely{{-900.0, 0.0, 0.0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const LambdaGivenRates density(prior, distance, n, lonely);
    CHECK(std::isfinite(density(400.0).value));
    CHECK(std::isfinite(density(400.0).slope));
}
