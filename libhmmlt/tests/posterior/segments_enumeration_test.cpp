// A semi-Markov chain against all its paths, one by one: nothing here shares code with its messages.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/small_chains.hpp"
#include "hmmlt/dynamics/segment_smoothing.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/sampler/state_draw.hpp"
#include "posterior/all_segments.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::none, testing::dense, testing::level;

namespace {

constexpr arma::uword n_states = 3;

// P(dur = d), written out
double law(const DurationState& durations, arma::uword j, int d) {
    if (const auto* poisson = std::get_if<PoissonDurationState>(&durations))
        return std::exp(-poisson->omega(j)) * std::pow(poisson->omega(j), d - 1) / std::tgamma(d);
    const auto& binomial = std::get<NegativeBinomialDurationState>(durations);
    const double p = std::exp(binomial.log_p(j));
    return std::tgamma(d - 1 + binomial.r(j)) / (std::tgamma(d) * std::tgamma(binomial.r(j))) *
           std::pow(p, binomial.r(j)) * std::pow(1.0 - p, d - 1);
}

double survival(const DurationState& durations, arma::uword j, int d) {
    double before = 0.0;
    for (int i = 1; i < d; ++i) before += law(durations, j, i);
    if (before < 0.99) return 1.0 - before;
    double tail = 0.0;  // where the difference has lost its digits
    for (int i = d; i < 160; ++i) tail += law(durations, j, i);
    return tail;
}

struct SegmentsCase {
    std::string name;
    DurationState durations;
    arma::mat log_phi;
    arma::mat log_lik;
    std::vector<arma::uword> lengths;
};

// docs/model.md (77) and the likelihood, for all paths of one sequence.
std::vector<double> log_joint_of_segments(const SegmentsCase& model, arma::uword first, arma::uword n_steps) {
    arma::mat a = arma::exp(dense);
    if (!model.log_phi.is_empty()) a.head_rows(n_states) %= arma::exp(model.log_phi);
    for (arma::uword j = 0; j < n_states; ++j) a(j, j) = 0.0;
    for (arma::uword j = 0; j <= n_states; ++j) a.row(j) /= arma::accu(a.row(j));
    std::vector<double> result;
    const auto n_paths = static_cast<arma::uword>(std::lround(std::pow(n_states, n_steps)));
    for (arma::uword path = 0; path < n_paths; ++path) {
        std::vector<arma::uword> z;
        for (arma::uword t = 0, rest = path; t < n_steps; ++t, rest /= n_states) z.push_back(rest % n_states);
        double total = n_steps == 0 ? 0.0 : std::log(a(n_states, z[0]));
        int d = 1;
        for (arma::uword t = 0; t < n_steps; ++t) {
            total += model.log_lik(z[t], first + t);
            if (t + 1 == n_steps) {
                total += std::log(survival(model.durations, z[t], d));
            } else if (z[t + 1] == z[t]) {
                ++d;
            } else {
                total += std::log(law(model.durations, z[t], d) * a(z[t], z[t + 1]));
                d = 1;
            }
        }
        result.push_back(total);
    }
    return result;
}

std::vector<SegmentsCase> segments_cases() {
    const DurationState poisson = PoissonDurationState{{0.7, 2.5, 0.1}};
    const arma::vec p{0.6, 0.2, 0.9};
    const DurationState binomial = NegativeBinomialDurationState{{1.0, 3.0, 0.5}, arma::log(p), arma::log(1.0 - p)};
    const arma::mat phi = arma::log(arma::mat{{1.0, 0.2, 0.05}, {0.2, 1.0, 0.6}, {0.05, 0.6, 1.0}});
    // neither symmetric nor closed to a jump back, but for one that never succeeds
    const arma::mat any_phi = arma::log(arma::mat{{1.0, 0.9, 0.05}, {0.2, 1.0, 1.0}, {0.7, 0.0, 1.0}});
    const arma::mat five = testing::normals(3, 5, 1.0, 901);
    arma::mat some_impossible = five;
    some_impossible(0, 2) = some_impossible(2, 0) = some_impossible(1, 4) = none;
    arma::mat far_apart = 300.0 * five;  // but for two states, between which all is open
    far_apart.row(1) = far_apart.row(0) + five.row(2);
    far_apart.row(2) -= 2000.0;
    arma::mat bad_first_step = five;  // which no later step of that state may remember
    bad_first_step(0, 0) = -5e17;
    arma::mat one_favoured = five;
    one_favoured.row(0) += 20.0;  // as much as a stay of five steps, 4e-18 by its duration alone, takes to be likely
    return {{"poisson", poisson, {}, five, {5}},
            {"a stay that durations all but exclude", PoissonDurationState{{1e-4, 2.5, 0.1}}, {}, one_favoured, {5}},
            {"durations that end before the sequence", PoissonDurationState{{1e-80, 2.5, 1e-160}}, {}, five, {5}},
            {"negative binomial", binomial, {}, five, {5}},
            {"similarities", poisson, phi, five, {5}},
            {"asymmetric similarities", poisson, any_phi, five, {5}},
            {"ragged, one sequence without steps", binomial, phi, arma::join_rows(five, five), {4, 0, 1, 5}},
            {"all missing", poisson, {}, arma::mat(3, 5, arma::fill::zeros), {5}},
            {"impossible emissions", poisson, {}, some_impossible, {5}},
            {"a bad first step", poisson, {}, bad_first_step, {5}},
            {"far apart", binomial, phi, far_apart, {5}}};
}

// State t of a path by its number in log_joint_of_segments.
arma::uword state_of(std::size_t path, arma::uword t) {
    for (arma::uword i = 0; i < t; ++i) path /= n_states;
    return path % n_states;
}

double log_sum_of(const std::vector<double>& terms) {
    return log_sum_exp(terms.size(), [&](std::size_t i) { return terms[i]; });
}

// P(z_t = k) under these paths, whose logarithms are not normalised.
arma::vec marginal(const std::vector<double>& log_joint, arma::uword t) {
    arma::vec p(n_states, arma::fill::zeros);
    const double total = log_sum_of(log_joint);
    for (std::size_t path = 0; path < log_joint.size(); ++path)
        p[state_of(path, t)] += std::exp(log_joint[path] - total);
    return p;
}

double largest_gap(const arma::mat& a, const arma::mat& b) {
    return arma::abs(a - b).max();
}

arma::mat no_self_jumps() {
    arma::mat log_phi(3, 3, arma::fill::zeros);
    log_phi.diag().fill(none);
    return log_phi;
}

// State 1, then 200 steps of state 0, then 1 again; `elsewhere` for any other state.
arma::mat long_segment(double elsewhere) {
    arma::mat log_lik(3, 208, arma::fill::value(elsewhere));
    log_lik.row(0).cols(5, 204).zeros();
    log_lik.row(1).cols(0, 4).zeros();
    log_lik.row(1).cols(205, 207).zeros();
    return log_lik;
}

}  // namespace

TEST_CASE("enumeration: likelihood and draws of a semi-Markov chain agree with all paths") {
    std::uint64_t seed = 910;
    for (const SegmentsCase& model : segments_cases()) {
        CAPTURE(model.name);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        const EmissionState emission = CategoricalState{model.log_lik.t()};
        const arma::ivec symbols = arma::regspace<arma::ivec>(0, static_cast<arma::sword>(sequences.n_steps()) - 1);
        const Observations observations{sequences, {}, symbols};
        const arma::umat no_bits;
        arma::mat log_phi = model.log_phi.is_empty() ? arma::mat(3, 3, arma::fill::zeros) : model.log_phi;
        log_phi.diag().fill(none);
        const StateConditions given{dense, log_phi, emission, no_bits, observations, model.durations};
        std::vector<std::vector<double>> log_joint, observed;
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            log_joint.push_back(log_joint_of_segments(model, sequences.first[s], sequences.length(s)));
            observed.emplace_back(log_joint.back().size(), 0.0);
        }
        const arma::vec log_likelihood = sequence_log_likelihood(given);
        StateDrawScratch scratch;
        arma::uvec z;
        constexpr std::uint32_t n_draws = 20000;
        ++seed;
        double total = 0.0;
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            total = sample_states(SemiMarkovDynamics{}, given, Precision::float32, scratch, z,
                                  BlockStreams({.seed = seed, .sweep = draw}));
            for (arma::uword s = 0; s < sequences.count(); ++s) {
                arma::uword path = 0;
                for (arma::uword t = sequences.first[s + 1]; t-- > sequences.first[s];) path = 3 * path + z[t];
                observed[s][path] += 1.0;
            }
        }
        CHECK(total == doctest::Approx(arma::accu(log_likelihood)).epsilon(1e-13));
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            const double sum = log_sum_exp(log_joint[s].size(), [&](std::size_t i) { return log_joint[s][i]; });
            CHECK(std::abs(log_likelihood(s) - sum) <= 1e-12 * std::max(10.0, std::abs(sum)));
            std::vector<double> expected;
            for (const double path : log_joint[s]) expected.push_back(n_draws * std::exp(path - sum));
            if (sequences.length(s) > 0) CHECK(testing::chi_square(observed[s], expected) > level);
        }
    }
}

TEST_CASE("enumeration: densities, probabilities and the best path of a semi-Markov chain agree with all paths") {
    for (const SegmentsCase& model : segments_cases()) {
        CAPTURE(model.name);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        arma::mat log_phi = model.log_phi.is_empty() ? arma::mat(3, 3, arma::fill::zeros) : model.log_phi;
        log_phi.diag().fill(none);
        const TransitionMatrix transition = testing::transition_of(dense, log_phi);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            const arma::uword first = sequences.first[s];
            const arma::uword n_steps = sequences.length(s);
            DurationTable table;
            SegmentMessages messages;
            arma::mat log_now;
            fill_duration_table(model.durations, 5, first_mass_beyond, table);
            const double log_p = filter_all_prefixes(transition, model.durations, model.log_lik, first, first + n_steps,
                                                     table, messages, log_now);
            REQUIRE(log_now.n_cols == n_steps);
            if (n_steps == 0) {
                CHECK(log_p == 0.0);
                continue;
            }
            double scale = 0.0;
            for (arma::uword t = 0; t < n_steps; ++t) {
                scale += messages.log_scale[t + 1];
                const std::vector<double> paths = log_joint_of_segments(model, first, t + 1);
                const double exact = log_sum_of(paths);
                const double found = log_sum_of({log_now(0, t), log_now(1, t), log_now(2, t)});
                CHECK(std::abs(found + scale - exact) <= 1e-12 * std::max(10.0, std::abs(exact)));
                CHECK(largest_gap(arma::exp(log_now.col(t) - found), marginal(paths, t)) < 1e-12);
            }
            const std::vector<double> paths = log_joint_of_segments(model, first, n_steps);
            const arma::mat smoothed = smoothed_segments(transition, table, messages);
            for (arma::uword t = 0; t < n_steps; ++t) CHECK(largest_gap(smoothed.col(t), marginal(paths, t)) < 1e-12);
            const arma::uvec best = most_likely_segments(transition, model.durations, messages, table);
            std::size_t number = 0;
            for (arma::uword t = n_steps; t-- > 0;) number = n_states * number + best[t];
            CHECK(paths[number] >= *std::max_element(paths.begin(), paths.end()) - 1e-12);
        }
    }
}

TEST_CASE("enumeration: what is said of the steps before the last does not end with the table of durations either") {
    // a stay that the table leaves out at first; seen from the middle of it, the data have not yet spoken for it
    for (const double elsewhere : {-5000.0, -3.0, -0.5, none}) {
        CAPTURE(elsewhere);
        const arma::mat log_lik = long_segment(elsewhere);
        const DurationState durations = PoissonDurationState{{1.0, 0.8, 1e-5}};
        const TransitionMatrix transition = testing::transition_of(dense, no_self_jumps());
        DurationTable table, complete;
        SegmentMessages messages;
        arma::mat log_now;
        fill_duration_table(durations, log_lik.n_cols, first_mass_beyond, table);
        const arma::uword at_first = table.n_durations[0];
        filter_all_prefixes(transition, durations, log_lik, 0, log_lik.n_cols, table, messages, log_now);
        CHECK(messages.left_out <= largest_share_left_out);
        double scale = 0.0;
        for (arma::uword t = 0; t < log_lik.n_cols; ++t) {
            scale += messages.log_scale[t + 1];
            if (t % 23 != 0 && t != 120) continue;
            const double exact = testing::log_sum_of_segments(transition, durations, log_lik.head_cols(t + 1));
            const double found = log_sum_of({log_now(0, t), log_now(1, t), log_now(2, t)}) + scale;
            CHECK(std::abs(found - exact) <= 1e-12 * std::max(10.0, std::abs(exact)));
        }
        const arma::mat smoothed = smoothed_segments(transition, table, messages);
        fill_duration_table(durations, log_lik.n_cols, first_mass_beyond, complete);
        for (int i = 0; i < 8; ++i) lengthen_duration_table(durations, log_lik.n_cols, complete);
        CHECK(complete.n_durations[0] == log_lik.n_cols);
        filter_segments(transition, complete, log_lik, 0, log_lik.n_cols, messages);
        CHECK(largest_gap(smoothed, smoothed_segments(transition, complete, messages)) < 2e-12);
        // the best path: with a table that is much too short, as with all durations
        fill_duration_table(durations, log_lik.n_cols, 1e-3, table);
        const arma::uvec best = most_likely_segments(transition, durations, messages, table);
        CHECK(arma::all(best == most_likely_segments(transition, durations, messages, complete)));
        if (elsewhere < -1000.0) {
            CHECK(table.n_durations[0] > at_first);
            CHECK(arma::all(best.subvec(5, 204) == 0));
            CHECK(smoothed.row(0).cols(5, 204).min() > 1.0 - 1e-9);
        }
    }
}

TEST_CASE("enumeration: a segment that its state all but excludes has its weight, whatever the prior says of it") {
    // 500 short segments say omega = 1, and then one lasts 200 steps: P(dur = 200) is 1e-373
    for (const double elsewhere : {-5000.0, -3.0, -0.5, none}) {
        CAPTURE(elsewhere);
        const arma::mat log_lik = long_segment(elsewhere);
        const DurationState durations = PoissonDurationState{{1.0, 0.8, 1e-5}};
        const TransitionMatrix transition = testing::transition_of(dense, no_self_jumps());
        DurationTable table;
        SegmentMessages messages;
        fill_duration_table(durations, log_lik.n_cols, first_mass_beyond, table);
        const double found = filter_all_segments(transition, durations, log_lik, 0, log_lik.n_cols, table, messages);
        const double exact = testing::log_sum_of_segments(transition, durations, log_lik);
        CHECK(std::abs(found - exact) <= 1e-12 * std::abs(exact));
        CHECK(messages.left_out <= largest_share_left_out);
        if (elsewhere == -0.5) continue;
        arma::uvec z(log_lik.n_cols);
        Stream rng({.seed = 7});
        sample_segments(transition, table, messages, 0, log_lik.n_cols, z, rng);
        if (elsewhere < -1000.0) CHECK(arma::all(z.subvec(5, 204) == 0));
    }
}

TEST_CASE("enumeration: what a table of durations leaves out is never more than the bound says") {
    const DurationState poisson = PoissonDurationState{{1.0, 0.3, 4.0}};
    const arma::vec p{0.6, 0.2, 0.9};
    const DurationState binomial = NegativeBinomialDurationState{{1.0, 3.0, 0.5}, arma::log(p), arma::log(1.0 - p)};
    const TransitionMatrix transition = testing::transition_of(dense, no_self_jumps());
    SegmentMessages messages;
    DurationTable table;
    std::size_t n_close = 0;
    for (const DurationState& durations : {poisson, binomial})
        for (const double mass : {1e-2, 1e-4, 1e-8, 1e-12, 1e-16})
            for (const double sd : {0.1, 1.0, 4.0}) {
                arma::mat log_lik = testing::normals(3, 40, sd, 77);
                log_lik(1, 20) = none;
                const double exact = testing::log_sum_of_segments(transition, durations, log_lik);
                fill_duration_table(durations, 40, mass, table);
                const double kept = filter_segments(transition, table, log_lik, 0, 40, messages);
                const double missing = std::expm1(exact - kept);
                CHECK(missing <= messages.left_out + 1e-12);
                if (missing < 1e-9) continue;
                ++n_close;
                CHECK(messages.left_out < 1.1 * missing);  // and the bound is not idle
            }
    CHECK(n_close >= 16);
}

TEST_CASE("enumeration: a semi-Markov chain that no path can have given is named by its sequence") {
    const EmissionState emission = CategoricalState{arma::mat(1, 3).fill(none)};
    const Observations observations{Sequences::of_lengths({1}), {}, {0}};
    const DurationState durations = PoissonDurationState{{1.0, 1.0, 1.0}};
    const arma::umat no_bits;
    const arma::mat log_phi(3, 3, arma::fill::zeros);
    CHECK_THROWS_WITH_AS(sequence_log_likelihood({dense, log_phi, emission, no_bits, observations, durations}),
                         "filter_segments: sequence 0: no path has a positive probability", std::runtime_error);
}
