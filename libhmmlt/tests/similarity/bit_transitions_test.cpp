// Transitions of bits: similarities by hand, densities against brute force, draws against quadrature, and the limit in
// which the model is a factorial one.
#include "hmmlt/similarity/bit_transitions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "hmmlt/dynamics/transition_matrix.hpp"
#include "hmmlt/locations/corners.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/similarities.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

const arma::mat logits = arma::log(arma::mat{{0.2, 0.7}, {0.6, 0.9}} / (1.0 - arma::mat{{0.2, 0.7}, {0.6, 0.9}}));
const arma::umat theta{{0, 1, 1}, {1, 0, 1}};
const arma::mat n{{5, 2, 1}, {1, 3, 4}, {0, 2, 0}, {1, 0, 0}};
const arma::mat log_pi{{0.1, -1.0, 0.7}, {-2.0, 0.3, -1.5}, {0.4, 0.0, 0.2}, {0.0, 0.0, 0.0}};
const BetaPrior prior{1.5, 2.5};

// Its definition, docs/model.md (10), with A^(d)[v, 1] at logit x.
double brute(arma::uword dim, arma::uword from, double x) {
    arma::mat at = logits;
    at(from, dim) = x;
    double f = -prior.a * std::log1p(std::exp(-x)) - prior.b * std::log1p(std::exp(x));
    for (arma::uword j = 0; j < 3; ++j) {
        double total = 0.0;
        for (arma::uword k = 0; k < 3; ++k) {
            double phi = 1.0;
            for (arma::uword d = 0; d < 2; ++d) {
                const double logit = at(theta(d, j), d);
                phi /= 1.0 + std::exp(theta(d, k) == 1 ? -logit : logit);
            }
            total += std::exp(log_pi(j, k)) * phi;
            f += n(j, k) * std::log(phi);
        }
        f -= arma::accu(n.row(j)) * std::log(total);
    }
    return f;
}

// The probability of every path of n_steps through all corners, under a transition matrix and a start.
std::vector<double> path_law(const arma::mat& transition, const arma::vec& start, arma::uword n_steps) {
    std::vector<double> law(start.begin(), start.end());
    const arma::uword n_states = start.n_elem;
    for (arma::uword step = 1; step < n_steps; ++step) {
        std::vector<double> longer;
        for (std::size_t path = 0; path < law.size(); ++path)
            for (arma::uword k = 0; k < n_states; ++k) longer.push_back(law[path] * transition(path % n_states, k));
        law = std::move(longer);
    }
    return law;
}

// Half the sum of differences between the law of z and that of independent chains, averaged over draws of the model.
double distance_from_factorial(arma::uword n_dims, double concentration) {
    Model model;
    model.n_states = n_corners(n_dims);
    model.similarity = FactorialLimitSimilarity{{2.0, 2.0}};
    model.locations = CornerLocations{n_dims};
    model.emission = CategoricalSpec::symmetric(2, 1.0);
    model.gamma = concentration;
    model.c = concentration;
    constexpr std::uint32_t n_draws = 20;
    double sum = 0.0;
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        const State state = draw_parameters(model, {.seed = 5, .draw = draw});
        TransitionMatrix found;
        normalise_rates(state.log_pi, log_similarities(state), found);
        // each chain by itself, then their product over all corners
        const arma::mat on = 1.0 / (1.0 + arma::exp(-state.bit_logits));
        arma::mat chains(model.n_states, model.n_states, arma::fill::ones);
        for (arma::uword j = 0; j < model.n_states; ++j)
            for (arma::uword k = 0; k < model.n_states; ++k)
                for (arma::uword d = 0; d < n_dims; ++d)
                    chains(j, k) *= (k >> d & 1) == 1 ? on(j >> d & 1, d) : 1.0 - on(j >> d & 1, d);
        const arma::vec start(model.n_states, arma::fill::value(1.0 / static_cast<double>(model.n_states)));
        const std::vector<double> law = path_law(found.from_to, found.start, 3);
        const std::vector<double> limit = path_law(chains, start, 3);
        for (std::size_t path = 0; path < law.size(); ++path) sum += 0.5 * std::abs(law[path] - limit[path]) / n_draws;
    }
    return sum;
}

}  // namespace

TEST_CASE("bit transitions: similarities by hand, with a direction") {
    const arma::mat phi = arma::exp(log_bit_similarities(theta, logits));
    CHECK(phi(0, 1) == doctest::Approx(0.2 * 0.1).epsilon(1e-14));  // 0 -> 1 of the first bit, 1 -> 0 of the second
    CHECK(phi(1, 0) == doctest::Approx(0.4 * 0.7).epsilon(1e-14));
    CHECK(phi(2, 2) == doctest::Approx(0.6 * 0.9).epsilon(1e-14));
    const arma::mat complete = arma::exp(log_bit_similarities(all_corners(2), logits));
    for (arma::uword j = 0; j < 4; ++j) CHECK(arma::accu(complete.row(j)) == doctest::Approx(1.0).epsilon(1e-14));
    CHECK_THROWS_WITH(log_bit_similarities(theta, logits.head_cols(1)), doctest::Contains("log_bit_similarities"));
}

TEST_CASE("corners: the bits of a state are those of its number") {
    const arma::umat square = all_corners(2);
    CHECK((square(0, 0) == 0 && square(0, 1) == 1 && square(0, 2) == 0 && square(0, 3) == 1));
    CHECK((square(1, 0) == 0 && square(1, 1) == 0 && square(1, 2) == 1 && square(1, 3) == 1));
    const arma::uvec numbers = corners_of_bits(all_corners(3));
    for (arma::uword j = 0; j < 8; ++j) CHECK(numbers(j) == j);
    CHECK_THROWS_WITH(n_corners(17), doctest::Contains("n_dims"));
}

TEST_CASE("bit transitions: the density is that of the model, its slope a difference") {
    for (arma::uword dim = 0; dim < 2; ++dim)
        for (arma::uword from = 0; from < 2; ++from) {
            CAPTURE(dim);
            CAPTURE(from);
            const BitTransitionGivenRates law = bit_transition_law(prior, dim, from, theta, logits, n, log_pi);
            for (const double x : {-30.0, -2.0, 0.4, 3.0, 25.0}) {
                CHECK(law(x).value - law(0.0).value ==
                      doctest::Approx(brute(dim, from, x) - brute(dim, from, 0.0)).epsilon(1e-9));
                const double difference = (law(x + 1e-5).value - law(x - 1e-5).value) / 2e-5;
                CHECK(law(x).slope == doctest::Approx(difference).epsilon(1e-6));
            }
        }
}

TEST_CASE("bit transitions: draws follow the density; the prior is a Beta law") {
    const BitTransitionGivenRates law = bit_transition_law(prior, 0, 1, theta, logits, n, log_pi);
    constexpr std::size_t n_grid = 20000;
    constexpr double bottom = -40.0;
    constexpr double top = 40.0;
    std::vector<double> cdf(n_grid + 1, 0.0);
    for (std::size_t i = 0; i < n_grid; ++i)
        cdf[i + 1] = cdf[i] + std::exp(brute(0, 1, bottom + (top - bottom) * (static_cast<double>(i) + 0.5) / n_grid));
    Stream rng({.seed = 1});
    const auto draws = testing::sample(20000, [&] { return draw_log_concave(law, {}, 0.0, rng); });
    CHECK(testing::kolmogorov_smirnov(draws, [&](double x) {
              const double position = (x - bottom) / (top - bottom) * n_grid;
              const auto below = static_cast<std::size_t>(position);
              return (cdf[below] + (position - static_cast<double>(below)) * (cdf[below + 1] - cdf[below])) /
                     cdf.back();
          }) > level);

    std::vector<double> uniform;  // Beta(2, 1) has the distribution function x^2
    for (std::uint32_t draw = 0; draw < 5000; ++draw)
        for (const double x : draw_bit_transitions({2.0, 1.0}, 2, BlockStreams({.seed = 2, .sweep = draw})))
            uniform.push_back(1.0 / (1.0 + std::exp(-x)));
    CHECK(testing::kolmogorov_smirnov(uniform, [](double x) { return x * x; }) > level);
    // normalised with respect to d logit: 2 a (1 - a) a is the density of Beta(2, 1) there
    CHECK(log_density_of_bit_transitions({2.0, 1.0}, arma::mat(1, 1, arma::fill::value(0.3))) ==
          doctest::Approx(std::log(2.0) - 2.0 * std::log1p(std::exp(-0.3)) - std::log1p(std::exp(0.3))));
}

TEST_CASE("bit transitions: with large concentrations at all corners the law of z is that of independent chains") {
    for (const arma::uword n_dims : {2u, 3u}) {
        CAPTURE(n_dims);
        const double near = distance_from_factorial(n_dims, 1e4);
        const double nearer = distance_from_factorial(n_dims, 1e6);
        const double nearest = distance_from_factorial(n_dims, 1e8);
        CHECK(near < 0.15);
        // the shapes of pi grow with the concentration, and with its root its rates approach each other
        CHECK(nearer / near == doctest::Approx(0.1).epsilon(0.3));
        CHECK(nearest / nearer == doctest::Approx(0.1).epsilon(0.3));
        CHECK(nearest < 0.002);
    }
}
