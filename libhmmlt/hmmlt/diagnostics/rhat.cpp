// Between and within chains.
#include "hmmlt/diagnostics/rhat.hpp"

#include <cmath>
#include <limits>

#include "hmmlt/diagnostics/draws.hpp"

namespace hmmlt {

namespace {

bool stands_still(const arma::mat& draws) {
    for (arma::uword chain = 0; chain < draws.n_cols; ++chain)
        if (draws.col(chain).min() != draws.col(chain).max()) return false;
    return true;
}

double basic_rhat(const arma::mat& draws) {
    const auto n = static_cast<double>(draws.n_rows);
    const double between = n * arma::var(arma::vec(arma::mean(draws, 0).t()));
    const double within = stands_still(draws) ? 0.0 : arma::mean(arma::vec(arma::var(draws, 0, 0).t()));
    return std::sqrt((between / within + n - 1.0) / n);
}

}  // namespace

double rhat(const arma::mat& draws) {
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    if (draws.n_rows < 4 || draws.n_cols < 2 || !draws.is_finite()) return undefined;
    const arma::mat halves = split_chains(draws);
    if (halves.min() == halves.max()) return undefined;
    const double bulk = basic_rhat(rank_normalise(halves));
    const double tail = basic_rhat(rank_normalise(fold(halves)));
    return tail > bulk ? tail : bulk;  // a tail that is NaN (all draws as far from the median) says nothing
}

}  // namespace hmmlt
