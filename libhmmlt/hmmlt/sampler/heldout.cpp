#include "hmmlt/sampler/heldout.hpp"

#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/sampler/state_draw.hpp"

namespace hmmlt {

arma::vec heldout_log_likelihood(const State& state, const Observations& observations) {
    const arma::mat log_phi = log_similarities(state);
    return sequence_log_likelihood(
        {state.log_pi, log_phi, state.emission, bits(state.locations), observations, state.durations});
}

arma::vec heldout_log_likelihood(const FactorialState& state, const Observations& observations) {
    arma::cube log_pi(3, 2, state.chains.size());
    for (arma::uword dim = 0; dim < state.chains.size(); ++dim) log_pi.slice(dim) = state.chains[dim].log_pi;
    return factorial_log_likelihood(observations.y, observations.sequences, log_pi, state.emission.weights,
                                    state.emission.h);
}

State with_expected_emission(const Model& model, const Observations& training, State state) {
    state.emission = expected_emission(model.emission, training, state.z, bits(state.locations), state.emission);
    return state;
}

FactorialState with_expected_emission(const FactorialModel& model, const Observations& training, FactorialState state) {
    state.emission =
        expected_emission(model.emission, training, steps_as_states(state.theta.n_cols), state.theta, state.emission);
    return state;
}

}  // namespace hmmlt
