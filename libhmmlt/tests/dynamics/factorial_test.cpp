// The factorial HMM against enumeration of all joint paths, and against a plain HMM where it is one.
#include "hmmlt/dynamics/factorial.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "dynamics/small_factorials.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

// Draws of chain `dim` of sequence `sequence` given the other chains in theta, against the exact law of its 2^T paths.
void check_chain_draws(const FactorialCase& model, arma::uword dim, arma::uword sequence, arma::umat theta,
                       std::uint64_t seed) {
    const arma::uword n_steps = model.sequences.length(sequence), first = model.sequences.first[sequence];
    const arma::vec weights = path_weights(model, sequence);
    std::vector<double> expected(arma::uword{1} << n_steps, 0.0), observed(expected.size(), 0.0);
    double total = 0.0;
    for (arma::uword path = 0; path < weights.n_elem; ++path) {
        bool agrees = true;
        arma::uword own = 0;
        for (arma::uword t = 0; t < n_steps; ++t)
            for (arma::uword d = 0; d < model.n_dims(); ++d) {
                const arma::uword bit = bit_of_path(path, model.n_dims(), t, d);
                if (d == dim) own |= bit << t;
                if (d != dim && bit != theta(d, first + t)) agrees = false;
            }
        if (!agrees) continue;
        expected[own] += weights(path);
        total += weights(path);
    }
    constexpr std::uint32_t n_draws = 100000;
    for (double& count : expected) count *= n_draws / total;
    const arma::umat before = theta;
    const arma::vec log_odds = factorial_log_odds(dim, model.y, theta, model.weights, model.h);
    for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
        sample_chain(dim, model.log_pi.slice(dim), log_odds, model.sequences, theta,
                     BlockStreams({.seed = seed, .sweep = sweep}));
        arma::uword own = 0;
        for (arma::uword t = 0; t < n_steps; ++t) own |= theta(dim, first + t) << t;
        observed[own] += 1.0;
    }
    CHECK(chi_square(observed, expected) > level);
    for (arma::uword d = 0; d < model.n_dims(); ++d)
        if (d != dim) CHECK(arma::all(theta.row(d) == before.row(d)));
}

}  // namespace

TEST_CASE("factorial: the log odds of a bit are a difference of two log likelihoods") {
    FactorialCase model = make_factorial_case(3, 4, {6, 2}, 11);
    lose_cells(model, 12);
    REQUIRE(model.y.has_nan());
    Stream rng({.seed = 13});
    arma::umat theta(3, 8);
    theta.for_each([&](arma::uword& bit) { bit = draw_uniform(rng) < 0.5 ? 1 : 0; });
    for (arma::uword dim = 0; dim < 3; ++dim) {
        const arma::vec log_odds = factorial_log_odds(dim, model.y, theta, model.weights, model.h);
        for (arma::uword step = 0; step < 8; ++step) {
            arma::uword joint = 0;
            for (arma::uword d = 0; d < 3; ++d)
                if (d != dim) joint |= theta(d, step) << d;
            const double expected =
                log_emission(model, step, joint | arma::uword{1} << dim) - log_emission(model, step, joint);
            CHECK(std::abs(log_odds(step) - expected) < 1e-12 * (1.0 + std::abs(expected)));
        }
        CHECK(log_odds(1) == 0.0);  // a step that is missing altogether
        arma::umat flipped = theta;
        flipped.row(dim) = 1 - flipped.row(dim);
        CHECK(arma::all(factorial_log_odds(dim, model.y, flipped, model.weights, model.h) == log_odds));
    }
}

TEST_CASE("factorial: likelihood and conditionals against the enumeration of all joint paths") {
    FactorialCase model = make_factorial_case(2, 3, {3, 1, 3}, 21);
    model.y(0, 0) = model.y(2, 1) = missing;
    model.y.col(5).fill(missing);
    const arma::vec found = factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h);
    for (arma::uword sequence = 0; sequence < 3; ++sequence)
        CHECK(found(sequence) == doctest::Approx(std::log(arma::accu(path_weights(model, sequence)))).epsilon(1e-13));
    const arma::umat theta{{0, 1, 1, 0, 1, 0, 0}, {1, 1, 0, 0, 0, 1, 1}};
    for (const arma::uword sequence : {0u, 2u})
        for (const arma::uword dim : {0u, 1u}) check_chain_draws(model, dim, sequence, theta, 22 + dim);
}

TEST_CASE("factorial: Gibbs over the chains reaches the joint law") {
    const FactorialCase model = make_factorial_case(2, 2, {3}, 31);
    const arma::vec weights = path_weights(model, 0);
    constexpr std::uint32_t n_runs = 30000;
    std::vector<double> observed(weights.n_elem, 0.0), expected(weights.n_elem);
    for (arma::uword path = 0; path < weights.n_elem; ++path)
        expected[path] = n_runs * weights(path) / arma::accu(weights);
    for (std::uint32_t run = 0; run < n_runs; ++run) {
        arma::umat theta(2, 3, arma::fill::zeros);
        for (std::uint32_t sweep = 0; sweep < 25; ++sweep)
            for (arma::uword dim = 0; dim < 2; ++dim)
                sample_chain(dim, model.log_pi.slice(dim),
                             factorial_log_odds(dim, model.y, theta, model.weights, model.h), model.sequences, theta,
                             BlockStreams({.seed = 32, .chain = run, .sweep = sweep}));
        arma::uword path = 0;
        for (arma::uword t = 0; t < 3; ++t) path |= (theta(0, t) | theta(1, t) << 1) << 2 * t;
        observed[path] += 1.0;
    }
    CHECK(chi_square(observed, expected) > level);
}

TEST_CASE("factorial: one chain is a plain HMM with two states") {
    FactorialCase model = make_factorial_case(1, 2, {7, 4}, 41);
    lose_cells(model, 42);
    const arma::vec found = factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h);
    CHECK(found(0) == doctest::Approx(dense_log_likelihood(model, 0)).epsilon(1e-13));
    CHECK(found(0) == doctest::Approx(std::log(arma::accu(path_weights(model, 0)))).epsilon(1e-13));
    CHECK(found(1) == doctest::Approx(dense_log_likelihood(model, 1)).epsilon(1e-13));
    check_chain_draws(model, 0, 0, arma::umat(1, 11, arma::fill::zeros), 43);
}

TEST_CASE("factorial: the Kronecker likelihood is the dense one") {
    for (const arma::uword n_dims : {2u, 3u, 5u, 7u}) {
        FactorialCase model = make_factorial_case(n_dims, 4, {12, 1, 5}, 50 + n_dims);
        lose_cells(model, 51);
        const arma::vec found =
            factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h);
        for (arma::uword sequence = 0; sequence < 3; ++sequence)
            CHECK(found(sequence) == doctest::Approx(dense_log_likelihood(model, sequence)).epsilon(1e-12));
    }
    // Channels that never depend on more than their own chain: the chains separate, however many there are.
    for (const arma::uword n_dims : {9u, 11u, 12u, 14u}) {  // from 12 on the messages are cut into pieces
        FactorialCase model = make_factorial_case(n_dims, n_dims, {10}, 61);
        for (arma::uword d = 0; d < n_dims; ++d)
            for (arma::uword i = 0; i < n_dims; ++i)
                if (i != d) model.weights(d + 1, i) = 0.0;
        double expected = 0.0;
        for (arma::uword d = 0; d < n_dims; ++d) {
            FactorialCase alone{model.log_pi.slices(d, d), model.weights(arma::uvec{0, d + 1}, arma::uvec{d}),
                                model.h.row(d), model.y.row(d), model.sequences};
            expected += dense_log_likelihood(alone, 0);
        }
        CHECK(factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h)(0) ==
              doctest::Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("factorial: rates and densities far below the smallest double") {
    // Changing a bit has probability e^-450 to e^-650, but a wrong bit makes its channel e^-2000 times as likely: both
    // chains go 0, 1, 1, 0 at once, and no double holds the probability of that.
    FactorialCase model{arma::cube(3, 2, 2), arma::mat{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}, arma::vec{4000.0, 4000.0},
                        arma::mat{{0.0, 1.0, 1.0, 0.0}, {0.0, 1.0, 1.0, 0.0}}, Sequences::of_lengths({4})};
    model.log_pi.slice(0) = arma::mat{{0.0, -600.0}, {-500.0, 0.0}, {0.0, -600.0}};
    model.log_pi.slice(1) = arma::mat{{0.0, -650.0}, {-450.0, 0.0}, {0.0, -600.0}};
    const double expected = -600.0 - 500.0 - 650.0 - 450.0 + 8.0 * log_normal_density(0.0, 0.0, 4000.0);
    CHECK(factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h)(0) ==
          doctest::Approx(expected).epsilon(1e-13));
    arma::umat theta(2, 4, arma::fill::zeros);
    const arma::vec log_odds = factorial_log_odds(1, model.y, theta, model.weights, model.h);
    sample_chain(1, model.log_pi.slice(1), log_odds, model.sequences, theta, BlockStreams({.seed = 71}));
    CHECK(arma::all(theta.row(1) == arma::urowvec{0, 1, 1, 0}));

    // Exact zeros forbid what the data ask for: from 0 only to 1, from 1 only to 0.
    const arma::mat alternating{{-arma::datum::inf, 0.0}, {0.0, -arma::datum::inf}, {-arma::datum::inf, 0.0}};
    const arma::vec against{-900.0, 900.0, -900.0, 900.0};
    sample_chain(0, alternating, against, model.sequences, theta, BlockStreams({.seed = 72}));
    CHECK(arma::all(theta.row(0) == arma::urowvec{1, 0, 1, 0}));
}

TEST_CASE("factorial: a sequence's draws depend neither on the other sequences nor on the other chains' streams") {
    const FactorialCase model = make_factorial_case(2, 2, {40, 30}, 81);
    arma::umat theta(2, 70, arma::fill::zeros);
    arma::vec log_odds = factorial_log_odds(0, model.y, theta, model.weights, model.h);
    const BlockStreams rng({.seed = 82});
    sample_chain(0, model.log_pi.slice(0), log_odds, model.sequences, theta, rng);
    const arma::umat before = theta;
    log_odds.head(40) *= -1.0;
    sample_chain(0, model.log_pi.slice(0), log_odds, model.sequences, theta, rng);
    CHECK(arma::all(theta.row(0).tail(30) == before.row(0).tail(30)));
    CHECK(arma::any(theta.row(0).head(40) != before.row(0).head(40)));
    const arma::vec even(70, arma::fill::zeros);
    const arma::mat fair(3, 2, arma::fill::zeros);
    sample_chain(0, fair, even, model.sequences, theta, rng);
    sample_chain(1, fair, even, model.sequences, theta, rng);
    CHECK(arma::any(theta.row(0) != theta.row(1)));
}

TEST_CASE("factorial: bad arguments are named") {
    const FactorialCase model = make_factorial_case(2, 3, {4}, 91);
    arma::umat theta(2, 4, arma::fill::zeros);
    CHECK_THROWS_WITH_AS(factorial_log_odds(2, model.y, theta, model.weights, model.h),
                         "factorial_log_odds: dim must be below 2, found 2", std::domain_error);
    CHECK_THROWS_AS(factorial_log_odds(0, model.y, theta.head_cols(3), model.weights, model.h), std::domain_error);
    CHECK_THROWS_WITH_AS(sample_chain(0, model.weights, arma::vec(4, arma::fill::zeros), model.sequences, theta,
                                      BlockStreams({.seed = 1})),
                         "sample_chain: columns of log_pi must be of size 2, found 3", std::domain_error);
    const arma::vec not_a_number{0.0, 0.0, missing, 0.0};
    CHECK_THROWS_AS(
        sample_chain(0, model.log_pi.slice(0), not_a_number, model.sequences, theta, BlockStreams({.seed = 1})),
        std::domain_error);
    const arma::mat closed{{0.0, 0.0}, {-arma::datum::inf, -arma::datum::inf}, {0.0, 0.0}};
    CHECK_THROWS_WITH_AS(
        sample_chain(0, closed, arma::vec(4, arma::fill::zeros), model.sequences, theta, BlockStreams({.seed = 1})),
        "sample_chain: log of the total rate of row 1 must be finite, found -inf", std::domain_error);
    CHECK_THROWS_WITH_AS(
        factorial_log_likelihood(model.y, model.sequences, arma::cube(3, 2, 21), arma::mat(22, 3), model.h),
        "factorial_log_likelihood: number of chains must be at most 20 (2^n states are summed), found 21",
        std::domain_error);
    CHECK_THROWS_AS(factorial_log_likelihood(model.y, Sequences::of_lengths({5}), model.log_pi, model.weights, model.h),
                    std::domain_error);
}
