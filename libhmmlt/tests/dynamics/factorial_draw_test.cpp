// The joint draw of chains of a factorial HMM against the enumeration of all joint paths, in both precisions.
#include "hmmlt/dynamics/factorial_draw.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "dynamics/small_factorials.hpp"
#include "hmmlt/dynamics/factorial.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::FactorialCase;
using testing::level;
using testing::missing;

namespace {

// With shapes e^40 times the rates of a start row, it is known: the first bits of other sequences say nothing new.
constexpr double known_start = 40.0;

double draw_jointly(const FactorialCase& model, const arma::uvec& dims, Precision precision, arma::umat& theta,
                    const StreamAddress& address, JointDrawScratch& scratch) {
    arma::cube log_pi = model.log_pi;
    log_pi.each_slice([](arma::mat& rates) { rates.row(2) += known_start; });
    return sample_joint_chains(dims, model.y, model.sequences, log_pi, model.weights, model.h, precision, scratch,
                               theta, BlockStreams(address));
}

arma::uword path_of(const arma::umat& theta, arma::uword first, arma::uword n_steps) {
    arma::uword path = 0;
    for (arma::uword t = 0; t < n_steps; ++t)
        for (arma::uword d = 0; d < theta.n_rows; ++d) path |= theta(d, first + t) << (theta.n_rows * t + d);
    return path;
}

// Draws of the chains `dims`, given the others in theta, against the exact law of all joint paths of each sequence.
void check_joint_draws(const FactorialCase& model, const arma::uvec& dims, const arma::umat& start, Precision precision,
                       std::uint64_t seed) {
    constexpr std::uint32_t n_draws = 100000;
    arma::uword others = 0;  // bits of a joint path that must stay, at one step
    for (arma::uword d = 0; d < model.n_dims(); ++d)
        if (!arma::any(dims == d)) others |= arma::uword{1} << d;
    std::vector<std::vector<double>> expected(model.sequences.count()), observed(model.sequences.count());
    double log_likelihood = 0.0;
    for (arma::uword s = 0; s < model.sequences.count(); ++s) {
        const arma::uword n_steps = model.sequences.length(s);
        arma::uword fixed = 0;
        for (arma::uword t = 0; t < n_steps; ++t) fixed |= others << (model.n_dims() * t);
        const arma::uword old = path_of(start, model.sequences.first[s], n_steps);
        arma::vec weights = testing::path_weights(model, s);
        for (arma::uword path = 0; path < weights.n_elem; ++path)
            if ((path & fixed) != (old & fixed)) weights(path) = 0.0;
        expected[s] = arma::conv_to<std::vector<double>>::from(n_draws / arma::accu(weights) * weights);
        observed[s].assign(weights.n_elem, 0.0);
        log_likelihood += std::log(arma::accu(weights));
    }
    if (others == 0) {
        arma::umat theta = start;
        JointDrawScratch scratch;
        CHECK(draw_jointly(model, dims, precision, theta, {.seed = seed}, scratch) ==
              doctest::Approx(log_likelihood).epsilon(precision == Precision::float32 ? 1e-6 : 1e-13));
    }
    arma::umat theta = start;
    JointDrawScratch scratch;
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        draw_jointly(model, dims, precision, theta, {.seed = seed, .sweep = draw}, scratch);
        for (arma::uword s = 0; s < model.sequences.count(); ++s)
            observed[s][path_of(theta, model.sequences.first[s], model.sequences.length(s))] += 1.0;
    }
    for (arma::uword s = 0; s < model.sequences.count(); ++s) {
        CAPTURE(s);
        std::vector<double> possible, seen;
        for (std::size_t path = 0; path < expected[s].size(); ++path) {
            if (expected[s][path] == 0.0) CHECK(observed[s][path] == 0.0);
            if (expected[s][path] == 0.0) continue;
            possible.push_back(expected[s][path]);
            seen.push_back(observed[s][path]);
        }
        CHECK(testing::chi_square(seen, possible) > level);
    }
}

FactorialCase ragged_case() {
    FactorialCase model = testing::make_factorial_case(2, 3, {3, 1, 5}, 121);
    model.y(0, 0) = model.y(2, 1) = missing;
    model.y.col(5).fill(missing);
    return model;
}

}  // namespace

TEST_CASE("factorial draw: the law of all joint paths, ragged, with missing cells") {
    const FactorialCase model = ragged_case();
    const arma::umat theta(2, 9, arma::fill::zeros);
    check_joint_draws(model, {0, 1}, theta, Precision::float32, 122);
    check_joint_draws(model, {0, 1}, theta, Precision::float64, 123);
}

TEST_CASE("factorial draw: the law of a block of chains given the others") {
    FactorialCase model = testing::make_factorial_case(3, 3, {3, 2}, 131);
    model.y(1, 1) = missing;
    const arma::umat theta{{0, 1, 1, 0, 1}, {1, 1, 0, 0, 0}, {0, 0, 1, 1, 1}};
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        check_joint_draws(model, {2, 0}, theta, precision, 132);
        check_joint_draws(model, {1}, theta, precision, 133);
    }
}

TEST_CASE("factorial draw: random blocks given the rest reach the joint law") {
    const FactorialCase model = testing::make_factorial_case(3, 2, {2}, 141);
    const arma::vec weights = testing::path_weights(model, 0);
    constexpr std::uint32_t n_runs = 30000;
    std::vector<double> observed(weights.n_elem, 0.0);
    JointDrawScratch scratch;
    for (std::uint32_t run = 0; run < n_runs; ++run) {
        arma::umat theta(3, 2, arma::fill::zeros);
        for (std::uint32_t sweep = 0; sweep < 25; ++sweep)
            draw_jointly(model, arma::uvec{sweep % 3, (sweep + 1) % 3}, Precision::float32, theta,
                         {.seed = 142, .chain = run, .sweep = sweep}, scratch);
        observed[path_of(theta, 0, 2)] += 1.0;
    }
    CHECK(testing::chi_square(
              observed, arma::conv_to<std::vector<double>>::from(n_runs / arma::accu(weights) * weights)) > level);
}

TEST_CASE("factorial draw: start rows are integrated out, over all sequences together") {
    const FactorialCase model = testing::make_factorial_case(1, 2, {2, 1, 1}, 145);
    const arma::mat rates = arma::exp(model.log_pi.slice(0));
    arma::vec weights(16);
    for (arma::uword path = 0; path < 16; ++path) {
        const arma::uvec bit{path & 1, path >> 1 & 1, path >> 2 & 1, path >> 3 & 1};
        weights(path) = rates(bit(0), bit(1)) / arma::accu(rates.row(bit(0)));
        for (arma::uword t = 0; t < 4; ++t) weights(path) *= std::exp(testing::log_emission(model, t, bit(t)));
        arma::rowvec urn = rates.row(2);
        for (const arma::uword first : {0u, 2u, 3u}) {
            weights(path) *= urn(bit(first));
            urn(bit(first)) += 1.0;
        }
    }
    constexpr std::uint32_t n_runs = 30000;
    std::vector<double> observed(16, 0.0);
    JointDrawScratch scratch;
    for (std::uint32_t run = 0; run < n_runs; ++run) {
        arma::umat theta(1, 4, arma::fill::zeros);
        for (std::uint32_t sweep = 0; sweep < 25; ++sweep)
            sample_joint_chains({0}, model.y, model.sequences, model.log_pi, model.weights, model.h, Precision::float32,
                                scratch, theta, BlockStreams({.seed = 146, .chain = run, .sweep = sweep}));
        observed[path_of(theta, 0, 4)] += 1.0;
    }
    CHECK(testing::chi_square(
              observed, arma::conv_to<std::vector<double>>::from(n_runs / arma::accu(weights) * weights)) > level);
}

TEST_CASE("factorial draw: its likelihood is that of the held-out scores") {
    for (const arma::uword n_dims : {1u, 4u, 8u, 9u, 12u, 13u}) {
        CAPTURE(n_dims);
        FactorialCase model = testing::make_factorial_case(n_dims, 4, {12, 1, 5}, 150 + n_dims);
        testing::lose_cells(model, 151);
        const double expected =
            arma::accu(factorial_log_likelihood(model.y, model.sequences, model.log_pi, model.weights, model.h));
        arma::umat theta(n_dims, model.sequences.n_steps(), arma::fill::zeros);
        JointDrawScratch scratch;
        const arma::uvec all = arma::regspace<arma::uvec>(0, n_dims - 1);
        CHECK(draw_jointly(model, all, Precision::float64, theta, {}, scratch) ==
              doctest::Approx(expected).epsilon(1e-12));
        CHECK(draw_jointly(model, all, Precision::float32, theta, {}, scratch) ==
              doctest::Approx(expected).epsilon(1e-6));
    }
}

TEST_CASE("factorial draw: many chains that separate have the laws of single chains") {
    constexpr arma::uword n_dims = 11, n_steps = 4;
    constexpr std::uint32_t n_draws = 20000;
    FactorialCase model = testing::make_factorial_case(n_dims, n_dims, {n_steps}, 161);
    for (arma::uword d = 0; d < n_dims; ++d)
        for (arma::uword i = 0; i < n_dims; ++i)
            if (i != d) model.weights(d + 1, i) = 0.0;
    std::vector<std::vector<double>> observed(n_dims, std::vector<double>(1 << n_steps, 0.0));
    arma::umat theta(n_dims, n_steps, arma::fill::zeros);
    JointDrawScratch scratch;
    const arma::uvec all = arma::regspace<arma::uvec>(0, n_dims - 1);
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        draw_jointly(model, all, Precision::float32, theta, {.seed = 162, .sweep = draw}, scratch);
        for (arma::uword d = 0; d < n_dims; ++d) observed[d][path_of(theta.row(d), 0, n_steps)] += 1.0;
    }
    for (arma::uword d = 0; d < n_dims; ++d) {
        const FactorialCase alone{model.log_pi.slices(d, d), model.weights(arma::uvec{0, d + 1}, arma::uvec{d}),
                                  model.h.row(d), model.y.row(d), model.sequences};
        const arma::vec weights = testing::path_weights(alone, 0);
        CHECK(testing::chi_square(observed[d], arma::conv_to<std::vector<double>>::from(n_draws / arma::accu(weights) *
                                                                                        weights)) > level);
    }
}

TEST_CASE("factorial draw: rates and densities far below the smallest float and the smallest double") {
    // As in factorial_test.cpp: both chains go 0, 1, 1, 0 at once, though no double holds the probability of that; with
    // the first rates a double does, and no float.
    for (const double scale : {0.1, 1.0}) {
        FactorialCase model{arma::cube(3, 2, 2), arma::mat{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}},
                            arma::vec{4000.0, 4000.0}, arma::mat{{0.0, 1.0, 1.0, 0.0}, {0.0, 1.0, 1.0, 0.0}},
                            Sequences::of_lengths({4})};
        model.log_pi.slice(0) = scale * arma::mat{{0.0, -600.0}, {-500.0, 0.0}, {0.0, -600.0}};
        model.log_pi.slice(1) = scale * arma::mat{{0.0, -650.0}, {-450.0, 0.0}, {0.0, -600.0}};
        const double expected =
            scale * (-600.0 - 500.0 - 650.0 - 450.0) + 8.0 * testing::log_normal_density(0.0, 0.0, 4000.0);
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            arma::umat theta(2, 4, arma::fill::zeros);
            JointDrawScratch scratch;
            CHECK(draw_jointly(model, {0, 1}, precision, theta, {.seed = 171}, scratch) ==
                  doctest::Approx(expected).epsilon(1e-12));
            CHECK(arma::all(theta.row(0) == arma::urowvec{0, 1, 1, 0}));
            CHECK(arma::all(theta.row(1) == arma::urowvec{0, 1, 1, 0}));
        }
    }
}

TEST_CASE("factorial draw: it keeps the space of few messages, and a sequence's draws are its own") {
    FactorialCase model = testing::make_factorial_case(3, 2, {100, 30}, 181);
    arma::umat theta(3, 130, arma::fill::zeros);
    JointDrawScratch scratch;
    draw_jointly(model, {0, 1, 2}, Precision::float32, theta, {.seed = 182}, scratch);
    CHECK(scratch.float64.stretch.n_cols() == 0);
    CHECK(scratch.float32.stretch.n_cols() + scratch.float32.last.n_cols() <= 20);
    const arma::umat before = theta;
    model.y.head_cols(100) *= -1.0;
    draw_jointly(model, {0, 1, 2}, Precision::float32, theta, {.seed = 182}, scratch);
    CHECK(arma::all(arma::vectorise(theta.tail_cols(30) == before.tail_cols(30))));
    CHECK(arma::any(arma::vectorise(theta.head_cols(100) != before.head_cols(100))));
}

TEST_CASE("factorial draw: bad arguments are named") {
    const FactorialCase model = testing::make_factorial_case(2, 3, {4}, 191);
    arma::umat theta(2, 4, arma::fill::zeros);
    JointDrawScratch scratch;
    CHECK_THROWS_WITH_AS(draw_jointly(model, {0, 2}, Precision::float32, theta, {}, scratch),
                         "sample_joint_chains: dims must be below 2, found 2", std::domain_error);
    CHECK_THROWS_WITH_AS(draw_jointly(model, arma::uvec(17, arma::fill::zeros), Precision::float32, theta, {}, scratch),
                         "sample_joint_chains: size of dims must be at most 16 (2^n states are summed), found 17",
                         std::domain_error);
    FactorialCase closed = model;
    closed.log_pi.slice(1).row(1).fill(-arma::datum::inf);
    CHECK_THROWS_WITH_AS(draw_jointly(closed, {0, 1}, Precision::float32, theta, {}, scratch),
                         "sample_joint_chains: log of the total rate of row 1 must be finite, found -inf",
                         std::domain_error);
    FactorialCase infinite = model;
    infinite.y(0, 2) = arma::datum::inf;
    CHECK_THROWS_AS(draw_jointly(infinite, {0, 1}, Precision::float32, theta, {}, scratch), std::domain_error);
}
