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
    const arma::uvec departed = departed_states(log_u);
    arma::uword n_saturated = 0;
    const arma::vec u = log_u.elem(departed);
    arma::vec pi(departed.n_elem);
    arma::vec phi(departed.n_elem);
    arma::vec means(departed.n_elem);
    std::vector<CellCount> cells;
    q.zeros(n_states, n_states);
    for (arma::uword to = 0; to < n_states; ++to) {
        for (arma::uword i = 0; i < departed.n_elem; ++i) {  // gathered first, so that the rest is vector code
            pi[i] = log_pi.at(departed[i], to);
            phi[i] = log_phi.at(departed[i], to);
        }
        for (arma::uword i = 0; i < departed.n_elem; ++i) {
            const double log_mean = log_mean_failed_jumps(u[i], pi[i], phi[i]);
            const bool saturated = log_mean > log_largest;
            n_saturated += saturated ? 1 : 0;
            means[i] = vector_exp(saturated ? log_largest : log_mean);
        }
        Stream column = rng.item(to);
        draw_poisson_row(means, cells, column);
        for (const CellCount& cell : cells) q(departed[cell.index], to) = cell.count;
    }
    return n_saturated;
}

}  // namespace hmmlt
