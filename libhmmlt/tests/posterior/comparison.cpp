// Relative errors, with infinities that must meet infinities.
#include "posterior/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

namespace {

double relative_error(double found, double expected, double scale) {
    const double error = std::abs(found - expected) / std::max(1.0, scale);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

}  // namespace

void Comparison::ratios(std::size_t n, const std::function<double(std::size_t)>& law,
                        const std::function<double(std::size_t)>& joint) {
    std::vector<double> laws;
    std::vector<double> joints;
    double scale = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        laws.push_back(law(i));
        joints.push_back(joint(i));
        for (const double value : {laws.back(), joints.back()})
            if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    }
    // from the most probable value on: it is possible under both, or they do not agree
    const auto best = static_cast<std::size_t>(std::max_element(joints.begin(), joints.end()) - joints.begin());
    for (std::size_t i = 0; i < n; ++i) {
        if (i == best) continue;
        ++n_checked_;
        const bool both_impossible = laws[i] == joints[i] && std::isinf(laws[i]);
        if (!both_impossible)
            largest_error_ =
                std::max(largest_error_, relative_error(laws[i] - laws[best], joints[i] - joints[best], scale));
    }
}

void Comparison::slope(double law, const std::function<double(double)>& joint, double step) {
    const double quotient =
        (8.0 * (joint(step) - joint(-step)) - (joint(2.0 * step) - joint(-2.0 * step))) / (12.0 * step);
    ++n_checked_;
    largest_slope_error_ = std::max(largest_slope_error_, relative_error(law, quotient, std::abs(quotient)));
}

void Comparison::equal(double found, double expected) {
    ++n_checked_;
    largest_error_ = std::max(largest_error_, relative_error(found, expected, std::abs(expected)));
}

std::vector<double> positive_values(Stream& rng) {
    return sample(n_values, [&rng] { return std::exp(1.5 * draw_standard_normal(rng)); });
}

std::vector<double> values_between_0_and_1(Stream& rng) {
    return sample(n_values, [&rng] { return draw_uniform(rng); });
}

std::vector<arma::mat> values_around(const arma::mat& centre, Stream& rng) {
    std::vector<arma::mat> values(n_values, centre);
    for (std::size_t i = 1; i < n_values; ++i)
        values[i].for_each([&rng](double& value) { value += 0.7 * draw_standard_normal(rng); });
    return values;
}

}  // namespace hmmlt::testing
