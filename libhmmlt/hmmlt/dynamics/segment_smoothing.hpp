// What the messages over segments say about the hidden states of given data, nothing being drawn: the counterpart of
// smoothing.hpp for states that have durations. docs/model.md, section 18
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/semi_markov.hpp"

namespace hmmlt {

// P(z_t = k | all y of a sequence), n_states x n_steps, from its messages. Sums of positive terms only, in
// O(n_steps n_states^2 + n_steps n_states n_durations).                                    docs/model.md (124), (125)
arma::mat smoothed_segments(const TransitionMatrix& transition, const DurationTable& durations,
                            const SegmentMessages& messages);

// The segmentation that is most likely as a whole, as a path of n_steps; of several, the one whose last state has the
// lowest number and whose last segment is the shortest, and so back. The table is made longer until no segment beyond
// it can be part of that path. The sequence must be possible.                                      docs/model.md (126)
arma::uvec most_likely_segments(const TransitionMatrix& transition, const DurationState& state,
                                const SegmentMessages& messages, DurationTable& durations);

}  // namespace hmmlt
