#include "hmmlt/model/log_joint.hpp"

#include <cmath>
#include <cstddef>

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/sum_in_lanes.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"

namespace hmmlt {

double log_density_of_concentrations(const Model& model, const State& state) {
    double sum = 0.0;
    if (const auto* prior = std::get_if<GammaPrior>(&model.gamma)) sum += log_gamma_density(state.gamma, *prior);
    if (const auto* prior = std::get_if<GammaPrior>(&model.c)) sum += log_gamma_density(state.c, *prior);
    if (const auto* prior = std::get_if<BetaPrior>(&model.rho)) sum += log_beta_density(state.rho, *prior);
    const auto lambda = lambda_prior(model.similarity);
    if (const auto* prior = std::get_if<ExponentialPrior>(&lambda))
        sum += log_exponential_density(state.lambda, *prior);
    if (const auto* limit = std::get_if<FactorialLimitSimilarity>(&model.similarity))
        sum += log_density_of_bit_transitions(limit->transitions, state.bit_logits);
    return sum;
}

double log_density_of_base_weights(double gamma, const arma::vec& log_beta) {
    const auto n_states = static_cast<double>(log_beta.n_elem);
    const double share = gamma / n_states;
    return boost::math::lgamma(gamma) - n_states * boost::math::lgamma(share) + share * arma::accu(log_beta);
}

double log_density_of_rates(const arma::mat& a, const arma::mat& log_pi) {
    const double* const shapes = a.memptr();
    const double* const log_rates = log_pi.memptr();
    double sum = sum_in_lanes(a.n_elem, [=](std::size_t cell) {
        const bool zero = shapes[cell] < smallest_gamma_shape || log_rates[cell] == minus_infinity;  // exactly
        return zero ? 0.0 : shapes[cell] * log_rates[cell] - vector_exp(log_rates[cell]);
    });
    double shape = -1.0;  // of the cell before: a column has one shape but for its diagonal, and lgamma is dear
    double log_gamma_of_shape = 0.0;
    for (arma::uword cell = 0; cell < a.n_elem; ++cell) {
        if (a[cell] < smallest_gamma_shape || log_pi[cell] == minus_infinity) continue;
        if (a[cell] != shape) {
            shape = a[cell];
            log_gamma_of_shape = boost::math::lgamma(shape);
        }
        sum -= log_gamma_of_shape;
    }
    return sum;
}

double log_density_of_states(const arma::mat& n, const arma::mat& log_pi, const arma::mat& log_phi) {
    const arma::vec departures = count_departures(n);
    const arma::vec log_total = log_total_rates(log_pi, log_phi);
    double sum = 0.0;
    for_each_log_rate(log_pi, log_phi, [&](arma::uword from, arma::uword to, double log_rate) {
        if (n(from, to) > 0.0) sum += n(from, to) * log_rate;
    });
    for (arma::uword from = 0; from < departures.n_elem; ++from)
        if (departures(from) > 0.0) sum -= departures(from) * log_total(from);
    return sum;
}

double log_density_of_durations(const Model& model, const State& state, const Sequences& sequences) {
    const DurationSpec* durations = durations_of(model.dynamics);
    if (durations == nullptr) return 0.0;
    return log_prior(*durations, state.durations) +
           log_density_of_segments(segments_of(state.z, sequences), state.durations);
}

double log_joint(const Model& model, const State& state, const Observations& observations) {
    arma::mat a;
    arma::mat n;
    rate_shapes(state.log_beta, state.c, state.rho, a);
    count_jumps(state, observations.sequences, n);
    // Rates of jumps alone may be 1e-290 of anything: at that scale their sums would have no digits left.
    const bool jumps_only = has_durations(state.durations);
    arma::mat jumps;
    if (jumps_only) jumps = scale_rows(log_pi_of_jumps(state, jumps));
    const arma::mat& log_rates = jumps_only ? jumps : state.log_pi;
    return log_density_of_concentrations(model, state) + log_density_of_base_weights(state.gamma, state.log_beta) +
           log_density_of_rates(a, state.log_pi) + log_prior(model.locations, state.locations) +
           log_prior(model.emission, state.emission) + log_density_of_states(n, log_rates, log_similarities(state)) +
           log_density_of_durations(model, state, observations.sequences) +
           path_log_likelihood(state.emission, bits(state.locations), state.z, observations);
}

}  // namespace hmmlt
