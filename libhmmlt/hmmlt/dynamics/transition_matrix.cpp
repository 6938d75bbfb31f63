#include "hmmlt/dynamics/transition_matrix.hpp"

#include "hmmlt/conditionals/total_rates.hpp"

namespace hmmlt {

void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition) {
    const arma::vec log_total = log_total_rates(log_pi, log_phi);
    const arma::uword n_states = log_pi.n_cols;
    transition.log_from_to.set_size(n_states, n_states);
    transition.log_start.set_size(n_states);
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        double& cell = from == n_states ? transition.log_start[to] : transition.log_from_to.at(from, to);
        cell = log_rate - log_total[from];
    });
    transition.from_to = arma::exp(transition.log_from_to);
    transition.start = arma::exp(transition.log_start);
}

}  // namespace hmmlt
