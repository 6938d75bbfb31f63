#include "hmmlt/emission/some_states.hpp"

namespace hmmlt {

namespace {

template <typename State>
void log_lik_of(const State& state, const arma::umat& theta, const Observations& observations, const arma::uvec& states,
                arma::mat& log_lik) {
    arma::mat all;
    log_likelihood(state, theta, observations, all);
    log_lik = all.rows(states);
}

void log_lik_of(const LinearGaussianState& state, const arma::umat& theta, const Observations& observations,
                const arma::uvec& states, arma::mat& log_lik) {
    log_likelihood(state, theta.cols(states), observations, log_lik);
}

void log_lik_of(const GaussianState& state, const arma::umat& theta, const Observations& observations,
                const arma::uvec& states, arma::mat& log_lik) {
    log_likelihood(GaussianState{state.mean.cols(states), state.h.cols(states)}, theta, observations, log_lik);
}

void log_lik_of(const CategoricalState& state, const arma::umat& theta, const Observations& observations,
                const arma::uvec& states, arma::mat& log_lik) {
    log_likelihood(CategoricalState{state.log_theta.cols(states)}, theta, observations, log_lik);
}

}  // namespace

void log_likelihood_of_states(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                              const arma::uvec& states, arma::mat& log_lik) {
    std::visit([&](const auto& part) { log_lik_of(part, theta, observations, states, log_lik); }, state);
}

}  // namespace hmmlt
