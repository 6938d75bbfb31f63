// The segments of a path in which no state follows itself, and the conditionals of what they tell about durations.
// docs/model.md, section 18
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt {

struct Segment {
    arma::uword state;
    double duration;  // at least 1; of a segment that is cut off: as far as it is seen
    bool cut_off;     // the last one of its sequence
};

// The longest runs of equal states, sequence after sequence.
std::vector<Segment> segments_of(const arma::uvec& z, const Sequences& sequences);

// The durations' part of docs/model.md (77): P(dur = d) of each segment, P(dur >= d) of those that are cut off.
double log_density_of_segments(const std::vector<Segment>& segments, const DurationState& state);

// The full length of each segment that is cut off, given what is seen of it; rng.item(i) draws the i-th of these.
void complete_segments(const DurationState& state, std::vector<Segment>& segments, const BlockStreams& rng);

// What the durations of one state add up to, all segments whole.
struct DurationSums {
    double n_segments = 0.0;    // S_j
    double excess = 0.0;        // X_j, the sum of (duration - 1)
    std::vector<double> whole;  // the durations themselves
};
std::vector<DurationSums> sum_durations(const std::vector<Segment>& segments, arma::uword n_states);

// omega_j | . ~ Gamma(a + X_j, b + S_j)                                                            docs/model.md (81)
GammaPrior omega_law(const GammaPrior& prior, const DurationSums& sums);
// p_j | r_j, . ~ Beta(a + r_j S_j, b + X_j)                                                        docs/model.md (83)
BetaPrior p_law(const BetaPrior& prior, double r, const DurationSums& sums);
// log P(r_j = r | .) for each r of the grid, up to a constant, p_j integrated out                  docs/model.md (84)
std::vector<double> r_log_weights(const NegativeBinomialDurations& spec, const DurationSums& sums);

// The parameters of every state given whole segments; rng.item(j) draws those of state j.
void sample_durations(const DurationSpec& spec, const std::vector<Segment>& segments, DurationState& state,
                      const BlockStreams& rng);

}  // namespace hmmlt
