// Rows of bits and of what they are drawn from.
#include <cmath>

#include "hmmlt/locations/directed_bits.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/uniform.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

namespace {

LinearEvidence evidence_of(const AugmentedPoint& point) {
    return evidence(point.state.emission, point.observations, point.state.z, point.model.n_states);
}

const BinaryLocationState* binary(const AugmentedPoint& point) {
    return std::get_if<BinaryLocationState>(&point.state.locations);
}

const IndianBuffetState* buffet(const AugmentedPoint& point) {
    return std::get_if<IndianBuffetState>(&point.state.locations);
}

// Bits that move, as the conditionals see them.
struct MovingBits {
    const arma::umat* theta = nullptr;  // null where none move
    arma::vec mu;

    explicit MovingBits(const AugmentedPoint& point) {
        if (const auto* state = binary(point)) {
            theta = &state->theta;
            mu = state->mu;
        } else if (const auto* other = buffet(point)) {
            theta = &other->theta;
            mu = arma::exp(other->log_mu);
        }
    }
};

void put_bit(AugmentedPoint& moved, arma::uword d, arma::uword j, arma::uword bit) {
    arma::umat theta = bits(moved.state.locations);
    theta(d, j) = bit;
    set_bits(theta, moved.state.locations);
}

bool is_directed(const AugmentedPoint& point) {
    return std::holds_alternative<FactorialLimitSimilarity>(point.model.similarity);
}

// Weights of all candidates for some bits of a state against the joint density.
void compare_candidates(const AugmentedPoint& point, arma::uword j, const std::vector<arma::uword>& dims,
                        const std::vector<double>& law, double (*joint)(const AugmentedPoint&),
                        Comparison& comparison) {
    comparison.ratios(
        law.size(), [&](std::size_t candidate) { return law[candidate]; },
        [&](std::size_t candidate) {
            AugmentedPoint moved = point;
            for (std::size_t bit = 0; bit < dims.size(); ++bit) put_bit(moved, dims[bit], j, candidate >> bit & 1);
            return joint(moved);
        });
}

}  // namespace

void check_bits_given_failed_jumps(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    if (has_durations(point)) return;  // `single` is refused
    const MovingBits moving(point);
    if (moving.theta == nullptr || is_directed(point)) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    const double lambda = point.state.lambda;
    const BlockStreams streams({.seed = 1});
    arma::umat drawn = *moving.theta;
    arma::umat expected = *moving.theta;
    sample_bits_given_failed_jumps(moving.mu, lambda, in.n, point.q, evidence, drawn, streams);
    for (arma::uword j = 0; j < expected.n_cols; ++j) {
        Stream of_law = streams.item(j);
        for (arma::uword d = 0; d < expected.n_rows; ++d) {
            const double log_odds = bit_log_odds(j, d, expected, moving.mu, lambda, in.n, point.q, evidence);
            expected(d, j) = draw_uniform(of_law) < 1.0 / (1.0 + std::exp(-log_odds)) ? 1 : 0;
        }
    }
    comparison.equal(static_cast<double>(arma::accu(drawn != expected)), 0.0);
    for (arma::uword j = 0; j < moving.theta->n_cols; ++j)
        for (arma::uword d = 0; d < moving.theta->n_rows; ++d) {
            const double log_odds = bit_log_odds(j, d, *moving.theta, moving.mu, lambda, in.n, point.q, evidence);
            // a forced bit has infinite odds, the other value being impossible
            compare_candidates(point, j, {d}, {std::min(-log_odds, 0.0), std::min(log_odds, 0.0)}, log_joint_with_u_q,
                               comparison);
        }
}

void check_bits_in_blocks(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const MovingBits moving(point);
    if (moving.theta == nullptr || is_directed(point)) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    for (const std::vector<arma::uword>& dims : {std::vector<arma::uword>{1}, {2, 0}, {0, 1, 2}})
        for (arma::uword j = 0; j < moving.theta->n_cols; ++j)
            compare_candidates(point, j, dims,
                               bit_block_log_weights(j, dims, *moving.theta, moving.mu, point.state.lambda, in.n,
                                                     in.log_pi_of_jumps, evidence),
                               log_joint_without_u_q, comparison);
}

void check_directed_bits_given_failed_jumps(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    if (has_durations(point)) return;  // `single` is refused
    const MovingBits moving(point);
    if (moving.theta == nullptr || !is_directed(point)) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    for (arma::uword j = 0; j < moving.theta->n_cols; ++j)
        for (arma::uword d = 0; d < moving.theta->n_rows; ++d)
            compare_candidates(point, j, {d},
                               directed_bit_log_weights_given_failed_jumps(
                                   j, {d}, *moving.theta, moving.mu, point.state.bit_logits, in.n, point.q, evidence),
                               log_joint_with_u_q, comparison);
}

void check_directed_bits(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const MovingBits moving(point);
    if (moving.theta == nullptr || !is_directed(point)) return;
    const ConditionalInputs in(point);
    const LinearEvidence evidence = evidence_of(point);
    for (const std::vector<arma::uword>& dims : {std::vector<arma::uword>{1}, {2, 0}, {0, 1, 2}})
        for (arma::uword j = 0; j < moving.theta->n_cols; ++j)
            compare_candidates(point, j, dims,
                               directed_bit_log_weights(j, dims, *moving.theta, moving.mu, point.state.bit_logits, in.n,
                                                        in.log_pi_of_jumps, evidence),
                               log_joint_without_u_q, comparison);
}

void check_buffet_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const IndianBuffetState* locations = buffet(point);
    if (locations == nullptr) return;
    const BlockStreams streams({.seed = 1});
    arma::vec drawn;
    sample_buffet_probabilities(locations->concentration, locations->theta, drawn, streams);
    for (arma::uword d = 0; d < locations->log_mu.n_elem; ++d) {
        const BetaPrior law = buffet_probability_law(locations->concentration, locations->theta, d);
        Stream of_law = streams.item(d);
        comparison.equal(drawn(d), draw_log_beta(law.a, law.b, of_law).log_x);
        compare(
            point, values_between_0_and_1(rng),
            [d](AugmentedPoint& moved, double mu) {
                std::get<IndianBuffetState>(moved.state.locations).log_mu(d) = std::log(mu);
            },
            [law](double mu) { return log_beta_density(mu, law) + std::log(mu); },  // with respect to d log mu
            log_joint_without_u_q, comparison);
    }
}

void check_buffet_concentration(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const IndianBuffetState* locations = buffet(point);
    if (locations == nullptr) return;
    const auto& prior = std::get<GammaPrior>(std::get<IndianBuffetLocations>(point.model.locations).concentration);
    const GammaPrior law = buffet_concentration_law(prior, locations->log_mu);
    compare_draws([&](Stream& stream) { return sample_buffet_concentration(prior, locations->log_mu, stream); },
                  [law](Stream& stream) { return draw_gamma(law.shape, law.rate, stream); }, comparison);
    compare(
        point, positive_values(rng),
        [](AugmentedPoint& moved, double a) { std::get<IndianBuffetState>(moved.state.locations).concentration = a; },
        [law](double a) { return log_gamma_density(a, law); }, log_joint_without_u_q, comparison);
}

void check_bit_probabilities(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const BinaryLocationState* locations = binary(point);
    if (locations == nullptr) return;
    const BlockStreams streams({.seed = 1});
    arma::vec drawn;
    sample_bit_probabilities(std::get<BinaryLocations>(point.model.locations).mu, locations->theta, drawn, streams);
    for (arma::uword d = 0; d < locations->mu.n_elem; ++d) {
        const BetaPrior law =
            bit_probability_law(std::get<BinaryLocations>(point.model.locations).mu, locations->theta, d);
        Stream of_law = streams.item(d);
        comparison.equal(drawn(d), draw_beta(law.a, law.b, of_law));
        compare(
            point, values_between_0_and_1(rng),
            [d](AugmentedPoint& moved, double mu) { std::get<BinaryLocationState>(moved.state.locations).mu(d) = mu; },
            [law](double mu) { return log_beta_density(mu, law); }, log_joint_without_u_q, comparison);
    }
}

}  // namespace hmmlt::testing
