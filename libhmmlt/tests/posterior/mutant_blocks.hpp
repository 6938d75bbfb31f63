// Wrong blocks of a sweep: each is a bug that someone made, or could make, in the place of a right block. They live
// here, in the tests, and are put into the list of a sweep; the library has no switch for them.
#pragma once

#include <functional>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/sampler/factorial_sweep.hpp"
#include "hmmlt/sampler/split_merge.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt::testing {

using BlockFunction = std::function<void(SweepContext&, const BlockStreams&)>;

// u, tables and pi; the numbers are those of docs/model.md
void holding_times_of_normalised_rows(SweepContext& context, const BlockStreams& rng);     // (11) with T_j = 1
void holding_times_of_visits(SweepContext& context, const BlockStreams& rng);              // (11) with visits
void tables_without_failed_jumps(SweepContext& context, const BlockStreams& rng);          // (16) CRT(n), (35) CRT only
void tables_without_kappa_in_one_row(SweepContext& context, const BlockStreams& rng);      // (4), (16)
void rates_without_kappa_in_one_row(SweepContext& context, const BlockStreams& rng);       // (4), (15)
void rates_without_similarity(SweepContext& context, const BlockStreams& rng);             // (32) with 1 + u
void sticky_tables_without_one_minus_rho(SweepContext& context, const BlockStreams& rng);  // (17) rho / (rho + beta)

// concentrations
void top_tables_of_weight_one(SweepContext& context, const BlockStreams& rng);         // (22) gamma, not gamma / J
void eta_of_gamma_plus_one(SweepContext& context, const BlockStreams& rng);            // (23) Beta(gamma + 1, M)
void stickiness_with_start_row(SweepContext& context, const BlockStreams& rng);        // (20) all rows
void concentration_without_start_row(SweepContext& context, const BlockStreams& rng);  // (19) rows 1..J only

// Bits, one by one, given Q: the Gaussian part (48) of the log-odds for one channel, from h, w, the sum of the
// residuals without the bit, and the number of observed cells.
using GaussianLogRatio = double (*)(double h, double w, double residual, double count);
double right_log_ratio(double h, double w, double residual, double count);
double log_ratio_without_precision(double h, double w, double residual, double count);
double log_ratio_of_wrong_sign(double h, double w, double residual, double count);  // as printed in the paper
BlockFunction bits_given_failed_jumps(GaussianLogRatio log_ratio, bool incoming_jumps);
// All bits of a state at once, u and Q integrated out; (50) with or without the totals of the other rows.
BlockFunction bits_integrated(bool other_totals);
void bit_probabilities_of_steps(SweepContext& context, const BlockStreams& rng);  // (52) over steps, not states

// Euclidean locations given Q.
BlockFunction locations_by_hmc(bool accept_always);                                            // (60)
void locations_given_half_the_failed_jumps(SweepContext& context, const BlockStreams& rng);    // (56) q_jk, j < k
arma::mat outgoing_gradient_given_failed_jumps(const arma::mat& location, const arma::mat& n,  // (57) n_jk, q_jk only
                                               const arma::mat& q, double lambda, double location_precision);
arma::mat outgoing_gradient(const arma::mat& location, const arma::mat& n,  // (59) n_jk, A_jk only
                            const arma::mat& log_pi, double lambda, double location_precision);

// lambda
BlockFunction lambda_given_failed_jumps(bool with_distance);                 // (39), the rate with or without delta
void lambda_without_totals(SweepContext& context, const BlockStreams& rng);  // (41) without log T_j
void lambda_form_chosen_by_failed_jumps(SweepContext& context, const BlockStreams& rng);  // (39) or (41), by Q

// z in a beam, (91), (92), by a list of all paths.
struct BeamBugs {
    bool transitions_weigh = false;       // A [A > s] in the place of [A > s]
    bool start_has_slice = true;          // row 0
    bool slices_under_start_row = false;  // s_t < min(A_{z_t-1 z_t}, A_{0 z_t})
};
BlockFunction states_in_beam(BeamBugs bugs);

// semi-Markov
void states_without_cutting(SweepContext& context, const BlockStreams& rng);  // (79) P(d) for P(dur >= d)
void durations_of_steps(SweepContext& context, const BlockStreams& rng);      // (81), (83) S_j counts steps
void durations_as_seen(SweepContext& context, const BlockStreams& rng);       // the last segments are not completed
void scales_of_jumps_from_c(SweepContext& context, const BlockStreams& rng);  // (116) c, not the sum of a off j
BlockFunction with_self_jumps(BlockFunction block);                           // (76) phi_jj = 1
BlockFunction with_self_rates(BlockFunction block);                           // pi_jj in the T_j of (41), (50), (58)
void durations_of_shared_streams(SweepContext& context, const BlockStreams& rng);  // lengths and omega, one stream
double right_segments(const TransitionMatrix& transition, const DurationState& state, const arma::mat& log_lik);
double segments_over_impossible_steps(const TransitionMatrix& transition, const DurationState& state,  // (78)
                                      const arma::mat& log_lik);
// (113): durations end where no more than `mass` of their law is left, whatever the data say
std::function<double(const TransitionMatrix&, const DurationState&, const arma::mat&)> segments_cut_at(double mass);

// Indian buffet and factorial limit
void buffet_of_weight_a(SweepContext& context, const BlockStreams& rng);                 // (87) a, not a / D
void buffet_concentration_of_the_sum(SweepContext& context, const BlockStreams& rng);    // (88) the sum, not the mean
void directed_bits_without_own_jumps(SweepContext& context, const BlockStreams& rng);    // (110) n_jj = q_jj = 0
void directed_bits_of_transposed_jumps(SweepContext& context, const BlockStreams& rng);  // (111) n_kj for n_jk
void bit_transitions_without_totals(SweepContext& context, const BlockStreams& rng);     // (90) without T_j
void rates_of_transposed_similarity(SweepContext& context, const BlockStreams& rng);     // (32) phi_kj for phi_jk

// Whole features, (118)-(120), without one of the parts.
struct FeatureParts {
    bool determinant = true;     // of P
    bool prior = true;           // of the bits, mu integrated out
    bool jumps = true;           // (10)
    bool weights_follow = true;  // W is drawn given the bits where they are now
};
BlockFunction features_moved(FeatureParts parts);

// Splits and merges by other rules: a factor of (138) left out; windows (136) that depend on z.
BlockFunction splits_by(SplitMergeRules rules);
BlockFunction splits_without(double SplitRatio::*factor);
void splits_by_windows_that_look(SweepContext& context, const BlockStreams& rng);

// The emission with a law of its own for the precision of W.
using WeightPrecisionLaw = GammaPrior (*)(const SharedPrecisionWeights& prior, const arma::mat& weights);
GammaPrior weight_precision_of_whole_counts(const SharedPrecisionWeights& prior, const arma::mat& weights);  // (115) n
GammaPrior weight_precision_with_bias(const SharedPrecisionWeights& prior, const arma::mat& weights);  // (115) all rows
BlockFunction emission_with_weight_precision(WeightPrecisionLaw law);

// The bits of the factorial HMM, drawn jointly by messages over all joint states.
struct BitsBugs {
    bool wrong_row_in_filter = false;   // (128): b stands for 1 - b in one chain
    bool draw_without_message = false;  // (129): only the rows that lead to the next state weigh
};
BitsDraw bits_by_dense_messages(BitsBugs bugs);
double bits_in_blocks_without_the_rest(const Observations& observations, FactorialState& state,
                                       const SweepAddress& address);  // y keeps the means of the other chains

// data
BlockFunction with_zeros_for_missing(BlockFunction block);
BlockFunction with_sequences_joined(BlockFunction block);
void unnormalise_start_row(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition);   // (7)
void transpose_similarities(const arma::mat& log_pi, const arma::mat& log_phi, TransitionMatrix& transition);  // (7)

}  // namespace hmmlt::testing
