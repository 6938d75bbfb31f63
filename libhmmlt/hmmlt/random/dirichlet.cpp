// Dirichlet weights are independent log Gamma draws, normalised by their own log-sum-exp.
#include "hmmlt/random/dirichlet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/sum_in_lanes.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

void draw_log_dirichlet(std::span<const double> concentration, std::span<double> log_x, Stream& rng) {
    check_not_empty("draw_log_dirichlet", "concentration", concentration.size());
    check_size("draw_log_dirichlet", "log_x", log_x.size(), concentration.size());
    check_positive_finite("draw_log_dirichlet", "concentration", concentration);
    draw_log_gammas(concentration, log_x, rng);
    const double largest = *std::max_element(log_x.begin(), log_x.end());
    if (largest == minus_infinity)
        throw std::domain_error(
            fmt::format("draw_log_dirichlet: one concentration must be at least {}, found none", smallest_gamma_shape));
    const double sum = sum_in_lanes(log_x.size(), [=](std::size_t i) { return vector_exp(log_x[i] - largest); });
    const double log_sum = std::log(sum);
    for (double& value : log_x) value = (value - largest) - log_sum;  // in this order no digits are lost
}

void draw_dirichlet(std::span<const double> concentration, std::span<double> x, Stream& rng) {
    draw_log_dirichlet(concentration, x, rng);
    for (double& value : x) value = std::exp(value);
}

}  // namespace hmmlt
