// Euclidean locations: densities and gradients against long double, HMC against quadrature, and what must never happen.
#include "hmmlt/locations/euclidean.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

using Point = std::vector<long double>;  // a location matrix, column after column
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
    std::string name;
    double lambda;
    double location_precision;
    arma::mat location, n, q, log_pi;
};

Case make_case(const char* name, arma::uword n_dims, arma::uword n_states, double spread, double lambda,
               std::uint64_t seed) {
    Stream rng({.seed = seed});
    Case drawn{name,
               lambda,
               0.7,
               arma::mat(n_dims, n_states),
               arma::mat(n_states + 1, n_states),
               arma::mat(n_states, n_states),
               arma::mat(n_states + 1, n_states)};
    drawn.location.for_each([&](double& l) { l = draw_normal(0.3, spread, rng); });
    drawn.n.for_each([&](double& count) { count = std::floor(6.0 * draw_uniform(rng)); });
    drawn.q.for_each([&](double& count) { count = std::max(0.0, std::floor(9.0 * draw_uniform(rng)) - 3.0); });
    drawn.q.diag().zeros();
    drawn.log_pi.for_each([&](double& log_rate) { log_rate = draw_normal(-1.0, 3.0, rng); });
    return drawn;
}

std::vector<Case> cases() {
    std::vector<Case> all{make_case("ordinary", 3, 6, 1.0, 0.8, 1), make_case("one dimension", 1, 2, 1.0, 2.0, 2),
                          make_case("phi near 1", 2, 4, 1.0, 1e-9, 3), make_case("tiny distances", 2, 5, 1e-6, 1.3, 4),
                          make_case("phi underflows", 2, 4, 40.0, 1.5, 5)};
    Case zeros = make_case("rates of zero", 2, 4, 1.0, 0.5, 6);
    zeros.log_pi(1, 0) = zeros.log_pi(1, 2) = zeros.log_pi(3, 1) = -infinity;
    zeros.n(1, 0) = zeros.n(1, 2) = zeros.n(3, 1) = 0.0;
    zeros.n.row(2).zeros();  // nobody leaves state 2
    zeros.log_pi.row(2).fill(-infinity);
    all.push_back(zeros);
    return all;
}

long double squared_distance(const Case& c, const Point& l, arma::uword j, arma::uword k) {
    long double sum = 0.0L;
    for (arma::uword d = 0; d < c.location.n_rows; ++d) {
        const long double difference = l[j * c.location.n_rows + d] - l[k * c.location.n_rows + d];
        sum += difference * difference;
    }
    return sum;
}

// (56) or (58) word for word, over ordered pairs, without the constant.
long double reference(const Case& c, const Point& l, bool given_failed_jumps) {
    const auto lambda = static_cast<long double>(c.lambda);
    long double total = 0.0L;
    for (const long double x : l) total -= 0.5L * static_cast<long double>(c.location_precision) * x * x;
    for (arma::uword j = 0; j < c.location.n_cols; ++j) {
        long double rate = 0.0L;
        for (arma::uword k = 0; k < c.location.n_cols; ++k) {
            const long double delta = squared_distance(c, l, j, k);
            total -= lambda * static_cast<long double>(c.n(j, k)) * delta;
            rate += std::exp(static_cast<long double>(c.log_pi(j, k)) - lambda * delta);
            if (given_failed_jumps && c.q(j, k) > 0.0)
                total += static_cast<long double>(c.q(j, k)) * std::log(-std::expm1(-lambda * delta));
        }
        const auto departures = static_cast<long double>(arma::accu(c.n.row(j)));
        if (!given_failed_jumps && departures > 0.0L) total -= departures * std::log(rate);
    }
    return total;
}

// Five-point central difference. Where failed jumps make the density 0 at distance 0, the step is far below the
// smallest distance.
double difference_quotient(const Case& c, arma::uword element, bool given_failed_jumps) {
    long double scale = 1.0L;
    const Point centre(c.location.begin(), c.location.end());
    for (arma::uword j = 0; j < c.location.n_cols; ++j)
        for (arma::uword k = 0; k < j && given_failed_jumps; ++k)
            scale = std::min(scale, std::sqrt(squared_distance(c, centre, j, k)));
    const long double step = 1e-3L * scale;
    const auto at = [&](long double shift) {
        Point moved = centre;
        moved[element] += shift;
        return reference(c, moved, given_failed_jumps);
    };
    return static_cast<double>((8.0L * (at(step) - at(-step)) - (at(2.0L * step) - at(-2.0L * step))) / (12.0L * step));
}

double log_density(const Case& c, bool given_failed_jumps) {
    return given_failed_jumps
               ? location_log_density_given_failed_jumps(c.location, c.n, c.q, c.lambda, c.location_precision)
               : location_log_density(c.location, c.n, c.log_pi, c.lambda, c.location_precision);
}

arma::mat gradient(const Case& c, bool given_failed_jumps) {
    return given_failed_jumps
               ? location_gradient_given_failed_jumps(c.location, c.n, c.q, c.lambda, c.location_precision)
               : location_gradient(c.location, c.n, c.log_pi, c.lambda, c.location_precision);
}

HmcTarget target_of(Case& c, bool given_failed_jumps) {
    const auto moved = [&c](const arma::mat& location) {
        Case there = c;
        there.location = location;
        return there;
    };
    return {[=](const arma::mat& location) { return log_density(moved(location), given_failed_jumps); },
            [=](const arma::mat& location) { return gradient(moved(location), given_failed_jumps); }};
}

// P-value of the mean of a correlated chain: 100 batch means, far longer than its memory, are nearly independent.
double batch_means_test(const std::vector<double>& chain, double mean) {
    constexpr std::size_t n_batches = 100;
    const std::size_t length = chain.size() / n_batches;
    arma::vec means(n_batches, arma::fill::zeros);
    for (std::size_t i = 0; i < n_batches * length; ++i) means(i / length) += chain[i] / static_cast<double>(length);
    const double t = (arma::mean(means) - mean) / (arma::stddev(means) / std::sqrt(static_cast<double>(n_batches)));
    const boost::math::students_t law(static_cast<double>(n_batches - 1));
    return 2.0 * boost::math::cdf(boost::math::complement(law, std::abs(t)));
}

double integral(const std::function<double(double)>& f) {
    return 2.0 * boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, 0.0, infinity, 15, 1e-13);
}

// Two states on a line. With a = (l_0 + l_1)/sqrt 2 and b = (l_0 - l_1)/sqrt 2, which leave |l|^2 as it is, delta is
// 2 b^2, a is N(0, 1/h_l) and independent of b, and the density of b is an integral in one dimension.
void check_invariance(const Case& c, bool given_failed_jumps, double step_size, std::uint64_t seed) {
    Case at = c;
    const auto density = [&](double b) {
        at.location = arma::mat{{b / std::numbers::sqrt2, -b / std::numbers::sqrt2}};
        const double log_value = log_density(at, given_failed_jumps);
        return std::isfinite(log_value) ? std::exp(log_value) : 0.0;
    };
    const double mass = integral(density);
    const auto moment = [&](int power) {
        return integral([&](double b) { return std::pow(2.0 * b * b, power) * density(b); }) / mass;
    };
    const double b2 = 0.5 * moment(1);
    const double a2 = 1.0 / c.location_precision;

    EuclideanLocations spec{.n_dims = 1, .location_precision = c.location_precision};
    EuclideanLocationState state{c.location, {.log_step_size = std::log(step_size)}};
    std::vector<double> distance, distance2, centre2, square, position;
    std::size_t n_accepted = 0;
    constexpr std::uint32_t n_updates = 100000;
    for (std::uint32_t update = 0; update < n_updates; ++update) {
        Stream rng({.seed = seed, .sweep = update});
        const HmcInfo info = given_failed_jumps
                                 ? sample_locations_given_failed_jumps(spec, c.n, c.q, c.lambda, state, rng)
                                 : sample_locations(spec, c.n, c.log_pi, c.lambda, state, rng);
        n_accepted += info.accepted ? 1 : 0;
        const double first = state.location(0), second = state.location(1);
        distance.push_back((first - second) * (first - second));
        distance2.push_back(distance.back() * distance.back());
        centre2.push_back(0.5 * (first + second) * (first + second));
        square.push_back(first * first);
        position.push_back(first + second);
    }
    // Steps so long that a wrong acceptance rule would show.
    CHECK(n_accepted > n_updates / 2);
    CHECK(n_accepted < n_updates - n_updates / 30);
    CHECK(batch_means_test(distance, moment(1)) > level);
    CHECK(batch_means_test(distance2, moment(2)) > level);
    CHECK(batch_means_test(centre2, a2) > level);
    CHECK(batch_means_test(square, 0.5 * (a2 + b2)) > level);
    CHECK(batch_means_test(position, 0.0) > level);
}

}  // namespace

TEST_CASE("euclidean: squared distances and the prior by hand") {
    const arma::mat location{{0.0, 3.0, 1.0}, {0.0, 4.0, 0.0}};
    const arma::mat expected{{0.0, 25.0, 1.0}, {25.0, 0.0, 20.0}, {1.0, 20.0, 0.0}};
    CHECK(arma::approx_equal(squared_distances(location), expected, "absdiff", 0.0));
    // six cells, sum of squares 26
    CHECK(location_log_prior(location, 2.0) == doctest::Approx(3.0 * std::log(1.0 / std::numbers::pi) - 26.0));
}

TEST_CASE("euclidean: log densities are those of the model") {
    for (const Case& c : cases())
        for (const bool given_failed_jumps : {true, false}) {
            CAPTURE(c.name);
            CAPTURE(given_failed_jumps);
            double constant = location_log_prior(arma::zeros(arma::size(c.location)), c.location_precision);
            if (!given_failed_jumps)  // rates are scaled to a largest one of 1 in each row
                for (arma::uword j = 0; j < c.location.n_cols; ++j)
                    if (const double left = arma::accu(c.n.row(j)); left > 0.0)
                        constant += left * c.log_pi.row(j).max();
            const Point here(c.location.begin(), c.location.end());
            const auto expected = static_cast<double>(reference(c, here, given_failed_jumps));
            CHECK(log_density(c, given_failed_jumps) - constant == doctest::Approx(expected).epsilon(1e-13));
        }
}

TEST_CASE("euclidean: gradients are the derivatives of the log densities") {
    for (const Case& c : cases())
        for (const bool given_failed_jumps : {true, false}) {
            CAPTURE(c.name);
            CAPTURE(given_failed_jumps);
            const arma::mat found = gradient(c, given_failed_jumps);
            for (arma::uword element = 0; element < c.location.n_elem; ++element) {
                const double expected = difference_quotient(c, element, given_failed_jumps);
                CAPTURE(element);
                CHECK(std::abs(found(element) - expected) <= 1e-7 * std::abs(expected));
            }
        }
}

TEST_CASE("euclidean: a shift of all locations meets only the prior") {
    for (const Case& c : cases())
        for (const bool given_failed_jumps : {true, false}) {
            const arma::mat found = gradient(c, given_failed_jumps);
            const arma::vec expected = -c.location_precision * arma::sum(c.location, 1);
            const double scale = arma::abs(found).max();
            CHECK(arma::approx_equal(arma::sum(found, 1), expected, "absdiff", 1e-13 * scale));
        }
}

TEST_CASE("euclidean: the diagonal of q, failures of a jump to oneself, has no influence") {
    Case c = cases().front();
    const double before = log_density(c, true);
    const arma::mat gradient_before = gradient(c, true);
    c.q.diag().fill(7.0);
    CHECK(log_density(c, true) == before);
    CHECK(arma::approx_equal(gradient(c, true), gradient_before, "absdiff", 0.0));
}

TEST_CASE("euclidean: a leapfrog path run backwards ends where it began, and loses energy as the square of its step") {
    for (const bool given_failed_jumps : {true, false}) {
        Case c = cases().front();
        const HmcTarget target = target_of(c, given_failed_jumps);
        Stream rng({.seed = 31});
        arma::mat momentum(arma::size(c.location));
        momentum.for_each([&](double& g) { g = draw_standard_normal(rng); });
        const auto energy = [&](const arma::mat& l, const arma::mat& g) {
            return 0.5 * arma::dot(g, g) - target.log_density(l);
        };
        const auto error = [&](double epsilon, arma::uword n_leapfrog) {
            arma::mat l = c.location, g = momentum;
            REQUIRE(leapfrog(target, epsilon, n_leapfrog, l, g));
            const double loss = energy(l, g) - energy(c.location, momentum);
            CHECK(arma::abs(l - c.location).max() > 1e-3);
            g = -g;
            REQUIRE(leapfrog(target, epsilon, n_leapfrog, l, g));
            CHECK(arma::approx_equal(l, c.location, "absdiff", 1e-11));
            CHECK(arma::approx_equal(g, -momentum, "absdiff", 1e-9));
            return loss;
        };
        CHECK(error(1e-3, 20) / error(5e-4, 40) == doctest::Approx(4.0).epsilon(0.01));
    }
}

TEST_CASE("euclidean: HMC given Q leaves its target invariant") {
    Case c{"", 0.9, 1.5, arma::mat{{0.4, -0.3}}, arma::mat{{5, 1}, {2, 3}, {1, 0}}, arma::mat{{0, 2}, {1, 0}}, {}};
    check_invariance(c, true, 0.25, 101);
}

TEST_CASE("euclidean: HMC with u and Q integrated out leaves its target invariant") {
    const arma::mat log_pi = arma::log(arma::mat{{0.5, 3.0}, {2.0, 0.1}, {1.0, 1.0}});
    Case c{"", 0.9, 1.5, arma::mat{{0.4, -0.3}}, arma::mat{{5, 1}, {2, 3}, {1, 0}}, {}, log_pi};
    check_invariance(c, false, 0.25, 102);
}

TEST_CASE("euclidean: without a similarity the locations are drawn from their prior") {
    const EuclideanLocations spec{.n_dims = 2, .location_precision = 4.0};
    const arma::mat n(4, 3, arma::fill::value(100.0)), q(3, 3, arma::fill::zeros), log_pi(4, 3, arma::fill::zeros);
    Stream start({.seed = 41});
    EuclideanLocationState state = draw_euclidean_locations(spec, 3, start);
    CHECK(arma::size(state.location) == arma::size(2, 3));
    CHECK(std::exp(state.step_size.log_step_size) == doctest::Approx(spec.initial_step_size));
    std::vector<double> prior, given_failed_jumps, integrated;
    for (std::uint32_t update = 0; update < 20000; ++update) {
        Stream rng({.seed = 42, .sweep = update});
        prior.push_back(draw_euclidean_locations(spec, 3, rng).location(1, 2));
        CHECK(sample_locations_given_failed_jumps(spec, n, q, 0.0, state, rng).accepted);
        given_failed_jumps.push_back(state.location(1, 2));
        CHECK(sample_locations(spec, n, log_pi, 0.0, state, rng).acceptance_probability == 1.0);
        integrated.push_back(state.location(0, 0));
    }
    for (const auto& draws : {prior, given_failed_jumps, integrated})
        CHECK(testing::kolmogorov_smirnov(draws, [](double l) { return testing::normal_cdf(2.0 * l); }) > level);
}

TEST_CASE("euclidean: impossible places and wild steps are rejected, and nothing becomes NaN") {
    Case c = make_case("", 2, 4, 1.0, 0.8, 51);
    c.q.ones();
    const EuclideanLocations spec{.location_precision = c.location_precision};
    const auto expect_rejection = [&](EuclideanLocationState state, double lambda, bool given_failed_jumps) {
        const EuclideanLocationState before = state;
        Stream rng({.seed = 52});
        const HmcInfo info = given_failed_jumps
                                 ? sample_locations_given_failed_jumps(spec, c.n, c.q, lambda, state, rng)
                                 : sample_locations(spec, c.n, c.log_pi, lambda, state, rng);
        CHECK_FALSE(info.accepted);
        CHECK(info.acceptance_probability == 0.0);
        CHECK(state == before);
    };
    for (const double log_step_size : {3.0, 300.0, 700.0})
        for (const bool given_failed_jumps : {true, false})
            expect_rejection({c.location, {log_step_size, 0}}, c.lambda, given_failed_jumps);
    expect_rejection({c.location, {-3.0, 0}}, 0.0, true);  // phi = 1: no jump can have failed

    Case coincident = c;
    coincident.location.col(1) = coincident.location.col(3);
    CHECK(log_density(coincident, true) == -infinity);
    expect_rejection({coincident.location, {-3.0, 0}}, c.lambda, true);
    // Without failed jumps between the two, and in the integrated form, coincidence is nothing special.
    CHECK(gradient(coincident, false).is_finite());
    coincident.q(1, 3) = coincident.q(3, 1) = 0.0;
    CHECK(std::isfinite(log_density(coincident, true)));
    CHECK(gradient(coincident, true).is_finite());
}

TEST_CASE("euclidean: a path that meets a coincidence is rejected") {
    // Momentum (1, 0) and step 1 carry 0 to 1, exactly onto a density of 0, and on.
    const HmcTarget target{[](const arma::mat& l) { return l(0) == 1.0 ? -infinity : 0.0; },
                           [](const arma::mat& l) {
                               return arma::mat{{l(0) == 1.0 ? infinity * (l(1) - l(1)) : 0.0, 0.0}};
                           }};
    arma::mat position{{0.0, 5.0}}, momentum{{1.0, 0.0}};
    CHECK_FALSE(leapfrog(target, 1.0, 2, position, momentum));
    arma::mat other{{0.5, 5.0}}, same{{1.0, 0.0}};
    CHECK(leapfrog(target, 1.0, 2, other, same));
    CHECK(other(0) == 2.5);
}

TEST_CASE("euclidean: the step size reaches its target acceptance from both sides and is then frozen") {
    const Case c = make_case("", 2, 12, 1.0, 0.6, 61);
    for (const bool given_failed_jumps : {true, false})
        for (const double initial : {1e-4, 20.0}) {
            CAPTURE(given_failed_jumps);
            CAPTURE(initial);
            EuclideanLocations spec{.location_precision = c.location_precision, .initial_step_size = initial};
            EuclideanLocationState state{c.location, {.log_step_size = std::log(initial)}};
            const auto update = [&](EuclideanLocationState& at, std::uint32_t sweep) {
                Stream rng({.seed = 62, .sweep = sweep});
                return given_failed_jumps ? sample_locations_given_failed_jumps(spec, c.n, c.q, c.lambda, at, rng)
                                          : sample_locations(spec, c.n, c.log_pi, c.lambda, at, rng);
            };
            const auto burn_in = [&](EuclideanLocationState& at, std::uint32_t first, std::uint32_t last) {
                for (std::uint32_t sweep = first; sweep < last; ++sweep)
                    adapt_step_size(spec.target_acceptance, update(at, sweep).acceptance_probability, at.step_size);
            };
            burn_in(state, 0, 1500);
            EuclideanLocationState resumed = state;  // a checkpoint
            burn_in(state, 1500, 3000);
            burn_in(resumed, 1500, 3000);
            CHECK(state == resumed);
            CHECK(state.step_size.n_adaptations == 3000);

            const HmcStepSize frozen = state.step_size;
            double acceptance = 0.0;
            for (std::uint32_t sweep = 3000; sweep < 5000; ++sweep)
                acceptance += update(state, sweep).acceptance_probability / 2000.0;
            CHECK(acceptance == doctest::Approx(spec.target_acceptance).epsilon(0.05));
            CHECK(state.step_size == frozen);
            CHECK_FALSE(state == resumed);
        }
}

TEST_CASE("euclidean: bad arguments are named") {
    const Case c = cases().front();
    EuclideanLocations spec{.n_dims = 3};
    EuclideanLocationState state{c.location, {}};
    Stream rng({.seed = 71});
    CHECK_THROWS_WITH_AS(sample_locations_given_failed_jumps(spec, c.n, c.n, 1.0, state, rng),
                         "sample_locations_given_failed_jumps: rows of q must be of size 6, found 7",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(sample_locations(spec, c.q, c.log_pi, 1.0, state, rng),
                         "sample_locations: rows of n must be of size 7, found 6", std::domain_error);
    CHECK_THROWS_AS(sample_locations(spec, c.n, c.q, 1.0, state, rng), std::domain_error);
    CHECK_THROWS_AS(sample_locations(spec, c.n, c.log_pi, -1.0, state, rng), std::domain_error);
    CHECK_THROWS_AS(location_gradient(c.location, c.n, c.log_pi, 1.0, 0.0), std::domain_error);
    spec.n_leapfrog = 0;
    CHECK_THROWS_WITH_AS(sample_locations(spec, c.n, c.log_pi, 1.0, state, rng),
                         "hmc_update: n_leapfrog must be non-empty, found nothing", std::domain_error);
    CHECK_THROWS_AS(adapt_step_size(0.8, std::nan(""), state.step_size), std::domain_error);
    CHECK_THROWS_AS(draw_euclidean_locations({.initial_step_size = 0.0}, 3, rng), std::domain_error);
}
