#include "hmmlt/conditionals/failed_jumps.hpp"

#include <cmath>
#include <vector>

#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/random/poisson.hpp"

namespace hmmlt {

arma::uword sample_failed_jumps(const arma::vec& log_u, const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& q,
                                const BlockStreams& rng) {
    const arma::uword n_states = log_pi.n_cols;
    const double log_largest = std::log(largest_failed_jumps);
    const std::vector<arma::uword> departed = departed_states(log_u);
    arma::uword n_saturated = 0;
    std::vector<double> means(departed.size());
    std::vector<CellCount> cells;
    q.zeros(n_states, n_states);
    for (arma::uword to = 0; to < n_states; ++to) {
        for (std::size_t i = 0; i < departed.size(); ++i)
            means[i] =
                log_mean_failed_jumps(log_u[departed[i]], log_pi.at(departed[i], to), log_phi.at(departed[i], to));
        for (double& mean : means) {
            const bool saturated = mean > log_largest;
            n_saturated += saturated ? 1 : 0;
            mean = vector_exp(saturated ? log_largest : mean);
        }
        Stream column = rng.item(to);
        draw_poisson_row(means, cells, column);
        for (const CellCount& cell : cells) q(departed[cell.index], to) = cell.count;
    }
    return n_saturated;
}

}  // namespace hmmlt
