#include "hmmlt/sampler/sweep.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/sampler/blocks.hpp"

namespace hmmlt {

Sweep single_sweep(Precision precision) {
    return {
        {StreamBlock::states, "states", std::bind_front(sample_states_block, precision)},
        {StreamBlock::row_scales, "row_scales", sample_row_scales_block},
        {StreamBlock::holding_times, "holding_times", sample_holding_times_block},
        {StreamBlock::failed_jumps, "failed_jumps", sample_failed_jumps_block},
        {StreamBlock::table_counts, "table_counts", sample_table_counts_given_failed_jumps_block},
        {StreamBlock::sticky_tables, "sticky_tables", sample_sticky_tables_block},
        {StreamBlock::top_tables, "top_tables", sample_top_tables_block},
        {StreamBlock::gamma, "gamma", sample_gamma_block},
        {StreamBlock::concentration, "concentration", sample_concentration_block},
        {StreamBlock::stickiness, "stickiness", sample_stickiness_block},
        {StreamBlock::base_weights, "base_weights", sample_base_weights_block},
        {StreamBlock::rates, "rates", sample_rates_given_failed_jumps_block},
        {StreamBlock::locations, "locations", sample_locations_given_failed_jumps_block},
        {StreamBlock::bit_probabilities, "bit_probabilities", sample_bit_probabilities_block},
        {StreamBlock::lambda, "lambda", sample_lambda_given_failed_jumps_block},
        {StreamBlock::emission, "emission", sample_emission_block},
    };
}

Sweep blocked_sweep(Precision precision, std::uint32_t n_splits_and_merges) {
    return {
        {StreamBlock::states, "states", std::bind_front(sample_states_block, precision)},
        {StreamBlock::locations, "locations", sample_locations_block},
        {StreamBlock::features, "features", sample_features_block},
        {StreamBlock::bit_probabilities, "bit_probabilities", sample_bit_probabilities_block},
        {StreamBlock::lambda, "lambda", sample_lambda_block},
        {StreamBlock::split_merge, "split_merge", std::bind_front(split_and_merge_block, n_splits_and_merges)},
        {StreamBlock::row_scales, "row_scales", sample_row_scales_block},
        {StreamBlock::holding_times, "holding_times", sample_holding_times_block},
        {StreamBlock::table_counts, "table_counts", sample_table_counts_block},
        {StreamBlock::sticky_tables, "sticky_tables", sample_sticky_tables_block},
        {StreamBlock::top_tables, "top_tables", sample_top_tables_block},
        {StreamBlock::gamma, "gamma", sample_gamma_block},
        {StreamBlock::concentration, "concentration", sample_concentration_block},
        {StreamBlock::stickiness, "stickiness", sample_stickiness_block},
        {StreamBlock::base_weights, "base_weights", sample_base_weights_block},
        {StreamBlock::rates, "rates", sample_rates_block},
        {StreamBlock::emission, "emission", sample_emission_block},
    };
}

Sweep with_dynamics(const Dynamics& dynamics, Sweep sweep) {
    if (durations_of(dynamics) == nullptr) return sweep;
    // after z, and wherever nothing else reads them: only z does
    sweep.insert(sweep.begin() + 1, {StreamBlock::durations, "durations", sample_durations_block});
    return sweep;
}

namespace {

void check_scalar(const char* name, double value) {
    if (!std::isfinite(value)) throw std::runtime_error(fmt::format("{} is {}", name, value));
}

template <typename Good>
void check_cells(const char* name, const arma::mat& values, const Good& good) {
    bool all_good = true;
    for (const double value : values) all_good &= good(value);
    if (all_good) return;
    for (arma::uword cell = 0; cell < values.n_elem; ++cell)
        if (!good(values(cell)))
            throw std::runtime_error(
                fmt::format("{}({}, {}) is {}", name, cell % values.n_rows, cell / values.n_rows, values(cell)));
}

// -infinity is a proper logarithm of a rate or weight, NaN and +infinity are not.
void check_logarithms(const char* name, const arma::mat& values) {
    check_cells(name, values, [](double value) { return value < arma::datum::inf; });
}

void check_numbers(const char* name, const arma::mat& values) {
    check_cells(name, values, [](double value) { return std::isfinite(value); });
}

struct CheckPart {
    void operator()(const NoLocationState&) const {}
    void operator()(const BinaryLocationState& part) const { check_numbers("mu", part.mu); }
    void operator()(const EuclideanLocationState& part) const { check_numbers("location", part.location); }
    void operator()(const IndianBuffetState& part) const {
        check_numbers("log_mu", part.log_mu);
        check_scalar("the concentration of the indian buffet", part.concentration);
    }
    void operator()(const CornerLocationState&) const {}
    void operator()(const CategoricalState& part) const { check_logarithms("log_theta", part.log_theta); }
    void operator()(const LinearGaussianState& part) const {
        check_numbers("weights", part.weights);
        check_numbers("h", part.h);
        if (part.weight_precision) check_scalar("weight_precision", *part.weight_precision);
    }
    void operator()(const GaussianState& part) const {
        check_numbers("mean", part.mean);
        check_numbers("h", part.h);
    }
    void operator()(const NoDurations&) const {}
    void operator()(const PoissonDurationState& part) const { check_numbers("omega", part.omega); }
    void operator()(const NegativeBinomialDurationState& part) const {
        check_logarithms("log_p", part.log_p);
        check_logarithms("log_1mp", part.log_1mp);
    }
};

// What a block has drawn, and nothing else: pi has as many cells as a sweep has time for.
void check_drawn(const State& state, StreamBlock drawn) {
    check_scalar("gamma", state.gamma);
    check_scalar("c", state.c);
    check_scalar("rho", state.rho);
    check_scalar("lambda", state.lambda);
    if (drawn == StreamBlock::base_weights || drawn == StreamBlock::split_merge)
        check_logarithms("log_beta", state.log_beta);
    if (drawn == StreamBlock::rates || drawn == StreamBlock::row_scales) check_logarithms("log_pi", state.log_pi);
    if (drawn == StreamBlock::locations || drawn == StreamBlock::bit_probabilities)
        std::visit(CheckPart{}, state.locations);
    if (drawn == StreamBlock::lambda) check_numbers("bit_logits", state.bit_logits);
    if (drawn == StreamBlock::emission || drawn == StreamBlock::features) std::visit(CheckPart{}, state.emission);
    if (drawn == StreamBlock::durations) std::visit(CheckPart{}, state.durations);
}

std::string name_of(std::uint32_t sweep) {
    return sweep == before_the_first_sweep || sweep == first_transitions ? "start" : fmt::format("sweep {}", sweep);
}

}  // namespace

SweepInfo run_sweep(const Sweep& sweep, const Model& model, const Observations& observations, State& state,
                    Scratch& scratch, const SweepAddress& address) {
    SweepInfo info;
    SweepContext context{model, observations, state, scratch, info};
    for (const Block& block : sweep) {
        const auto started = std::chrono::steady_clock::now();
        try {
            block.run(context, BlockStreams({.seed = address.seed,
                                             .chain = address.chain,
                                             .sweep = address.sweep,
                                             .block = static_cast<std::uint32_t>(block.id)}));
            check_drawn(state, block.id);
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("{}, block {}: {}", name_of(address.sweep), block.name, error.what()));
        }
        info.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    }
    info.n_used = count_used_states(state.z, model.n_states);
    return info;
}

}  // namespace hmmlt
