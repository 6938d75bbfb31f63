// Ranks by sorting once.
#include "hmmlt/diagnostics/draws.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <utility>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

namespace {

namespace policies = boost::math::policies;
// In long double, as by default, quantiles would take most of the time and gain nothing.
using StandardNormal = boost::math::normal_distribution<double, policies::policy<policies::promote_double<false>>>;

// The neighbours number `index` and `index + 1` in the order of values, the last one twice; cheaper than sorting.
std::pair<double, double> neighbours(arma::vec values, arma::uword index) {
    const auto place = values.begin() + index;
    std::nth_element(values.begin(), place, values.end());
    return {*place, place + 1 == values.end() ? *place : *std::min_element(place + 1, values.end())};
}

}  // namespace

arma::mat split_chains(const arma::mat& draws) {
    const arma::uword half = draws.n_rows / 2;
    return arma::join_rows(draws.head_rows(half), draws.tail_rows(half));
}

arma::mat rank_normalise(const arma::mat& draws) {
    const arma::uvec order = arma::sort_index(arma::vectorise(draws));
    const auto n = static_cast<double>(draws.n_elem);
    const StandardNormal standard;
    arma::mat z(arma::size(draws));
    for (arma::uword first = 0; first < order.n_elem;) {
        arma::uword end = first + 1;
        while (end < order.n_elem && draws(order(end)) == draws(order(first))) ++end;
        const double rank = 0.5 * static_cast<double>(first + 1 + end);  // mean of first + 1, ..., end
        const double value = boost::math::quantile(standard, (rank - 0.375) / (n + 0.25));
        for (arma::uword i = first; i < end; ++i) z(order(i)) = value;
        first = end;
    }
    return z;
}

// Of an even number, half the sum of the middle two: they are equally far from it but for this rounding, which so
// decides, as in ArviZ, whether they share a rank. Armadillo's median rounds otherwise.
arma::mat fold(const arma::mat& draws) {
    check_not_empty("fold", "draws", draws.n_elem);
    const auto [low, high] = neighbours(arma::vectorise(draws), (draws.n_elem - 1) / 2);
    return arma::abs(draws - (draws.n_elem % 2 == 0 ? (low + high) / 2.0 : low));
}

// The index is computed as 1 - p + n p, in this order and without contraction (CMakeLists.txt): a rounding more or less
// would put a draw on the other side of a quantile that falls on it, and the tail ESS would jump.
double quantile(const arma::mat& draws, double p) {
    check_not_empty("quantile", "draws", draws.n_elem);
    check_probability("quantile", "p", p);
    const auto n = static_cast<double>(draws.n_elem);
    if (draws.n_elem == 1) return draws(0);
    const double position = n * p + (1.0 + p * -1.0);
    const double below = std::floor(std::clamp(position, 1.0, n - 1.0));
    const double weight = std::clamp(position - below, 0.0, 1.0);
    const auto [low, high] = neighbours(arma::vectorise(draws), static_cast<arma::uword>(below) - 1);
    return (1.0 - weight) * low + weight * high;
}

}  // namespace hmmlt
