// The hidden states of a semi-Markov chain, drawn jointly: messages run over the ends of segments, whose lengths have
// laws of their own. docs/model.md, section 18
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/dynamics/transition_matrix.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Messages of one sequence, all as logarithms; kept from sequence to sequence, they allocate nothing. The largest
// likelihood of a step, a factor of all paths, is taken off, so that sums of the others keep their digits.
struct SegmentMessages {
    arma::mat ends;       // E_t(k): a segment of k ends with step t; n_states x n_steps, column 0 is not used
    arma::mat begins;     // B_t(k): one begins after step t; n_steps x n_states
    arma::mat log_lik;    // of step t, row 0 is not used, 0 where it is impossible; (n_steps + 1) x n_states
    arma::vec log_scale;  // what was taken off step t; n_steps + 1
    arma::umat run;       // the steps up to t in a row that k can have emitted; (n_steps + 1) x n_states
    arma::mat lead;       // B_s(k) F_k(s, t) of the present t, for all s within reach of it; n_steps x n_states
    arma::vec last;       // (79) summed over the length of the last segment; n_states
    // An upper bound of what the paths with a segment beyond the table of durations would add to p(y), as a share of
    // it; 0 if there are none, infinity if no other path is possible. Of a filter of prefixes: the largest of all.
    //                                                                                              docs/model.md (113)
    double left_out = 0.0;
    arma::mat omitted_lead;        // of these paths: what is to be added to `lead`
    arma::vec overlong;            // of one t: over all segments of k beyond the table that end with t, (113)
    std::vector<arma::uword> met;  // of each state: one past the last t at which omitted_lead is not zero
};

// The table that the filters of these sequences begin with.
void fill_first_duration_table(const DurationState& state, const Sequences& sequences, DurationTable& table);

// O(n_steps n_states^2 + n_steps n_states n_durations). log_lik: n_states x n_steps, of which columns first .. last - 1
// are the sequence. Returns log p(y) over the durations in the table; -infinity if no path is possible.
//                                                                                     docs/model.md (78), (79), (113)
double filter_segments(const TransitionMatrix& transition, const DurationTable& durations, const arma::mat& log_lik,
                       arma::uword first, arma::uword last, SegmentMessages& messages);

// The same over all durations, but for a share of p(y) of at most this: until that is certain the table is made longer
// and the sequence done again. In the end the table reaches the length of the sequence, and nothing is left out.
inline constexpr double largest_share_left_out = 1e-12;
double filter_all_segments(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik,
                           arma::uword first, arma::uword last, DurationTable& durations, SegmentMessages& messages);

// The same for the sequence and all that it begins with, none of which leaves out more. log_now(k, t), n_states x
// n_steps: log p(y_1 .. y_t, z_t = k) less the scales of these steps, the last segment cut off after t.
//                                                                                              docs/model.md (127)
double filter_all_prefixes(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik,
                           arma::uword first, arma::uword last, DurationTable& durations, SegmentMessages& messages,
                           arma::mat& log_now);

// Throws std::runtime_error, naming the sequence, if log_p(y) is that of no path.
void check_possible(double log_p, arma::uword sequence);

// z | A, durations, y of that sequence, from its last segment to its first.                        docs/model.md (79)
void sample_segments(const TransitionMatrix& transition, const DurationTable& durations,
                     const SegmentMessages& messages, arma::uword first, arma::uword last, arma::uvec& z, Stream& rng);

}  // namespace hmmlt
