// What a semi-Markov chain says of its states, where its table of durations is too short at first: against sums and
// maxima over segments of every length. The enumeration of all paths is in posterior/.
#include "hmmlt/dynamics/segment_smoothing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "dynamics/small_chains.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/uniform.hpp"
#include "posterior/all_segments.hpp"

using namespace hmmlt;
using testing::none;

namespace {

TransitionMatrix without_self_jumps(const arma::mat& log_pi) {
    arma::mat log_phi(log_pi.n_cols, log_pi.n_cols, arma::fill::zeros);
    log_phi.diag().fill(none);
    return testing::transition_of(log_pi, log_phi);
}

// docs/model.md (77) and the likelihood, of one path.
double log_joint(const TransitionMatrix& transition, const DurationState& durations, const arma::mat& log_lik,
                 const arma::uvec& z) {
    double sum = transition.log_start[z[0]];
    double length = 1.0;
    for (arma::uword t = 0; t < z.n_elem; ++t, ++length) {
        sum += log_lik(z[t], t);
        if (t + 1 == z.n_elem) return sum + log_duration_survival(durations, z[t], length);
        if (z[t + 1] == z[t]) continue;
        sum += log_duration(durations, z[t], length) + transition.log_from_to(z[t], z[t + 1]);
        length = 0.0;
    }
    return sum;
}

// The largest of these, over segments of every length.
double largest_log_joint(const TransitionMatrix& transition, const DurationState& durations, const arma::mat& log_lik) {
    arma::mat begins(log_lik.n_rows, log_lik.n_cols + 1, arma::fill::value(none));
    begins.col(0) = transition.log_start;
    double largest = none;
    for (arma::uword t = 1; t <= log_lik.n_cols; ++t)
        for (arma::uword k = 0; k < log_lik.n_rows; ++k) {
            const bool cut_off = t == log_lik.n_cols;
            double ends = none, likelihood = 0.0;
            for (arma::uword d = 1; d <= t; ++d) {
                likelihood += log_lik(k, t - d);
                const auto length = static_cast<double>(d);
                const double law =
                    cut_off ? log_duration_survival(durations, k, length) : log_duration(durations, k, length);
                ends = std::max(ends, begins(k, t - d) + likelihood + law);
            }
            if (cut_off) largest = std::max(largest, ends);
            for (arma::uword to = 0; to < log_lik.n_rows; ++to)
                begins(to, t) = std::max(begins(to, t), ends + transition.log_from_to(k, to));
        }
    return largest;
}

// Each stretch of 1 to 30 steps favours one state by `favour` a step.
arma::mat stretches(arma::uword n_states, arma::uword n_steps, double favour, std::uint64_t seed) {
    arma::mat log_lik = testing::normals(n_states, n_steps, 0.3, seed);
    Stream rng({.seed = seed, .chain = 1});
    for (arma::uword t = 0; t < n_steps;) {
        const auto state = static_cast<arma::uword>(draw_uniform(rng) * static_cast<double>(n_states));
        const arma::uword end = std::min(n_steps, t + 1 + static_cast<arma::uword>(30.0 * draw_uniform(rng)));
        for (; t < end; ++t) log_lik(state, t) += favour;
    }
    return log_lik;
}

}  // namespace

TEST_CASE("segment smoothing: no beginning of a sequence leaves out more than all of it may") {
    // 200 steps fit states 0 and 2; then come some that only 1 can have given, and 0 does not lead there. So the whole
    // was in state 2; but what is known earlier is that it is in 0, for longer than its durations have it.
    const arma::uword n_steps = 204;
    arma::mat log_lik(4, n_steps, arma::fill::value(-5000.0));
    log_lik.row(0).head(200).zeros();
    log_lik.row(2).head(200).fill(-4.5);
    log_lik.row(1).tail(4).zeros();
    arma::mat log_pi(5, 4, arma::fill::zeros);
    log_pi(0, 1) = log_pi(0, 2) = -9000.0;
    const TransitionMatrix transition = without_self_jumps(log_pi);
    const DurationState durations = PoissonDurationState{{1.0, 1.0, 150.0, 1.0}};
    DurationTable table;
    SegmentMessages messages;
    arma::mat log_now;
    fill_first_duration_table(durations, Sequences::of_lengths({n_steps}), table);
    filter_all_segments(transition, durations, log_lik, 0, n_steps, table, messages);
    REQUIRE(table.n_durations[0] < 100);
    filter_all_prefixes(transition, durations, log_lik, 0, n_steps, table, messages, log_now);
    CHECK(messages.left_out <= largest_share_left_out);
    for (arma::uword t = 19; t < n_steps; t += 20) {
        CAPTURE(t);
        const double exact = testing::log_sum_of_segments(transition, durations, log_lik.head_cols(t + 1));
        const double* const now = log_now.colptr(t);
        const double found = log_sum_exp(4, [now](arma::uword k) { return now[k]; });
        CHECK(std::abs(found + arma::accu(messages.log_scale.head(t + 2)) - exact) <= 1e-12 * std::abs(exact));
    }
}

TEST_CASE("segment smoothing: the best segmentation is the best of all, however short its table was") {
    const arma::vec p{0.02, 0.3, 0.1};
    const DurationState binomial = NegativeBinomialDurationState{{1.0, 3.0, 0.5}, arma::log(p), arma::log(1.0 - p)};
    const DurationState poisson = PoissonDurationState{{3.0, 8.0, 5.0}};
    const TransitionMatrix transition = without_self_jumps(testing::dense);
    const arma::uword n_steps = 60;
    std::size_t n_longer = 0, n_kept = 0;
    for (const DurationState& durations : {poisson, binomial})
        for (const double mass : {0.5, 1e-1, 1e-3})
            for (std::uint64_t seed = 0; seed < 120; ++seed) {
                const arma::mat log_lik = stretches(3, n_steps, seed % 2 == 0 ? 0.4 : 2.0, 1000 + seed);
                DurationTable table, complete;
                SegmentMessages messages;
                fill_duration_table(durations, n_steps, mass, table);
                filter_segments(transition, table, log_lik, 0, n_steps, messages);
                const arma::uvec before = table.n_durations;
                const arma::uvec path = most_likely_segments(transition, durations, messages, table);
                const bool longer = arma::any(table.n_durations > before);
                ++(longer ? n_longer : n_kept);
                const double largest = largest_log_joint(transition, durations, log_lik);
                CHECK(std::abs(log_joint(transition, durations, log_lik, path) - largest) <= 1e-11);
            }
    CHECK(n_longer >= 100);
    CHECK(n_kept >= 100);
}

TEST_CASE("segment smoothing: a state that a path can only begin in does not make the table grow") {
    const arma::uword n_steps = 3000;
    arma::mat log_pi = testing::dense;
    log_pi.head_rows(3).col(2).fill(none);
    const TransitionMatrix transition = without_self_jumps(log_pi);
    const DurationState durations = PoissonDurationState{{3.0, 5.0, 4.0}};
    const arma::mat log_lik = testing::normals(3, n_steps, 1.0, 8);
    DurationTable table;
    SegmentMessages messages;
    fill_first_duration_table(durations, Sequences::of_lengths({n_steps}), table);
    const arma::uvec before = table.n_durations;
    filter_segments(transition, table, log_lik, 0, n_steps, messages);
    most_likely_segments(transition, durations, messages, table);
    CHECK(arma::all(table.n_durations == before));
}

TEST_CASE("segment smoothing: what cannot be is refused") {
    const TransitionMatrix transition = without_self_jumps(testing::dense);
    const DurationState durations = PoissonDurationState{{1.0, 1.0, 1.0}};
    DurationTable table, of_two;
    SegmentMessages messages;
    fill_duration_table(durations, 4, first_mass_beyond, table);
    fill_duration_table(PoissonDurationState{{1.0, 1.0}}, 4, first_mass_beyond, of_two);
    filter_segments(transition, table, arma::mat(3, 4, arma::fill::value(none)), 0, 4, messages);
    CHECK_THROWS_WITH_AS(most_likely_segments(transition, durations, messages, table),
                         "most_likely_segments: no path has a positive probability", std::runtime_error);
    filter_segments(transition, table, testing::likely, 0, 4, messages);
    CHECK_THROWS_AS(smoothed_segments(transition, of_two, messages), std::domain_error);
}
