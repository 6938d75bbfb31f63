#include "hmmlt/model/similarities.hpp"

#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"

namespace hmmlt {

arma::mat log_similarities(const State& state) {
    arma::mat distance_then_log_phi;
    distances(state.locations, state.log_pi.n_cols, distance_then_log_phi);
    log_similarities(state, distance_then_log_phi, distance_then_log_phi);
    return distance_then_log_phi;
}

void log_similarities(const State& state, const arma::mat& distance, arma::mat& log_phi) {
    if (state.bit_logits.is_empty())
        log_phi = -state.lambda * distance;
    else
        log_phi = log_bit_similarities(bits(state.locations), state.bit_logits);
    if (has_durations(state.durations)) log_phi.diag().fill(minus_infinity);
}

void count_jumps(const State& state, const Sequences& sequences, arma::mat& n) {
    count_transitions(state.z, sequences, state.log_pi.n_cols, n);
    if (has_durations(state.durations)) n.diag().zeros();
}

const arma::mat& log_pi_of_jumps(const State& state, arma::mat& scratch) {
    if (!has_durations(state.durations)) return state.log_pi;
    scratch = state.log_pi;
    scratch.diag().fill(minus_infinity);
    return scratch;
}

}  // namespace hmmlt
