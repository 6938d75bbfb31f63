// z given everything else, in the precision asked for, and exactly wherever that does not suffice.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/beam.hpp"
#include "hmmlt/dynamics/dynamics.hpp"
#include "hmmlt/dynamics/precision.hpp"
#include "hmmlt/dynamics/scaled_filter.hpp"
#include "hmmlt/dynamics/semi_markov.hpp"
#include "hmmlt/emission/emission.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

inline const DurationState no_durations = NoDurations{};

// What z depends on.
struct StateConditions {
    const arma::mat& log_pi;   // (n_states + 1) x n_states, the start row last
    const arma::mat& log_phi;  // n_states x n_states
    const EmissionState& emission;
    const arma::umat& theta;  // empty if states have no bits
    const Observations& observations;
    const DurationState& durations = no_durations;
};

// What a filter fills on its way; kept from sweep to sweep, it allocates nothing.
template <typename Real>
struct FilterScratch {
    FilterTransitions<Real> transitions;
    Likelihoods<Real> likelihoods;
    ScaledMessages<Real> messages;
};
struct BeamScratch {
    Beam beam;
    arma::mat log_a;
    arma::vec log_slice;
    arma::mat log_lik;
};
struct SegmentScratch {
    TransitionMatrix transition;
    DurationTable durations;
    SegmentMessages messages;
    arma::mat log_lik;
};
struct StateDrawScratch {
    FilterScratch<float> float32;
    FilterScratch<double> float64;
    BeamScratch beam;
    SegmentScratch segments;
};

// z of all sequences; rng.item(s) draws sequence s. Returns log p(y), z summed out. A sequence that scaled messages
// must not be trusted with is done again by filter_forward.                                  docs/model.md (67) to (69)
double sample_states(const StateConditions& given, Precision precision, StateDrawScratch& scratch, arma::uvec& z,
                     const BlockStreams& rng);

// The same from the path z that is there, by slices under it, always in double. Items from the number of sequences on
// draw the paths, those before it the slices.                                                docs/model.md (91), (92)
void sample_states_in_beam(const StateConditions& given, BeamScratch& scratch, arma::uvec& z, const BlockStreams& rng);

// z of all sequences where states have durations, in double. Returns log p(y).               docs/model.md (78), (79)
double sample_segments(const StateConditions& given, SegmentScratch& scratch, arma::uvec& z, const BlockStreams& rng);

// By the dynamics of a model. An empty z is no path yet: the first one is always drawn by the full pass. Returns
// log p(y), or NaN where the draw does not come by it.
double sample_states(const Dynamics& dynamics, const StateConditions& given, Precision precision,
                     StateDrawScratch& scratch, arma::uvec& z, const BlockStreams& rng);

// log p(y_s) of each sequence s, z summed out, in double; no message is kept. By (79) where states have durations.
//                                                                                                  docs/model.md (69)
arma::vec sequence_log_likelihood(const StateConditions& given);

}  // namespace hmmlt
