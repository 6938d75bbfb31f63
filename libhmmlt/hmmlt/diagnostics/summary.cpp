// Moments and quantiles over all draws, diagnostics over chains.
#include "hmmlt/diagnostics/summary.hpp"

#include <limits>

#include "hmmlt/diagnostics/draws.hpp"
#include "hmmlt/diagnostics/ess.hpp"
#include "hmmlt/diagnostics/rhat.hpp"

namespace hmmlt {

ScalarSummary summarise(const arma::mat& draws) {
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    if (!draws.is_finite()) return {undefined, undefined, undefined, undefined, undefined, undefined, undefined};
    const arma::vec all = arma::vectorise(draws);
    return {.mean = arma::mean(all),
            .sd = all.n_elem > 1 ? arma::stddev(all) : undefined,
            .q5 = quantile(draws, 0.05),
            .q95 = quantile(draws, 0.95),
            .rhat = rhat(draws),
            .ess_bulk = ess_bulk(draws),
            .ess_tail = ess_tail(draws)};
}

}  // namespace hmmlt
