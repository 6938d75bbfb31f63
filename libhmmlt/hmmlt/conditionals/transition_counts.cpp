#include "hmmlt/conditionals/transition_counts.hpp"

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

void count_transitions(const arma::uvec& z, const Sequences& sequences, arma::uword n_states, arma::mat& n) {
    check_size("count_transitions", "z", z.n_elem, sequences.n_steps());
    n.zeros(n_states + 1, n_states);
    for (arma::uword sequence = 0; sequence < sequences.count(); ++sequence) {
        arma::uword from = n_states;
        for (arma::uword step = sequences.first[sequence]; step < sequences.first[sequence + 1]; ++step) {
            check_below("count_transitions", "z", z(step), n_states);
            n(from, z(step)) += 1.0;
            from = z(step);
        }
    }
}

arma::vec count_departures(const arma::mat& n) {
    return arma::sum(n, 1);
}

arma::uword count_used_states(const arma::uvec& z, arma::uword n_states) {
    arma::uvec visited(n_states, arma::fill::zeros);
    for (const arma::uword state : z) visited(state) = 1;
    return arma::accu(visited);
}

}  // namespace hmmlt
