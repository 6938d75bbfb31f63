// One walk along the weights.
#include "hmmlt/random/categorical.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Walks along the weights until a uniform share of their total is used up.
template <typename Weight>
std::size_t walk(std::size_t n, double total, const Weight& weight, Stream& rng) {
    double left = total * draw_uniform(rng);
    std::size_t chosen = 0;
    for (std::size_t index = 0; index < n; ++index) {
        const double w = weight(index);
        if (w == 0.0) continue;
        chosen = index;  // should rounding use up the list, the last possible index is the answer
        left -= w;
        if (left < 0.0) break;
    }
    return chosen;
}

}  // namespace

std::size_t draw_categorical(std::span<const double> weights, Stream& rng) {
    check_not_empty("draw_categorical", "weights", weights.size());
    double total = 0.0;
    for (const double w : weights) {
        check_nonnegative_finite("draw_categorical", "weights", w);
        total += w;
    }
    check_positive_finite("draw_categorical", "the sum of weights", total);
    return walk(
        weights.size(), total, [weights](std::size_t index) { return weights[index]; }, rng);
}

std::size_t draw_categorical_log(std::span<const double> log_weights, Stream& rng) {
    check_not_empty("draw_categorical_log", "log_weights", log_weights.size());
    double largest = -std::numeric_limits<double>::infinity();
    for (const double w : log_weights) {
        if (std::isnan(w) || w == std::numeric_limits<double>::infinity())
            throw std::domain_error(
                fmt::format("draw_categorical_log: log_weights must be below infinity and not NaN, found {}", w));
        largest = std::max(largest, w);
    }
    check_finite("draw_categorical_log", "the largest of log_weights", largest);
    const auto weight = [log_weights, largest](std::size_t index) { return std::exp(log_weights[index] - largest); };
    double total = 0.0;
    for (std::size_t index = 0; index < log_weights.size(); ++index) total += weight(index);
    return walk(log_weights.size(), total, weight, rng);
}

}  // namespace hmmlt
