// Wrong draws of z: all paths are listed, so that nothing is shared with the library's messages.
#include <algorithm>
#include <cmath>
#include <utility>

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/row_scales.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/dynamics/semi_markov.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/uniform.hpp"
#include "hmmlt/sampler/blocks.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

BlockFunction states_in_beam(BeamBugs bugs) {
    return [=](SweepContext& context, const BlockStreams& rng) {
        refresh_similarity(context);
        arma::uvec& z = context.state.z;
        const arma::uword n_states = context.model.n_states;
        const Sequences& sequences = context.observations.sequences;
        arma::mat log_a = context.state.log_pi;
        log_a.head_rows(n_states) += context.scratch.log_phi;
        log_a.each_col() -= log_total_rates(context.state.log_pi, context.scratch.log_phi);
        arma::mat log_lik;
        log_likelihood(context.state.emission, bits(context.state.locations), context.observations, log_lik);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            Stream stream = rng.item(s);
            const arma::uword first = sequences.first[s];
            const arma::uword n_steps = sequences.length(s);
            const auto row_before = [&](const auto& path, arma::uword t) { return t == 0 ? n_states : path(t - 1); };
            const auto old = [&](arma::uword t) { return z(first + t); };
            std::vector<double> log_slice(n_steps);
            for (arma::uword t = 0; t < n_steps; ++t) {
                double ceiling = log_a(row_before(old, t), old(t));
                if (bugs.slices_under_start_row) ceiling = std::min(ceiling, log_a(n_states, old(t)));
                log_slice[t] =
                    t == 0 && !bugs.start_has_slice ? minus_infinity : ceiling + std::log(draw_uniform(stream));
            }
            const auto n_paths = static_cast<arma::uword>(std::lround(std::pow(n_states, n_steps)));
            std::vector<double> log_weight;
            for (arma::uword number = 0; number < n_paths; ++number) {
                const auto path = [&](arma::uword t) {
                    return number / static_cast<arma::uword>(std::lround(std::pow(n_states, t))) % n_states;
                };
                double total = 0.0;
                for (arma::uword t = 0; t < n_steps; ++t) {
                    const double log_transition = log_a(row_before(path, t), path(t));
                    total += log_transition >= log_slice[t] ? log_lik(path(t), first + t) : minus_infinity;
                    if (bugs.transitions_weigh) total += log_transition;
                }
                log_weight.push_back(total);
            }
            arma::uword chosen = draw_categorical_log(log_weight, stream);
            for (arma::uword t = 0; t < n_steps; ++t, chosen /= n_states) z(first + t) = chosen % n_states;
        }
        count_transitions(z, sequences, n_states, context.scratch.n);
    };
}

void states_without_cutting(SweepContext& context, const BlockStreams& rng) {
    refresh_similarity(context);
    State& state = context.state;
    const Sequences& sequences = context.observations.sequences;
    TransitionMatrix transition;
    DurationTable durations;
    SegmentMessages messages;
    arma::mat log_lik;
    normalise_rates(state.log_pi, context.scratch.log_phi, transition);
    fill_duration_table(state.durations, sequences.n_steps(), first_mass_beyond, durations);
    durations.log_survival = durations.log_law;
    log_likelihood(state.emission, bits(state.locations), context.observations, log_lik);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        filter_segments(transition, durations, log_lik, first, last, messages);
        sample_segments(transition, durations, messages, first, last, state.z, stream);
    }
    count_jumps(state, sequences, context.scratch.n);
}

void scales_of_jumps_from_c(SweepContext& context, const BlockStreams& rng) {
    State& state = context.state;
    rate_shapes(state.log_beta, state.c, state.rho, context.scratch.a);
    arma::mat a = context.scratch.a;
    // off its diagonal each row is to sum to c
    for (arma::uword j = 0; j < a.n_cols; ++j) {
        const double on_diagonal = a(j, j);
        a.row(j) *= state.c / (state.c - on_diagonal);
        a(j, j) = on_diagonal;
    }
    sample_scales_of_jumps(a, state.log_pi, rng);
}

void durations_of_steps(SweepContext& context, const BlockStreams& rng) {
    const auto& prior = std::get<PoissonDurations>(*durations_of(context.model.dynamics)).omega;
    arma::vec& omega = std::get<PoissonDurationState>(context.state.durations).omega;
    std::vector<Segment> segments = segments_of(context.state.z, context.observations.sequences);
    complete_segments(context.state.durations, segments, rng.from(omega.n_elem));
    const std::vector<DurationSums> sums = sum_durations(segments, omega.n_elem);
    for (arma::uword j = 0; j < omega.n_elem; ++j) {
        Stream stream = rng.item(j);
        omega(j) = draw_gamma(prior.shape + sums[j].excess, prior.rate + sums[j].excess + sums[j].n_segments, stream);
    }
}

void durations_as_seen(SweepContext& context, const BlockStreams& rng) {
    const std::vector<Segment> segments = segments_of(context.state.z, context.observations.sequences);
    sample_durations(*durations_of(context.model.dynamics), segments, context.state.durations, rng);
}

BlockFunction with_self_jumps(BlockFunction block) {
    return [block = std::move(block)](SweepContext& context, const BlockStreams& rng) {
        context.scratch.log_phi.diag().zeros();
        block(context, rng);
        refresh_similarity(context);
    };
}

BlockFunction with_self_rates(BlockFunction block) {
    return [block = std::move(block)](SweepContext& context, const BlockStreams& rng) {
        const DurationState durations = std::exchange(context.state.durations, NoDurations{});
        block(context, rng);
        context.state.durations = durations;
        refresh_similarity(context);
    };
}

void durations_of_shared_streams(SweepContext& context, const BlockStreams& rng) {
    std::vector<Segment> segments = segments_of(context.state.z, context.observations.sequences);
    complete_segments(context.state.durations, segments, rng);
    sample_durations(*durations_of(context.model.dynamics), segments, context.state.durations, rng);
}

double right_segments(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik) {
    DurationTable durations;
    SegmentMessages messages;
    fill_duration_table(state, log_lik.n_cols, first_mass_beyond, durations);
    return filter_all_segments(transition, state, log_lik, 0, log_lik.n_cols, durations, messages);
}

double segments_over_impossible_steps(const TransitionMatrix& transition, const DurationState& state,
                                      const arma::mat& log_lik) {
    arma::mat without = log_lik;  // the sums over time leave these steps out, and only the run of a state knows
    without.transform([](double value) { return value == minus_infinity ? 0.0 : value; });
    return right_segments(transition, state, without);
}

std::function<double(const TransitionMatrix&, const DurationState&, const arma::mat&)> segments_cut_at(double mass) {
    return [mass](const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik) {
        DurationTable durations;
        SegmentMessages messages;
        fill_duration_table(state, log_lik.n_cols, mass, durations);
        return filter_segments(transition, durations, log_lik, 0, log_lik.n_cols, messages);
    };
}

}  // namespace hmmlt::testing
