#include "hmmlt/dynamics/transition_matrix.hpp"

#include "hmmlt/conditionals/total_rates.hpp"

namespace hmmlt {

void log_transitions(const arma::mat& log_pi, const arma::mat& log_phi, arma::mat& log_a) {
    const arma::vec log_total = log_total_rates(log_pi, log_phi);
    log_a.set_size(arma::size(log_pi));
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        log_a.at(from, to) = log_rate - log_total[from];
    });
}

void normalise_rates(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition) {
    arma::mat log_a;
    log_transitions(log_pi, log_phi, log_a);
    transition.log_from_to = log_a.head_rows(log_pi.n_cols);
    transition.log_start = log_a.row(log_pi.n_cols).t();
    transition.from_to = arma::exp(transition.log_from_to);
    transition.start = arma::exp(transition.log_start);
}

}  // namespace hmmlt
