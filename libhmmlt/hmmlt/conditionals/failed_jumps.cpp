#include "hmmlt/conditionals/failed_jumps.hpp"

#include <cmath>
#include <vector>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/poisson.hpp"

namespace hmmlt {

double log_mean_failed_jumps(double log_u, double log_pi, double log_phi) {
    return log_u + log_pi + log1m_exp(log_phi);
}

arma::uword sample_failed_jumps(const arma::vec& log_u, const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& q,
                                const BlockStreams& rng) {
    const arma::uword n_states = log_pi.n_cols;
    const double log_largest = std::log(largest_failed_jumps);
    arma::uword n_saturated = 0;
    std::vector<double> means(n_states);
    std::vector<CellCount> cells;
    q.zeros(n_states, n_states);
    for (arma::uword from = 0; from < n_states; ++from) {
        if (log_u(from) == minus_infinity) continue;
        for (arma::uword to = 0; to < n_states; ++to) {
            const double log_mean = log_mean_failed_jumps(log_u(from), log_pi(from, to), log_phi(from, to));
            const bool saturated = log_mean > log_largest;
            n_saturated += saturated ? 1 : 0;
            means[to] = saturated ? largest_failed_jumps : std::exp(log_mean);
        }
        Stream row = rng.item(from);
        draw_poisson_row(means, cells, row);
        for (const CellCount& cell : cells) q(from, cell.index) = cell.count;
    }
    return n_saturated;
}

}  // namespace hmmlt
