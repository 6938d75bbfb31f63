// Bits: log-odds and block draws against the density written out in full.
#include "hmmlt/locations/binary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "hmmlt/math/log_space.hpp"
#include "locations/bit_case.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::BitCase, testing::level, testing::log_prior_and_evidence, testing::make_bit_case;

namespace {

double log_density_given_q(const BitCase& c, const arma::umat& theta) {
    double f = log_prior_and_evidence(c, theta);
    const arma::mat distance = hamming_distances(theta);
    for (arma::uword j = 0; j < theta.n_cols; ++j)
        for (arma::uword k = 0; k < theta.n_cols; ++k) {
            f -= c.lambda * distance(j, k) * c.n(j, k);
            if (c.q(j, k) > 0.0) f += c.q(j, k) * log1m_exp(-c.lambda * distance(j, k));
        }
    return f;
}

double log_density_integrated(const BitCase& c, const arma::umat& theta) {
    double f = log_prior_and_evidence(c, theta);
    const arma::mat distance = hamming_distances(theta);
    for (arma::uword j = 0; j < theta.n_cols; ++j) {
        double total = 0.0;
        for (arma::uword k = 0; k < theta.n_cols; ++k) {
            total += std::exp(c.log_pi(j, k) - c.lambda * distance(j, k));
            f -= c.lambda * distance(j, k) * c.n(j, k);
        }
        f -= arma::accu(c.n.row(j)) * std::log(total);
    }
    return f;
}

arma::umat with_bits(arma::umat theta, arma::uword state, std::size_t bits) {
    for (arma::uword d = 0; d < theta.n_rows; ++d) theta(d, state) = bits >> d & 1;
    return theta;
}

}  // namespace

TEST_CASE("binary: Hamming distances by hand") {
    const arma::umat theta{{0, 1, 1}, {0, 0, 1}, {1, 0, 1}};
    const arma::mat expected{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}};
    CHECK(arma::approx_equal(hamming_distances(theta), expected, "absdiff", 0.0));
    CHECK(arma::approx_equal(hamming_distances(arma::umat(0, 2)), arma::mat(2, 2, arma::fill::zeros), "absdiff", 0.0));
    arma::umat long_ones(130, 3, arma::fill::zeros);  // more bits than two words hold
    for (const arma::uword dim : {0u, 63u, 64u, 127u, 128u, 129u}) long_ones(dim, 1) = 1;
    long_ones(64, 2) = 1;
    const arma::mat expected_of_long{{0, 6, 1}, {6, 0, 5}, {1, 5, 0}};
    CHECK(arma::approx_equal(hamming_distances(long_ones), expected_of_long, "absdiff", 0.0));
}

TEST_CASE("binary: the log-odds of a bit are the difference of two log densities") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const BitCase c = make_bit_case(4, 5, seed);
        for (arma::uword state = 0; state < 5; ++state)
            for (arma::uword dim = 0; dim < 4; ++dim) {
                arma::umat on = c.theta;
                arma::umat off = c.theta;
                on(dim, state) = 1;
                off(dim, state) = 0;
                const double expected = log_density_given_q(c, on) - log_density_given_q(c, off);
                const double odds = bit_log_odds(state, dim, c.theta, c.mu, c.lambda, c.n, c.q, c.evidence);
                if (std::isinf(expected))
                    CHECK(odds == expected);
                else
                    CHECK(odds == doctest::Approx(expected).epsilon(1e-10));
            }
    }
}

TEST_CASE("binary: a failed jump between states that would become equal forces the bit") {
    BitCase c = make_bit_case(2, 2, 6);
    c.theta = arma::umat{{0, 1}, {1, 1}};  // they differ in coordinate 0 only
    c.q = arma::mat{{0, 3}, {0, 0}};
    for (std::uint32_t sweep = 0; sweep < 200; ++sweep) {
        arma::umat theta = c.theta;
        sample_bits_given_failed_jumps(c.mu, c.lambda, c.n, c.q, c.evidence, theta,
                                       BlockStreams({.seed = 1, .sweep = sweep}));
        CHECK(arma::accu(theta.col(0) != theta.col(1)) > 0);
    }
}

TEST_CASE("binary: a block that covers all bits of the first state is an exact draw from its conditional") {
    const BitCase c = make_bit_case(3, 4, 7);
    std::vector<double> observed(8, 0.0);
    constexpr std::uint32_t n_draws = 100000;
    for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
        arma::umat theta = c.theta;
        sample_bits_in_blocks(c.mu, c.lambda, c.n, c.log_pi, c.evidence, 4, theta,
                              BlockStreams({.seed = 2, .sweep = sweep}));
        observed[theta(0, 0) + 2 * theta(1, 0) + 4 * theta(2, 0)] += 1.0;  // state 0 moved first, given the others
    }
    std::vector<double> expected(8);
    double total = 0.0;
    for (std::size_t bits = 0; bits < 8; ++bits)
        total += expected[bits] = std::exp(log_density_integrated(c, with_bits(c.theta, 0, bits)));
    for (double& value : expected) value *= n_draws / total;
    CHECK(testing::chi_square(observed, expected) > level);
}

TEST_CASE("binary: both moves leave the joint law of all bits invariant") {
    // Two states of three bits: 64 configurations. Start from the exact law, move once, test the law again.
    const BitCase c = make_bit_case(3, 2, 8);
    const auto configuration = [&](std::size_t code) {
        return with_bits(with_bits(c.theta, 0, code % 8), 1, code / 8);
    };
    const auto code_of = [](const arma::umat& theta) {
        std::size_t code = 0;
        for (arma::uword bit = 0; bit < 6; ++bit) code += theta(bit) << bit;
        return code;
    };
    constexpr std::uint32_t n_draws = 200000;
    for (const bool given_q : {true, false}) {
        CAPTURE(given_q);
        std::vector<double> probability(64);
        double total = 0.0;
        for (std::size_t code = 0; code < 64; ++code) {
            const arma::umat theta = configuration(code);
            const double f = given_q ? log_density_given_q(c, theta) : log_density_integrated(c, theta);
            total += probability[code] = std::exp(f);
        }
        std::vector<double> observed(64, 0.0);
        std::vector<double> start(64, 0.0);
        std::uint32_t sweep = 0;
        for (std::size_t code = 0; code < 64; ++code) {
            const auto copies = static_cast<std::uint32_t>(std::lround(n_draws * probability[code] / total));
            start[code] = copies;
            for (std::uint32_t copy = 0; copy < copies; ++copy, ++sweep) {
                arma::umat theta = configuration(code);
                const BlockStreams rng({.seed = 3, .sweep = sweep});
                if (given_q)
                    sample_bits_given_failed_jumps(c.mu, c.lambda, c.n, c.q, c.evidence, theta, rng);
                else
                    sample_bits_in_blocks(c.mu, c.lambda, c.n, c.log_pi, c.evidence, 2, theta, rng);
                observed[code_of(theta)] += 1.0;
            }
        }
        CHECK(testing::chi_square(observed, start) > level);
    }
}

namespace {

void compare_block_draws_with_plain_ones(const BitCase& c, const std::uint32_t n_sweeps) {
    for (std::uint32_t sweep = 0; sweep < n_sweeps; ++sweep) {
        const BlockStreams rng({.seed = 4, .sweep = sweep});
        arma::umat theta = c.theta;
        sample_bits_in_blocks(c.mu, c.lambda, c.n, c.log_pi, c.evidence, 4, theta, rng);
        const auto log_density = [&](const arma::umat& bits) { return log_density_integrated(c, bits); };
        REQUIRE(arma::accu(theta != testing::plain_block_draws(c.theta, 4, log_density, rng)) == 0);
    }
}

}  // namespace

TEST_CASE("binary: block draws equal those of a plain implementation, also where one column dominates every total") {
    BitCase c = make_bit_case(9, 6, 9);
    c.n *= 5.0;  // totals have a say
    compare_block_draws_with_plain_ones(c, 100);
    c.log_pi.col(2) += 40.0;  // every total is nearly all column 2: a subtraction would leave nothing
    compare_block_draws_with_plain_ones(c, 100);
    c = make_bit_case(70, 4, 9);  // more bits than a word holds
    c.n *= 5.0;
    c.lambda = 0.05;
    compare_block_draws_with_plain_ones(c, 5);
}

TEST_CASE("binary: lambda = 0 leaves the prior and the emission only") {
    BitCase c = make_bit_case(2, 2, 10);
    c.lambda = 0.0;
    c.q.zeros();
    std::vector<double> observed(4, 0.0);
    for (std::uint32_t sweep = 0; sweep < 50000; ++sweep) {
        arma::umat theta = c.theta;
        sample_bits_in_blocks(c.mu, 0.0, c.n, c.log_pi, c.evidence, 4, theta,
                              BlockStreams({.seed = 5, .sweep = sweep}));
        observed[theta(0, 0) + 2 * theta(1, 0)] += 1.0;
    }
    std::vector<double> expected(4);
    double total = 0.0;
    for (std::size_t bits = 0; bits < 4; ++bits)
        total += expected[bits] = std::exp(log_prior_and_evidence(c, with_bits(c.theta, 0, bits)));
    for (double& value : expected) value *= 50000.0 / total;
    CHECK(testing::chi_square(observed, expected) > level);
}

TEST_CASE("binary: mu counts all states, visited or not") {
    const arma::umat theta{{0, 1, 1}, {0, 0, 0}};
    CHECK(bit_probability_law({1.0, 2.0}, theta, 0) == BetaPrior{3.0, 3.0});
    CHECK(bit_probability_law({1.0, 2.0}, theta, 1) == BetaPrior{1.0, 5.0});
}

TEST_CASE("binary: blocks of no bits, or of too many, are refused") {
    const BitCase c = make_bit_case(3, 2, 11);
    arma::umat theta = c.theta;
    CHECK_THROWS_WITH_AS(sample_bits_in_blocks(c.mu, c.lambda, c.n, c.log_pi, c.evidence, 0, theta, BlockStreams({})),
                         "sample_bits_in_blocks: block_size must be positive and finite, found 0", std::domain_error);
    CHECK_THROWS_WITH_AS(sample_bits_in_blocks(c.mu, c.lambda, c.n, c.log_pi, c.evidence, 9, theta, BlockStreams({})),
                         "sample_bits_in_blocks: block_size must be below 9, found 9", std::domain_error);
}
