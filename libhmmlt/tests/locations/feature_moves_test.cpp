#include "hmmlt/locations/feature_moves.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "hmmlt/math/log_space.hpp"
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
    apply_move({0, 1}, theta);
    CHECK(arma::accu(theta != parted) == 0);
    apply_move({1, 1}, theta);
    CHECK(arma::accu(theta != turned) == 0);
    for (const FeatureMove& move : {FeatureMove{0, 1}, FeatureMove{1, 0}, FeatureMove{0, 0}}) {
        arma::umat twice = theta;
        apply_move(move, twice);
        CHECK(arma::accu(twice != theta) > 0);
        apply_move(move, twice);
        CHECK(arma::accu(twice != theta) == 0);
    }
    CHECK_THROWS_WITH_AS(apply_move({2, 0}, theta), "apply_move: move.dim must be below 2, found 2", std::domain_error);
}

TEST_CASE("feature moves: bits drawn from a law keep it") {
    Stream rng({.seed = 5});
    arma::vec log_weight(16);
    log_weight.for_each([&rng](double& value) { value = draw_standard_normal(rng); });
    const arma::vec probability = arma::exp(log_weight) / arma::accu(arma::exp(log_weight));
    const auto log_density = [&](const arma::umat& theta) { return log_weight(number_of(theta)); };
    constexpr std::uint32_t n_draws = 100'000;
    std::vector<double> counts(16, 0.0);
    std::uint32_t n_moved = 0;
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        double left = draw_uniform(rng);
        arma::uword number = 0;
        while (number < 15 && left >= probability(number)) left -= probability(number++);
        arma::umat theta = bits_of(number);
        move_features(log_density, theta, BlockStreams({.seed = 6, .sweep = draw}));
        n_moved += number_of(theta) != number ? 1u : 0u;
        counts[number_of(theta)] += 1.0;
    }
    const std::vector<double> expected = arma::conv_to<std::vector<double>>::from(n_draws * probability);
    CHECK(testing::chi_square(counts, expected) > level);
    CHECK(n_moved > n_draws / 4);
}

TEST_CASE("feature moves: without features there is nothing to move") {
    arma::umat theta(0, 3);
    move_features([](const arma::umat&) { return arma::datum::nan; }, theta, BlockStreams({.seed = 1}));
    CHECK(theta.n_elem == 0);
}

TEST_CASE("feature moves: a sweep has at most so many proposals, and none that would change nothing") {
    int n_asked = 0;
    const auto log_density = [&](const arma::umat&) { return static_cast<double>(-n_asked++); };
    arma::umat theta(40, 2, arma::fill::ones);
    move_features(log_density, theta, BlockStreams({.seed = 1}));
    CHECK(n_asked == 1 + static_cast<int>(most_feature_moves));
    n_asked = 0;
    theta.zeros();
    arma::umat before = theta;
    const auto refuse = [&](const arma::umat& bits) {
        return arma::any(arma::vectorise(bits)) ? minus_infinity : n_asked++;
    };
    move_features(refuse, theta, BlockStreams({.seed = 1}));  // but for d = e nothing would change
    CHECK(n_asked == 1);
    CHECK(arma::accu(theta != before) == 0);
}

TEST_CASE("feature moves: a density that is not a number is an error") {
    arma::umat theta(2, 2, arma::fill::ones);
    CHECK_THROWS_WITH_AS(
        move_features([](const arma::umat&) { return arma::datum::nan; }, theta, BlockStreams({.seed = 1})),
        "move_features: log_density must be a number, found nan", std::domain_error);
}
