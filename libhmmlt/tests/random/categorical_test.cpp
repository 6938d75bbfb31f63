#include "hmmlt/random/categorical.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("categorical: frequencies follow the weights, impossible indices never occur") {
    Stream rng({.seed = 80});
    const std::vector<double> weights{0.0, 3e-8, 1e-8, 0.0, 6e-8, 0.0};
    std::vector<double> log_weights;
    for (const double w : weights) log_weights.push_back(std::log(w) + 1e5);  // log 0 is -infinity
    constexpr int n = 300000;
    std::vector<double> linear(6, 0.0);
    std::vector<double> logarithmic(6, 0.0);
    for (int i = 0; i < n; ++i) {
        linear[draw_categorical(weights, rng)] += 1.0;
        logarithmic[draw_categorical_log(log_weights, rng)] += 1.0;
    }
    const std::vector<double> expected{0.0, 0.3 * n, 0.1 * n, 0.0, 0.6 * n, 0.0};
    for (const auto& counts : {linear, logarithmic}) {
        CHECK(testing::chi_square({counts[1], counts[2], counts[4]}, {expected[1], expected[2], expected[4]}) > level);
        CHECK(counts[0] + counts[3] + counts[5] == 0.0);
    }
}

TEST_CASE("categorical: one possibility") {
    Stream rng({.seed = 81});
    CHECK(draw_categorical(std::vector<double>{0.0, 0.0, 2.0}, rng) == 2);
    CHECK(draw_categorical_log(std::vector<double>{-5000.0}, rng) == 0);
}

TEST_CASE("categorical: bad weights are named") {
    Stream rng({.seed = 82});
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(draw_categorical(std::vector<double>{0.0, 0.0}, rng),
                         "draw_categorical: the sum of weights must be positive and finite, found 0",
                         std::domain_error);
    CHECK_THROWS_AS(draw_categorical(std::vector<double>{1.0, -1.0}, rng), std::domain_error);
    CHECK_THROWS_AS(draw_categorical({}, rng), std::domain_error);
    CHECK_THROWS_WITH_AS(draw_categorical_log(std::vector<double>{-infinity, -infinity}, rng),
                         "draw_categorical_log: the largest of log_weights must be finite, found -inf",
                         std::domain_error);
    CHECK_THROWS_AS(draw_categorical_log(std::vector<double>{std::nan("")}, rng), std::domain_error);
    CHECK_THROWS_AS(draw_categorical_log(std::vector<double>{infinity}, rng), std::domain_error);
}
