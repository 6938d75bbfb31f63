// Blocks of where states live and how similar that makes them: one overload for each kind of locations.
#include "hmmlt/locations/directed_bits.hpp"
#include "hmmlt/locations/feature_moves.hpp"
#include "hmmlt/model/feature_density.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "hmmlt/similarity/bit_transitions.hpp"
#include "hmmlt/similarity/lambda.hpp"

namespace hmmlt {

namespace {

constexpr arma::uword bits_per_block = 4;

LinearEvidence evidence_of(const SweepContext& context) {
    return evidence(context.state.emission, context.observations, context.state.z, context.model.n_states);
}

const arma::mat& log_pi_of_jumps(SweepContext& context) {
    return log_pi_of_jumps(context.state, context.scratch.log_pi_of_jumps);
}

// Bits that move, by the similarity that ties them.
struct BitMove {
    SweepContext& context;
    const arma::vec& mu;
    arma::umat& theta;
    const BlockStreams& rng;
};

void move_bits_given_failed_jumps(const FactorialLimitSimilarity&, const BitMove& move) {
    const Scratch& scratch = move.context.scratch;
    sample_directed_bits_given_failed_jumps(move.mu, move.context.state.bit_logits, scratch.n, scratch.q,
                                            evidence_of(move.context), move.theta, move.rng);
}

template <typename DecaysWithDistance>
void move_bits_given_failed_jumps(const DecaysWithDistance&, const BitMove& move) {
    const Scratch& scratch = move.context.scratch;
    sample_bits_given_failed_jumps(move.mu, move.context.state.lambda, scratch.n, scratch.q, evidence_of(move.context),
                                   move.theta, move.rng);
}

void move_bits(const FactorialLimitSimilarity&, const BitMove& move) {
    const State& state = move.context.state;
    sample_directed_bits(move.mu, state.bit_logits, move.context.scratch.n, log_pi_of_jumps(move.context),
                         evidence_of(move.context), bits_per_block, move.theta, move.rng);
}

template <typename DecaysWithDistance>
void move_bits(const DecaysWithDistance&, const BitMove& move) {
    const State& state = move.context.state;
    sample_bits_in_blocks(move.mu, state.lambda, move.context.scratch.n, log_pi_of_jumps(move.context),
                          evidence_of(move.context), bits_per_block, move.theta, move.rng);
}

// Given Q, or with u and Q integrated out.
enum class FailedJumps { given, summed_out };

// Locations: one overload for each kind of them.
struct MoveLocations {
    FailedJumps failed_jumps;
    SweepContext& context;
    const BlockStreams& rng;

    void operator()(NoLocationState&) const {}
    void operator()(CornerLocationState&) const {}
    void operator()(BinaryLocationState& state) const { bits(state.mu, state.theta); }
    void operator()(IndianBuffetState& state) const { bits(arma::exp(state.log_mu), state.theta); }
    void operator()(EuclideanLocationState& state) const {
        Stream stream = rng.item(0);
        const auto& spec = std::get<EuclideanLocations>(context.model.locations);
        const Scratch& scratch = context.scratch;
        const double lambda = context.state.lambda;
        const HmcInfo info =
            failed_jumps == FailedJumps::given
                ? sample_locations_given_failed_jumps(spec, scratch.n, scratch.q, lambda, state, stream)
                : sample_locations(spec, scratch.n, log_pi_of_jumps(context), lambda, state, stream);
        context.info.hmc_acceptance = info.acceptance_probability;
    }

  private:
    void bits(const arma::vec& mu, arma::umat& theta) const {
        const BitMove move{context, mu, theta, rng};
        std::visit(
            [&](const auto& similarity) {
                if (failed_jumps == FailedJumps::given)
                    move_bits_given_failed_jumps(similarity, move);
                else
                    move_bits(similarity, move);
            },
            context.model.similarity);
    }
};

// What the bits of all states are drawn from.
struct SampleBitProbabilities {
    const LocationSpec& spec;
    const BlockStreams& rng;

    void operator()(NoLocationState&) const {}
    void operator()(CornerLocationState&) const {}
    void operator()(EuclideanLocationState&) const {}
    void operator()(BinaryLocationState& state) const {
        sample_bit_probabilities(std::get<BinaryLocations>(spec).mu, state.theta, state.mu, rng);
    }
    void operator()(IndianBuffetState& state) const {
        sample_buffet_probabilities(state.concentration, state.theta, state.log_mu, rng);
        const auto* prior = std::get_if<GammaPrior>(&std::get<IndianBuffetLocations>(spec).concentration);
        if (prior == nullptr) return;
        Stream stream = rng.item(state.log_mu.n_elem);
        state.concentration = sample_buffet_concentration(*prior, state.log_mu, stream);
    }
};

// The parameters of the similarity with u and Q integrated out, which is legal at the end of either sweep.
void sample_bit_transitions_of(SweepContext& context, const FactorialLimitSimilarity& limit, const BlockStreams& rng) {
    State& state = context.state;
    sample_bit_transitions(limit.transitions, bits(state.locations), context.scratch.n, log_pi_of_jumps(context),
                           state.bit_logits, rng);
}

}  // namespace

void sample_locations_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    std::visit(MoveLocations{FailedJumps::given, context, rng}, context.state.locations);
    refresh_distances(context);
}

void sample_locations_block(SweepContext& context, const BlockStreams& rng) {
    std::visit(MoveLocations{FailedJumps::summed_out, context, rng}, context.state.locations);
    refresh_distances(context);
}

// W and mu are integrated out of the law of the bits: W is drawn here, mu by the next block.
void sample_features_block(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    const auto prior = prior_of_unnamed_features(context.model, state);
    if (!prior) return;
    const FeatureEvidence evidence = feature_evidence(*prior, state, context.observations, context.scratch.n);
    const auto log_density = [&](const arma::umat& theta) {
        set_bits(theta, state.locations);
        return log_density_of_features(context.model, state, evidence);
    };
    arma::umat theta = bits(state.locations);
    move_features(log_density, theta, rng);
    set_bits(theta, state.locations);
    refresh_distances(context);
    Stream stream = rng.item(theta.n_rows);
    sample_weights(std::get<LinearGaussianSpec>(context.model.emission), context.observations, state.z, theta,
                   std::get<LinearGaussianState>(state.emission), stream);
}

void sample_bit_probabilities_block(SweepContext& context, const BlockStreams& rng) {
    std::visit(SampleBitProbabilities{context.model.locations, rng}, context.state.locations);
}

// The last of its sweep to have to do with phi: no block after it reads what it would refresh.
void sample_lambda_given_failed_jumps_block(SweepContext& context, const BlockStreams& rng) {
    if (const auto* limit = std::get_if<FactorialLimitSimilarity>(&context.model.similarity))
        return sample_bit_transitions_of(context, *limit, rng);
    const auto prior = lambda_prior(context.model.similarity);
    if (is_fixed(prior)) return;
    Stream stream = rng.item(0);
    const Scratch& scratch = context.scratch;
    context.state.lambda = sample_lambda_given_failed_jumps(std::get<ExponentialPrior>(prior), scratch.distance,
                                                            scratch.n, scratch.q, context.state.lambda, stream);
}

void sample_lambda_block(SweepContext& context, const BlockStreams& rng) {
    Scratch& scratch = context.scratch;
    const auto prior = lambda_prior(context.model.similarity);
    Stream stream = rng.item(0);
    if (const auto* limit = std::get_if<FactorialLimitSimilarity>(&context.model.similarity))
        sample_bit_transitions_of(context, *limit, rng);
    else if (!is_fixed(prior))
        context.state.lambda = sample_lambda(std::get<ExponentialPrior>(prior), scratch.distance, scratch.n,
                                             log_pi_of_jumps(context), context.state.lambda, stream);
    log_similarities(context.state, scratch.distance, scratch.log_phi);
}

}  // namespace hmmlt
