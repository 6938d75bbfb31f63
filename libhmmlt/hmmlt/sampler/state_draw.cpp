#include "hmmlt/sampler/state_draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/emission/scaled_likelihoods.hpp"
#include "hmmlt/emission/some_states.hpp"

namespace hmmlt {

namespace {

// One sequence of the data under its own number: those before it have no steps.
Observations only(const Observations& observations, arma::uword sequence) {
    std::vector<arma::uword> lengths(sequence + 1, 0);
    lengths.back() = observations.sequences.length(sequence);
    const arma::uword first = observations.sequences.first[sequence];
    const arma::uword last = observations.sequences.first[sequence + 1] - 1;
    Observations one{Sequences::of_lengths(lengths), {}, {}};
    if (!observations.y.is_empty()) one.y = observations.y.cols(first, last);
    if (!observations.symbol.is_empty()) one.symbol = observations.symbol.subvec(first, last);
    return one;
}

// Sequences by the filter that can always be trusted. Its J x J logarithms are computed when the first one asks.
class ExactFilter {
  public:
    explicit ExactFilter(const StateConditions& given) : given_(given) {}

    double log_likelihood(arma::uword sequence) {
        filter(sequence);
        return messages_.log_likelihood[sequence];
    }

    double sample(arma::uword sequence, arma::uvec& z, const BlockStreams& rng) {
        const Observations one = filter(sequence);
        arma::uvec path;
        sample_states(*transition_, messages_, one.sequences, path, rng);
        z.subvec(given_.observations.sequences.first[sequence], arma::size(path)) = path;
        return messages_.log_likelihood[sequence];
    }

  private:
    Observations filter(arma::uword sequence) {
        if (!transition_) normalise_rates(given_.log_pi, given_.log_phi, transition_.emplace());
        const Observations one = only(given_.observations, sequence);
        arma::mat log_lik;
        hmmlt::log_likelihood(given_.emission, given_.theta, one, log_lik);
        filter_forward(*transition_, log_lik, one.sequences, messages_);
        return one;
    }

    const StateConditions& given_;
    std::optional<TransitionMatrix> transition_;
    ForwardMessages messages_;
};

template <typename Real>
void filter(const StateConditions& given, Keep keep, FilterScratch<Real>& scratch) {
    normalise_rates(given.log_pi, given.log_phi, scratch.transitions);
    scaled_likelihoods(given.emission, given.theta, given.observations, scratch.transitions.states,
                       scratch.transitions.n_states(), scratch.likelihoods);
    filter_scaled(scratch.transitions, scratch.likelihoods, given.observations.sequences, keep, scratch.messages);
}

template <typename Real>
double sample_with(const StateConditions& given, FilterScratch<Real>& scratch, arma::uvec& z, const BlockStreams& rng) {
    filter(given, Keep::all_messages, scratch);
    const Sequences& sequences = given.observations.sequences;
    sample_paths(scratch.transitions, scratch.messages, sequences, z, rng);
    ExactFilter exact(given);
    double total = 0.0;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const double log_likelihood = scratch.messages.log_likelihood[s];
        total += std::isfinite(log_likelihood) ? log_likelihood : exact.sample(s, z, rng);
    }
    return total;
}

// Calls each(sequence) with the messages of every sequence in turn; its log p(y) is handed on.
template <typename Each>
void filter_each(const StateConditions& given, SegmentScratch& scratch, const Each& each) {
    const Sequences& sequences = given.observations.sequences;
    normalise_rates(given.log_pi, given.log_phi, scratch.transition);
    fill_first_duration_table(given.durations, sequences, scratch.durations);
    log_likelihood(given.emission, given.theta, given.observations, scratch.log_lik);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const double log_likelihood =
            filter_all_segments(scratch.transition, given.durations, scratch.log_lik, sequences.first[s],
                                sequences.first[s + 1], scratch.durations, scratch.messages);
        check_possible(log_likelihood, s);
        each(s, log_likelihood);
    }
}

}  // namespace

double sample_states(const StateConditions& given, Precision precision, StateDrawScratch& scratch, arma::uvec& z,
                     const BlockStreams& rng) {
    z.set_size(given.observations.sequences.n_steps());
    return precision == Precision::float32 ? sample_with(given, scratch.float32, z, rng)
                                           : sample_with(given, scratch.float64, z, rng);
}

void sample_states_in_beam(const StateConditions& given, BeamScratch& scratch, arma::uvec& z, const BlockStreams& rng) {
    const Sequences& sequences = given.observations.sequences;
    log_transitions(given.log_pi, given.log_phi, scratch.log_a);
    sample_log_slices(scratch.log_a, z, sequences, scratch.log_slice, rng);
    cut_beam(scratch.log_a, scratch.log_slice, scratch.beam);
    log_likelihood_of_states(given.emission, given.theta, given.observations, scratch.beam.states, scratch.log_lik);
    sample_states(scratch.log_a, scratch.log_slice, scratch.log_lik, sequences, scratch.beam, z,
                  rng.from(sequences.count()));
}

double sample_segments(const StateConditions& given, SegmentScratch& scratch, arma::uvec& z, const BlockStreams& rng) {
    const Sequences& sequences = given.observations.sequences;
    z.set_size(sequences.n_steps());
    double total = 0.0;
    filter_each(given, scratch, [&](arma::uword s, double log_likelihood) {
        Stream stream = rng.item(s);
        sample_segments(scratch.transition, scratch.durations, scratch.messages, sequences.first[s],
                        sequences.first[s + 1], z, stream);
        total += log_likelihood;
    });
    return total;
}

namespace {

struct DrawStates {
    const StateConditions& given;
    Precision precision;
    StateDrawScratch& scratch;
    arma::uvec& z;
    const BlockStreams& rng;

    double operator()(const MarkovDynamics&) const { return sample_states(given, precision, scratch, z, rng); }
    double operator()(const BeamDynamics&) const {
        if (z.is_empty()) return (*this)(MarkovDynamics{});
        sample_states_in_beam(given, scratch.beam, z, rng);
        return arma::datum::nan;
    }
    double operator()(const SemiMarkovDynamics&) const { return sample_segments(given, scratch.segments, z, rng); }
};

}  // namespace

double sample_states(const Dynamics& dynamics, const StateConditions& given, Precision precision,
                     StateDrawScratch& scratch, arma::uvec& z, const BlockStreams& rng) {
    return std::visit(DrawStates{given, precision, scratch, z, rng}, dynamics);
}

arma::vec sequence_log_likelihood(const StateConditions& given) {
    if (has_durations(given.durations)) {
        SegmentScratch segments;
        arma::vec found(given.observations.sequences.count());
        filter_each(given, segments, [&](arma::uword s, double log_likelihood) { found[s] = log_likelihood; });
        return found;
    }
    FilterScratch<double> scratch;
    filter(given, Keep::log_likelihood, scratch);
    ExactFilter exact(given);
    arma::vec log_likelihood = scratch.messages.log_likelihood;
    for (arma::uword s = 0; s < log_likelihood.n_elem; ++s)
        if (!std::isfinite(log_likelihood[s])) log_likelihood[s] = exact.log_likelihood(s);
    return log_likelihood;
}

}  // namespace hmmlt
