#include "hmmlt/model/generative.hpp"

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/model/stream_blocks.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"

namespace hmmlt {

namespace {

BlockStreams streams(const PriorAddress& address, StreamBlock block) {
    return BlockStreams({.seed = address.seed,
                         .chain = address.chain,
                         .sweep = address.draw,
                         .block = static_cast<std::uint32_t>(block)});
}

// A Gamma prior of small shape may draw a number below the smallest double; the sampler needs a positive one.
constexpr double smallest_concentration = 1e-290;

double draw_hyperparameter(const Hyperparameter<GammaPrior>& hyperparameter, Stream& rng) {
    if (const auto* value = std::get_if<double>(&hyperparameter)) return *value;
    const auto& prior = std::get<GammaPrior>(hyperparameter);
    return std::max(draw_gamma(prior.shape, prior.rate, rng), smallest_concentration);
}

double draw_hyperparameter(const Hyperparameter<BetaPrior>& hyperparameter, Stream& rng) {
    if (const auto* value = std::get_if<double>(&hyperparameter)) return *value;
    const auto& prior = std::get<BetaPrior>(hyperparameter);
    return draw_beta(prior.a, prior.b, rng);
}

double draw_hyperparameter(const Hyperparameter<ExponentialPrior>& hyperparameter, Stream& rng) {
    if (const auto* value = std::get_if<double>(&hyperparameter)) return *value;
    return draw_gamma(1.0, std::get<ExponentialPrior>(hyperparameter).rate, rng);
}

}  // namespace

State draw_parameters(const Model& model, const PriorAddress& address) {
    check_model(model);
    const arma::uword n_states = model.n_states;
    State state;

    const BlockStreams concentrations = streams(address, StreamBlock::prior_concentrations);
    Stream gamma_rng = concentrations.item(0);
    Stream c_rng = concentrations.item(1);
    Stream rho_rng = concentrations.item(2);
    Stream lambda_rng = concentrations.item(3);
    state.gamma = draw_hyperparameter(model.gamma, gamma_rng);
    state.c = draw_hyperparameter(model.c, c_rng);
    state.rho = draw_hyperparameter(model.rho, rho_rng);
    state.lambda = draw_hyperparameter(lambda_prior(model.similarity), lambda_rng);

    Stream beta_rng = streams(address, StreamBlock::prior_base_weights).item(0);
    state.log_beta.set_size(n_states);
    const arma::vec share(n_states, arma::fill::value(state.gamma / static_cast<double>(n_states)));
    draw_log_dirichlet(share, state.log_beta, beta_rng);

    // (5) is (32) without any data
    arma::mat a;
    rate_shapes(state.log_beta, state.c, state.rho, a);
    sample_rates(a, arma::mat(n_states + 1, n_states, arma::fill::zeros),
                 arma::vec(n_states + 1, arma::fill::value(minus_infinity)),
                 arma::mat(n_states, n_states, arma::fill::zeros), state.log_pi,
                 streams(address, StreamBlock::prior_rates));
    if (durations_of(model.dynamics) != nullptr)
        sample_only_jumps(a, arma::vec(n_states + 1, arma::fill::zeros), state.log_beta, state.log_pi,
                          streams(address, StreamBlock::prior_rates).from(n_states));

    state.locations = draw_locations(model.locations, n_states, streams(address, StreamBlock::prior_locations));
    state.emission = draw_emission(model.emission, n_states, streams(address, StreamBlock::prior_emission));
    if (const DurationSpec* durations = durations_of(model.dynamics))
        state.durations = draw_durations(*durations, n_states, streams(address, StreamBlock::prior_durations));
    if (const auto* limit = std::get_if<FactorialLimitSimilarity>(&model.similarity))
        state.bit_logits = draw_bit_transitions(limit->transitions, n_bits_of(model.locations),
                                                streams(address, StreamBlock::prior_bit_transitions));
    return state;
}

void draw_states(const Sequences& sequences, State& state, const PriorAddress& address) {
    const arma::uword n_states = state.log_pi.n_cols;
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    const arma::mat to_from = transition.from_to.t();  // a row of A is read as one column
    const BlockStreams rng = streams(address, StreamBlock::prior_states);
    state.z.set_size(sequences.n_steps());
    for (arma::uword sequence = 0; sequence < sequences.count(); ++sequence) {
        Stream stream = rng.item(sequence);
        double left = 0.0;  // steps until the segment ends
        for (arma::uword step = sequences.first[sequence]; step < sequences.first[sequence + 1]; ++step) {
            if (left > 0.0) {
                state.z(step) = state.z(step - 1);
                left -= 1.0;
                continue;
            }
            const double* weights =
                step == sequences.first[sequence] ? transition.start.memptr() : to_from.colptr(state.z(step - 1));
            state.z(step) = draw_categorical({weights, n_states}, stream);
            if (has_durations(state.durations)) left = draw_duration(state.durations, state.z(step), stream) - 1.0;
        }
    }
}

void draw_data(const State& state, Observations& observations, const PriorAddress& address) {
    draw_observations(state.emission, bits(state.locations), state.z, observations,
                      streams(address, StreamBlock::prior_observations));
}

}  // namespace hmmlt
