#include "posterior/mutants.hpp"

#include <limits>
#include <stdexcept>

#include "hmmlt/sampler/blocks.hpp"
#include "hmmlt/sampler/split_merge.hpp"
#include "posterior/designs.hpp"
#include "posterior/exact_referees.hpp"
#include "posterior/factorial_geweke.hpp"
#include "posterior/mutant_blocks.hpp"
#include "posterior/mutant_edits.hpp"

namespace hmmlt::testing {

namespace {

void sample_states_in_float(SweepContext& context, const BlockStreams& rng) {
    sample_states_block(Precision::float32, context, rng);
}

// Designs of all_designs() by what they have.
constexpr std::size_t plain = 0;
constexpr std::size_t sticky_plain = 2;
constexpr std::size_t sticky_bits_single = 3;
constexpr std::size_t bits_blocked = 4;
constexpr std::size_t categorical_single = 6;
constexpr std::size_t sticky_points_single = 8;
constexpr std::size_t points_blocked = 9;
constexpr std::size_t points_single = 11;
constexpr std::size_t bits_beam = 12;
constexpr std::size_t sticky_beam = 13;
constexpr std::size_t poisson_symbols = 16;
constexpr std::size_t poisson_points = 17;
constexpr std::size_t binomial_symbols = 18;
constexpr std::size_t binomial_bits = 19;
constexpr std::size_t buffet_single = 21;
constexpr std::size_t buffet_blocked = 22;
constexpr std::size_t limit_bits_single = 23;
constexpr std::size_t limit_bits_blocked = 24;
constexpr std::size_t limit_corners = 25;
constexpr std::size_t shared_precision_single = 26;
constexpr std::size_t shared_precision_blocked = 27;
constexpr std::size_t sticky_splits = 41;
constexpr std::size_t splits = 42;

// Of factorial_designs().
constexpr std::size_t factorial_known = 3;

// Nothing but the length that a segment is drawn to have speaks about durations.
void one_step(GewekeDesign& design) {
    design.sequences = Sequences::of_lengths({1});
    design.model.n_states = 2;
}

Mutant geweke_mutant(std::string name, std::string bug, std::size_t design, Change change, std::uint32_t effort = 1,
                     Sharpen sharpen = {}) {
    return {.name = std::move(name),
            .bug = std::move(bug),
            .referee = "geweke",
            .design = design,
            .change = std::move(change),
            .sharpen = std::move(sharpen),
            .effort = effort};
}

Mutant factorial_mutant(std::string name, std::string bug, std::size_t design, BitsDraw draw_bits,
                        std::uint32_t effort = 1) {
    return {.name = std::move(name),
            .bug = std::move(bug),
            .referee = "geweke",
            .effort = effort,
            .factorial_design = design,
            .draw_bits = std::move(draw_bits)};
}

Mutant gradient_mutant(std::string name, std::string bug, std::function<double()> error) {
    return {.name = std::move(name),
            .bug = std::move(bug),
            .referee = "finite differences",
            .error = std::move(error),
            .tolerance = gradient_tolerance};
}

Mutant likelihood_mutant(std::string name, std::string bug, std::function<double()> error) {
    return {.name = std::move(name),
            .bug = std::move(bug),
            .referee = "enumeration",
            .error = std::move(error),
            .tolerance = likelihood_tolerance};
}

}  // namespace

const std::vector<Mutant>& mutants() {
    static const std::vector<Mutant> list{
        // the authors' program, pyhsmm and the printed paper
        geweke_mutant("u from the normalised row", "the rate of u is 1, the sum of a row of A, instead of T_j (11)",
                      categorical_single, replace("holding_times", holding_times_of_normalised_rows)),
        geweke_mutant("visits instead of departures", "u counts the last step of a sequence as a departure (9), (11)",
                      sticky_bits_single, replace("holding_times", holding_times_of_visits)),
        geweke_mutant("no noise precision", "the bits' log-odds leave out h (48)", sticky_bits_single,
                      replace("locations", bits_given_failed_jumps(log_ratio_without_precision, true)), 1,
                      precise_data),
        geweke_mutant("gamma's table weight 1", "the tables of gamma have weight gamma instead of gamma/J (22)",
                      categorical_single, replace("top_tables", top_tables_of_weight_one)),
        geweke_mutant("wrong sign of the log-ratio", "-h w (y - x + w/2), as printed, instead of (48)",
                      sticky_bits_single, replace("locations", bits_given_failed_jumps(log_ratio_of_wrong_sign, true))),
        gradient_mutant("outgoing counts only", "the HMC gradient given Q sees jumps from a state, not to it (57)",
                        [] { return gradient_error_given_failed_jumps(outgoing_gradient_given_failed_jumps); }),
        geweke_mutant("kappa left out of one row", "a_jj of one state has no kappa, in the tables and in pi (4)",
                      sticky_bits_single,
                      both(replace("table_counts", tables_without_kappa_in_one_row),
                           replace("rates", rates_without_kappa_in_one_row))),
        likelihood_mutant("start row unnormalised",
                          "row 0 of A is pi_0 itself: z is drawn rightly, the score is not (7)",
                          [] { return likelihood_error(unnormalise_start_row); }),
        likelihood_mutant("transposed phi", "A_jk has phi_kj in the place of phi_jk (7)",
                          [] { return likelihood_error(transpose_similarities); }),
        geweke_mutant("n instead of n + q customers", "failed jumps open no tables (16)", categorical_single,
                      replace("table_counts", tables_without_failed_jumps), 2),
        geweke_mutant("c without the start row", "products over rows 1..J, as printed (19)", plain,
                      replace("concentration", concentration_without_start_row), 4, starts_only),
        geweke_mutant("bits from outgoing jumps only", "n_jk in the place of n_jk + n_kj (46)", sticky_bits_single,
                      replace("locations", bits_given_failed_jumps(right_log_ratio, false)), 1,
                      many_jumps_between_states),
        // possible slips
        geweke_mutant("start row counted in rho", "tables of row 0 count as not sticky (20)", sticky_bits_single,
                      replace("stickiness", stickiness_with_start_row)),
        geweke_mutant("sticky share without 1 - rho", "a table is sticky with probability rho / (rho + beta) (17)",
                      sticky_bits_single, replace("sticky_tables", sticky_tables_without_one_minus_rho)),
        geweke_mutant("eta of gamma + 1", "Beta(gamma + 1, M), which belongs to another scheme (23)",
                      categorical_single, replace("top_tables", eta_of_gamma_plus_one)),
        geweke_mutant("mu of the steps", "a state counts once per visit in mu instead of once (52)", sticky_bits_single,
                      replace("bit_probabilities", bit_probabilities_of_steps)),
        geweke_mutant("missing cells are zeros", "a null cell is data (66)", sticky_bits_single, fill_missing),
        geweke_mutant("sequences joined", "the first step of a sequence follows the last of the one before (8)",
                      points_single, replace("states", with_sequences_joined(sample_states_in_float))),
        geweke_mutant("lambda without distances", "every jump counts 1 instead of its distance (39)",
                      categorical_single, replace("lambda", lambda_given_failed_jumps(false)), 4),
        geweke_mutant("HMC always accepts", "no Metropolis step at the end of a path (60)", sticky_points_single,
                      replace("locations", locations_by_hmc(true)), 2),
        geweke_mutant("failed jumps one way only", "the locations' density has q_jk for j < k only (56)", points_single,
                      replace("locations", locations_given_half_the_failed_jumps), 1, one_long_sequence),
        // `blocked`
        geweke_mutant("no tables of failed jumps", "the Poisson part of m is left out (35)", bits_blocked,
                      replace("table_counts", tables_without_failed_jumps), 3),
        geweke_mutant("pi without similarity", "rate 1 + u instead of 1 + u phi (32)", bits_blocked,
                      replace("rates", rates_without_similarity), 4),
        geweke_mutant("other rows' totals forgotten", "bits in blocks see T_j but no other T_k (50)", bits_blocked,
                      replace("locations", bits_integrated(false))),
        geweke_mutant("lambda without totals", "the powers of T_j are left out (41)", points_blocked,
                      replace("lambda", lambda_without_totals)),
        gradient_mutant("outgoing counts only, blocked", "the HMC gradient without Q sees A_jk but not A_kj (59)",
                        [] { return gradient_error(outgoing_gradient); }),
        // `beam`
        geweke_mutant("beam weighs transitions", "messages sum A [A > s] instead of [A > s] (92)", sticky_beam,
                      replace("states", states_in_beam({.transitions_weigh = true}))),
        geweke_mutant("no slice at the start", "every first state is allowed, whatever row 0 says (91)", bits_beam,
                      replace("states", states_in_beam({.start_has_slice = false}))),
        geweke_mutant("slices of the start row", "s_t lies under row 0 as well as under its own row (91)", sticky_beam,
                      replace("states", states_in_beam({.slices_under_start_row = true}))),
        // `semi_markov`
        geweke_mutant("last segment not cut off", "P(dur = d) in the place of P(dur >= d) (79)", poisson_symbols,
                      replace("states", states_without_cutting)),
        geweke_mutant("omega's rate of steps", "the rate of omega counts steps instead of segments (81)",
                      poisson_symbols, replace("durations", durations_of_steps)),
        geweke_mutant("durations as seen", "the last segments count as if they had ended with the data (83)",
                      binomial_symbols, replace("durations", durations_as_seen)),
        geweke_mutant("no tables of self-jumps", "m_jj = 0 instead of a Poisson number (85)", poisson_points,
                      replace("table_counts", with_self_jumps(sample_table_counts_block)), 3),
        geweke_mutant("scales of jumps from c", "R_j ~ Gamma(c, 1), as if pi_jj were one of its jumps (116)",
                      poisson_points, replace("row_scales", scales_of_jumps_from_c)),
        geweke_mutant("self-jumps hold", "u has the rate sum_k pi_jk phi_jk with k = j (76)", binomial_symbols,
                      replace("holding_times", with_self_jumps(sample_holding_times_block))),
        geweke_mutant("segments and parameters share streams",
                      "the length of a last segment is drawn with the random numbers that then draw r (84)",
                      binomial_symbols, replace("durations", durations_of_shared_streams), 4, one_step),
        geweke_mutant("self-jumps hold for lambda", "T_j has pi_jj (41), (76)", poisson_symbols,
                      replace("lambda", with_self_rates(sample_lambda_block)), 2),
        geweke_mutant("self-jumps hold for bits", "T_j has pi_jj (50), (76)", binomial_bits,
                      replace("locations", with_self_rates(sample_locations_block)), 4),
        geweke_mutant("self-jumps hold for HMC", "T_j has pi_jj (58), (76)", poisson_points,
                      replace("locations", with_self_rates(sample_locations_block)), 4),
        likelihood_mutant("durations end at 1e-12 of their law",
                          "a long segment is cut in two, whatever the data (113)",
                          [] { return segments_error(segments_cut_at(1e-12)); }),
        likelihood_mutant("durations end at 1e-300 of their law", "the same: a bound of the prior is none of p(z | y)",
                          [] { return segments_error(segments_cut_at(1e-300)); }),
        likelihood_mutant("no longer table of durations", "what is left out is bounded, but not mended (113)",
                          [] { return segments_error(segments_cut_at(first_mass_beyond)); }),
        likelihood_mutant("segments over impossible steps", "lengths end with the law only, not with the run (78)",
                          [] { return segments_error(segments_over_impossible_steps); }),
        // parts that go with few others
        geweke_mutant("buffet of weight a", "mu_d ~ Beta(a, 1) instead of Beta(a / D, 1) (87)", buffet_single,
                      replace("bit_probabilities", buffet_of_weight_a)),
        geweke_mutant("a_ibp without 1/D", "the rate of a_ibp has the sum of log mu, not its mean (88)", buffet_blocked,
                      replace("bit_probabilities", buffet_concentration_of_the_sum)),
        geweke_mutant("directed bits forget phi_jj", "jumps from a state to itself do not count (110)",
                      limit_bits_single, replace("locations", directed_bits_without_own_jumps), 4,
                      clear_directions_of_stays),
        geweke_mutant("directed bits both ways", "n_kj stands for n_jk, as if phi were symmetric (111)",
                      limit_bits_blocked, replace("locations", directed_bits_of_transposed_jumps), 2, clear_directions),
        geweke_mutant("bit transitions without totals", "the powers of T_j are left out (90)", limit_corners,
                      replace("lambda", bit_transitions_without_totals)),
        geweke_mutant("pi of transposed phi", "rate 1 + u_j phi_kj (32)", limit_corners,
                      replace("rates", rates_of_transposed_similarity), 4),
        geweke_mutant("n in the place of n/2", "the shape of W's precision counts each weight as 1 (115)",
                      shared_precision_single,
                      replace("emission", emission_with_weight_precision(weight_precision_of_whole_counts))),
        geweke_mutant("bias in the precision of W", "the sum of squares has row 0 too (115)", shared_precision_blocked,
                      replace("emission", emission_with_weight_precision(weight_precision_with_bias))),
        geweke_mutant("features without a determinant", "log |P| is left out (119)", shared_precision_blocked,
                      replace("features", features_moved({.determinant = false})), 3),
        geweke_mutant("features without their prior", "all bits are equally likely (120)", buffet_blocked,
                      replace("features", features_moved({.prior = false}))),
        geweke_mutant("features without jumps", "z says nothing about the bits (120)", shared_precision_blocked,
                      replace("features", features_moved({.jumps = false})), 4, jumps_through_noise),
        geweke_mutant("weights stay behind features", "W is not drawn given the bits that have moved (120)",
                      shared_precision_blocked, replace("features", features_moved({.weights_follow = false}))),
        factorial_mutant("butterfly of the wrong row", "the filter moves one chain by the row of its other state (128)",
                         factorial_known, bits_by_dense_messages({.wrong_row_in_filter = true}), 4),
        factorial_mutant("bits without their message", "z_t is drawn by the rows that lead to z_t+1 alone (129)",
                         factorial_known, bits_by_dense_messages({.draw_without_message = true})),
        factorial_mutant("blocks forget the rest", "a block of chains is drawn as if the others were off (71)",
                         factorial_known, bits_in_blocks_without_the_rest, 4),
        geweke_mutant("splits forget the anchors", "a split is as likely as a merge to pick its anchors (138)", splits,
                      replace("split_merge", splits_without(&SplitRatio::anchors)), 2),
        geweke_mutant("splits forget the labels", "the probability of sharing out the steps is left out (138)",
                      sticky_splits, replace("split_merge", splits_without(&SplitRatio::labels))),
        geweke_mutant("splits forget the weights", "the densities of the proposed beta are left out (138)", splits,
                      replace("split_merge", splits_without(&SplitRatio::weights)), 2),
        geweke_mutant("splits forget the pair", "every pair is as likely to be merged (135)", sticky_splits,
                      replace("split_merge", splits_without(&SplitRatio::pair)), 2),
        geweke_mutant("windows look at z", "their width depends on the number of states in use (136)", sticky_splits,
                      replace("split_merge", splits_by_windows_that_look), 4, many_clear_steps),
        // right blocks in an order that is not free (section 7)
        geweke_mutant("pi before splits", "pi is drawn before splits and merges, which leave it behind (15), (133)",
                      sticky_splits, move_before("split_merge", "emission"), 2),
        geweke_mutant("splits after the emission",
                      "its parameters are drawn before splits, which leave them behind (131)", splits,
                      move_before("emission", "split_merge"), 4, many_clear_steps),
        geweke_mutant("beta before gamma", "gamma is drawn without beta, which stays as it is (24), (25)", sticky_plain,
                      move_before("base_weights", "top_tables"), 15, four_steps),
        geweke_mutant("features after mu", "mu is drawn before whole features move, which leave it behind (52), (120)",
                      buffet_blocked, move_before("bit_probabilities", "features")),
        geweke_mutant("pi before beta", "pi reads the old beta, which gamma and c have left behind (15), (25)",
                      categorical_single, move_before("rates", "base_weights"), 6),
        geweke_mutant("lambda moves before Q is used", "lambda is drawn without Q; tables and pi read the old Q",
                      points_single, insert_after("failed_jumps", {sample_lambda_block}), 8),
        geweke_mutant("locations move before Q is used", "locations are drawn without Q; lambda reads the old Q",
                      sticky_points_single, insert_after("locations", {sample_locations_block}), 3,
                      fixed_concentrations),
        geweke_mutant("z between tables and pi", "z, u, Q are drawn from a pi that beta and c have left behind",
                      sticky_plain,
                      insert_after("base_weights",
                                   {sample_states_in_float, sample_holding_times_block, sample_failed_jumps_block}),
                      5),
        geweke_mutant("scales after u", "rows of pi are scaled once u is drawn, which c then reads (97), (19)",
                      categorical_single, move_before("holding_times", "row_scales"), 3),
        geweke_mutant("lambda's form chosen by Q", "(39) if few jumps failed, (41) otherwise", categorical_single,
                      replace("lambda", lambda_form_chosen_by_failed_jumps), 3),
    };
    return list;
}

namespace {

std::vector<Mutant> right_replacements() {
    return {
        geweke_mutant("bits one by one", "the mutants' own loop, right", sticky_bits_single,
                      replace("locations", bits_given_failed_jumps(right_log_ratio, true))),
        geweke_mutant("bits in blocks", "the mutants' own blocks, right", bits_blocked,
                      replace("locations", bits_integrated(true))),
        geweke_mutant("HMC", "the mutants' own path, right", sticky_points_single,
                      replace("locations", locations_by_hmc(false))),
        geweke_mutant("lambda", "the mutants' own density, right", categorical_single,
                      replace("lambda", lambda_given_failed_jumps(true))),
        geweke_mutant("beam", "the mutants' own paths, right", sticky_beam, replace("states", states_in_beam({}))),
        geweke_mutant("precision of W", "the mutants' own emission, right", shared_precision_blocked,
                      replace("emission", emission_with_weight_precision(weight_precision_law))),
        geweke_mutant("features", "the mutants' own moves, right", shared_precision_blocked,
                      replace("features", features_moved({}))),
        factorial_mutant("bits", "the mutants' own messages, right", factorial_known, bits_by_dense_messages({})),
        geweke_mutant("splits and merges", "by the mutants' rules, right", sticky_splits,
                      replace("split_merge", splits_by(split_merge_rules()))),
        geweke_mutant("lambda twice", "an additional draw, at a legal place", categorical_single,
                      insert_after("lambda", {sample_lambda_block})),
        gradient_mutant("gradient given Q", "the library's (57)",
                        [] { return gradient_error_given_failed_jumps(location_gradient_given_failed_jumps); }),
        gradient_mutant("gradient", "the library's (59)", [] { return gradient_error(location_gradient); }),
        likelihood_mutant("likelihood of segments", "the library's (79)",
                          [] { return segments_error(right_segments); }),
        likelihood_mutant(
            "likelihood", "the library's (69)",
            [] { return likelihood_error([](const arma::mat&, const arma::mat&, TransitionMatrix&) {}); }),
    };
}

}  // namespace

const std::vector<Mutant>& controls() {
    static const std::vector<Mutant> list = [] {
        std::vector<Mutant> all = right_replacements();
        for (const Mutant& mutant : mutants())
            if (mutant.sharpen)
                all.push_back(geweke_mutant(
                    "design of " + mutant.name, "the right sweep", mutant.design, [](Sweep&) {}, 1, mutant.sharpen));
        return all;
    }();
    return list;
}

Verdict judge(const Mutant& mutant, const GewekeOptions& options) {
    if (mutant.error) {
        const double error = mutant.error();
        return {"a fixed case", error, mutant.tolerance, !(error <= mutant.tolerance)};
    }
    if (mutant.draw_bits) {
        FactorialDesign design = factorial_designs().at(mutant.factorial_design);
        design.sweep = factorial_sweep_with(mutant.draw_bits);
        const double bound = bound_of_z(killing_level, factorial_functionals().size());
        const double statistic = largest(factorial_geweke(design, {options.n_sweeps * mutant.effort, options.seed}));
        return {design.name, statistic, bound, !(statistic <= bound)};
    }
    GewekeDesign design = all_designs().at(mutant.design);
    if (mutant.sharpen) {
        mutant.sharpen(design);
        design.name += ", sharpened";
    }
    mutant.change(design.sweep);
    Verdict verdict{design.name, std::numeric_limits<double>::infinity(), 0.0, true};
    verdict.bound = bound_of_z(killing_level, functionals_of(design.model).size());
    try {
        verdict.statistic = largest(geweke(design, {options.n_sweeps * mutant.effort, options.seed}));
        verdict.killed = !(verdict.statistic <= verdict.bound);
    } catch (const std::runtime_error&) {
        // a sweep that runs into an impossible state is found out as well
    }
    return verdict;
}

double bound_of_z(double level, std::size_t n_scores) {
    double low = 0.0;
    double high = 1000.0;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (p_value_of(middle) * static_cast<double>(n_scores) > level ? low : high) = middle;
    }
    return high;
}

}  // namespace hmmlt::testing
