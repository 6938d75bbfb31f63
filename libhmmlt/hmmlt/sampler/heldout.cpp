#include "hmmlt/sampler/heldout.hpp"

#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"

namespace hmmlt {

arma::vec heldout_log_likelihood(const State& state, const Observations& observations) {
    const arma::mat log_phi = -state.lambda * distances(state.locations, state.log_pi.n_cols);
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_phi, transition);
    arma::mat log_lik;
    log_likelihood(state.emission, bits(state.locations), observations, log_lik);
    ForwardMessages messages;
    filter_forward(transition, log_lik, observations.sequences, messages);
    return messages.log_likelihood;
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
