#include "hmmlt/locations/feature_moves.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

const arma::umat start{{0, 1, 1, 0}, {1, 1, 0, 0}};
const arma::umat parted{{1, 0, 1, 0}, {1, 1, 0, 0}};  // feature 0 xor feature 1
const arma::umat turned{{1, 0, 1, 0}, {0, 0, 1, 1}};  // then the complement of feature 1

// All bits of two features in two states as a number, and back.
arma::umat bits_of(arma::uword number) {
    return {{number & 1, number >> 1 & 1}, {number >> 2 & 1, number >> 3 & 1}};
}
arma::uword number_of(const arma::umat& theta) {
    return theta(0, 0) | theta(0, 1) << 1 | theta(1, 0) << 2 | theta(1, 1) << 3;
}

}  // namespace

TEST_CASE("feature moves: xor with another feature, or the complement, in every state") {
    arma::umat theta = start;
    apply({0, 1}, theta);
    CHECK(arma::accu(theta != parted) == 0);
    apply({1, 1}, theta);
    CHECK(arma::accu(theta != turned) == 0);
    for (const FeatureMove& move : {FeatureMove{0, 1}, FeatureMove{1, 0}, FeatureMove{0, 0}}) {
        arma::umat twice = theta;
        apply(move, twice);
        CHECK(arma::accu(twice != theta) > 0);
        apply(move, twice);
        CHECK(arma::accu(twice != theta) == 0);
    }
    CHECK_THROWS_WITH_AS(apply({2, 0}, theta), "apply: move.dim must be below 2, found 2", std::domain_error);
}

TEST_CASE("feature moves: bits drawn from a law keep it") {
    Stream rng({.seed = 5});
    arma::vec log_weight(16);
    log_weight.for_each([&rng](double& value) { value = draw_standard_normal(rng); });
    const arma::vec probability = arma::exp(log_weight) / arma::accu(arma::exp(log_weight));
    const auto log_density = [&](const arma::umat& theta) { return log_weight(number_of(theta)); };
    constexpr std::uint32_t n_draws = 100'000;
    std::vector<double> counts(16, 0.0);
    arma::uword n_accepted = 0;
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        double left = draw_uniform(rng);
        arma::uword number = 0;
        while (number < 15 && left >= probability(number)) left -= probability(number++);
        arma::umat theta = bits_of(number);
        n_accepted += move_features(log_density, theta, BlockStreams({.seed = 6, .sweep = draw}));
        counts[number_of(theta)] += 1.0;
    }
    const std::vector<double> expected = arma::conv_to<std::vector<double>>::from(n_draws * probability);
    CHECK(testing::chi_square(counts, expected) > level);
    CHECK(n_accepted > n_draws / 2);      // moves are made,
    CHECK(n_accepted < 2 * n_draws - 1);  // and refused
}

TEST_CASE("feature moves: without features there is nothing to move") {
    arma::umat theta(0, 3);
    CHECK(move_features([](const arma::umat&) { return 0.0; }, theta, BlockStreams({.seed = 1})) == 0);
}
