// The likelihood and the draws of z against all paths, one by one: nothing here shares code with the filter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dynamics/small_chains.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/emission/gaussian.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/sampler/state_draw.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::dense, testing::likely, testing::none, testing::with_missing_cells;
using testing::level;

namespace {

struct Case {
    std::string name;
    arma::mat log_pi;
    arma::mat log_phi;
    arma::mat log_lik;
    std::vector<arma::uword> lengths;
    bool underflows = false;  // whether plain scaled messages fail for the first sequence
};

double log_sum(const std::vector<double>& terms) {
    double total = none;
    for (const double term : terms) total = log_add_exp(total, term);
    return total;
}

// log p(path, y) of all n_states^n_steps paths; the path's digits in base n_states are its states, first step first.
std::vector<double> log_joint_of_paths(const Case& model, arma::uword first, arma::uword n_steps) {
    const arma::uword n_states = model.log_pi.n_cols;
    arma::mat log_a = model.log_pi;
    if (!model.log_phi.is_empty()) log_a.rows(0, n_states - 1) += model.log_phi;
    for (arma::uword j = 0; j <= n_states; ++j) log_a.row(j) -= log_sum({log_a.row(j).begin(), log_a.row(j).end()});
    std::vector<double> log_joint;
    const auto n_paths = static_cast<arma::uword>(std::lround(std::pow(n_states, n_steps)));
    for (arma::uword path = 0; path < n_paths; ++path) {
        double total = 0.0;
        arma::uword from = n_states;
        arma::uword rest = path;
        for (arma::uword t = 0; t < n_steps; ++t) {
            const arma::uword to = rest % n_states;
            rest /= n_states;
            total += log_a(from, to) + model.log_lik(to, first + t);
            from = to;
        }
        log_joint.push_back(total);
    }
    return log_joint;
}

const arma::mat phi = arma::log(arma::mat{{1.0, 0.2, 0.05}, {0.2, 1.0, 0.6}, {0.05, 0.6, 1.0}});

// neither symmetric nor 1 on its diagonal, and with a jump that never succeeds
const arma::mat any_phi = arma::log(arma::mat{{0.3, 0.9, 0.05}, {0.2, 0.0, 1.0}, {0.7, 0.4, 0.6}});

std::vector<Case> cases() {
    const arma::mat far = 1e5 * arma::mat{{0.0, -1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0, 0.0}, {-2.0, 0.0, 0.0, -1.0}};
    return {
        {"dense", dense, {}, likely, {4}},
        {"similarities", dense, phi, likely, {4}},
        {"asymmetric similarities", dense, any_phi, likely, {4}},
        {"asymmetric similarities, ragged", dense, any_phi, arma::join_rows(likely, likely), {3, 0, 1, 4}},
        {"ragged, one sequence without steps", dense, phi, arma::join_rows(likely, likely), {3, 0, 1, 4}},
        {"missing cells", dense, phi, with_missing_cells(), {4}},
        {"all missing", dense, phi, arma::mat(3, 4, arma::fill::zeros), {4}},
        {"exact zeros", {{none, 0.0, 0.0}, {0.0, none, none}, {0.5, 0.0, none}, {0.0, none, 1.0}}, {}, likely, {4}},
        {"impossible emissions",
         dense,
         {},
         {{-1.0, none, 0.0, none}, {0.0, 0.5, none, none}, {none, 0.2, 1.0, 0.0}},
         {4}},
        {"the only state that fits cannot be reached",
         {{0.0, none, 0.5}, {0.0, 0.0, 0.0}, {0.2, none, 0.0}, {0.0, none, 0.1}},
         {},
         {{0.0, -1e5, 0.0, -1e5}, {0.0, 0.0, 0.0, 0.0}, {0.3, -1e5 - 0.5, 0.0, -1e5 + 0.5}},
         {4},
         true},
        {"the only state that fits can only be left",
         {{0.0, none, 0.5}, {0.0, 0.0, 0.0}, {0.2, none, 0.0}, {0.0, -1e3, 0.1}},
         {},
         {{0.0, -1e5, 0.0, -0.5}, {0.0, 0.0, 0.0, 0.0}, {0.3, -1e5 - 0.5, 0.0, 0.5}},
         {4},
         true},
        // two groups of states, equally good in the end: each in turn is 1e5 behind
        {"a path comes back from 1e5 behind",
         {{0.0, none, none}, {none, 0.0, 0.3}, {none, 0.1, 0.0}, {0.0, 0.4, 0.2}},
         {},
         likely + far,
         {4},
         true},
        // the leader loses its lead in two steps, at neither of which its messages vanish
        {"a lost path comes back step by step",
         {{0.0, none, none}, {none, 0.0, 0.3}, {none, 0.1, 0.0}, {0.0, 0.4, 0.2}},
         {},
         likely + arma::mat{{0.0, -700.0, -100.0, 0.0}, {-800.0, 0.0, 0.0, 0.0}, {-800.0, 0.0, 0.0, 0.0}},
         {4},
         true},
        // no exact zero, but transitions that are 0 as a double
        {"tiny rates",
         {{0.0, -2000.0, -2000.5}, {-1999.0, 0.0, -3000.0}, {0.0, 0.0, 0.0}, {0.0, -2000.0, -2500.0}},
         {},
         {{0.0, -2000.0, 0.0, -2001.0}, {-1.0, 0.0, 0.3, -0.5}, {-1.0, 0.0, 0.1, 0.0}},
         {4},
         true},
        {"underflow in one sequence of two",
         {{0.0, none, none}, {none, 0.0, 0.3}, {none, 0.1, 0.0}, {0.0, 0.4, 0.2}},
         {},
         arma::join_rows(likely + far, likely),
         {4, 4},
         true},
    };
}

}  // namespace

TEST_CASE("enumeration: log likelihood and draws of z agree with all paths") {
    std::uint64_t seed = 600;
    for (const Case& model : cases()) {
        CAPTURE(model.name);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        TransitionMatrix transition;
        normalise_rates(model.log_pi, model.log_phi, transition);
        ForwardMessages messages;
        filter_forward(transition, model.log_lik, sequences, messages);
        CHECK(messages.in_log_space[0] == model.underflows);
        if (sequences.count() == 2) CHECK_FALSE(messages.in_log_space[1]);

        constexpr std::uint32_t n_draws = 100000;
        std::vector<std::vector<double>> observed;
        for (arma::uword s = 0; s < sequences.count(); ++s)
            observed.emplace_back(log_joint_of_paths(model, sequences.first[s], sequences.length(s)).size(), 0.0);
        arma::uvec z;
        ++seed;
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            sample_states(transition, messages, sequences, z, BlockStreams({.seed = seed, .sweep = draw}));
            for (arma::uword s = 0; s < sequences.count(); ++s) {
                arma::uword path = 0;
                for (arma::uword t = sequences.first[s + 1]; t-- > sequences.first[s];) path = 3 * path + z[t];
                observed[s][path] += 1.0;
            }
        }
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            CAPTURE(s);
            const std::vector<double> log_joint = log_joint_of_paths(model, sequences.first[s], sequences.length(s));
            const double log_likelihood = log_sum(log_joint);
            CHECK(std::abs(messages.log_likelihood[s] - log_likelihood) <=
                  1e-13 * std::max(10.0, std::abs(log_likelihood)));
            std::vector<double> expected;
            for (std::size_t path = 0; path < log_joint.size(); ++path) {
                expected.push_back(n_draws * std::exp(log_joint[path] - log_likelihood));
                if (expected.back() < 1e-20) CHECK(observed[s][path] == 0.0);
            }
            if (sequences.length(s) > 0) CHECK(testing::chi_square(observed[s], expected) > level);
        }
    }
}

// The draw of the sampler, whose data are symbols: each step shows one of its own, so that log_lik is log theta.
TEST_CASE("enumeration: the sampler's draws of z agree with all paths in both precisions, whatever underflows") {
    std::uint64_t seed = 660;
    for (const Case& model : cases())
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            CAPTURE(model.name);
            CAPTURE(static_cast<int>(precision));
            const Sequences sequences = Sequences::of_lengths(model.lengths);
            const EmissionState emission = CategoricalState{model.log_lik.t()};
            const arma::ivec symbols = arma::regspace<arma::ivec>(0, static_cast<arma::sword>(sequences.n_steps()) - 1);
            const Observations observations{sequences, {}, symbols};
            const arma::umat no_bits;
            const StateConditions given{model.log_pi, model.log_phi, emission, no_bits, observations};

            constexpr std::uint32_t n_draws = 20000;
            std::vector<std::vector<double>> log_joint;
            double log_likelihood = 0.0;
            for (arma::uword s = 0; s < sequences.count(); ++s) {
                log_joint.push_back(log_joint_of_paths(model, sequences.first[s], sequences.length(s)));
                log_likelihood += log_sum(log_joint.back());
            }
            // 4 steps of sums of 3 float products, each rounded to 6e-8; the exponentials to twice that
            const double tolerance = precision == Precision::float32 ? 4e-6 : 1e-12;
            std::vector<std::vector<double>> observed;
            for (const std::vector<double>& paths : log_joint) observed.emplace_back(paths.size(), 0.0);
            StateDrawScratch scratch;
            arma::uvec z;
            ++seed;
            for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
                const double found =
                    sample_states(given, precision, scratch, z, BlockStreams({.seed = seed, .sweep = draw}));
                if (draw == 0) CHECK(std::abs(found - log_likelihood) <= tolerance * std::max(1.0, std::abs(found)));
                for (arma::uword s = 0; s < sequences.count(); ++s) {
                    arma::uword path = 0;
                    for (arma::uword t = sequences.first[s + 1]; t-- > sequences.first[s];) path = 3 * path + z[t];
                    observed[s][path] += 1.0;
                }
            }
            for (arma::uword s = 0; s < sequences.count(); ++s) {
                const double total = log_sum(log_joint[s]);
                std::vector<double> expected;
                for (const double path : log_joint[s]) expected.push_back(n_draws * std::exp(path - total));
                if (sequences.length(s) > 0) CHECK(testing::chi_square(observed[s], expected) > level);
            }
        }
}

// One draw in a beam, from a path that has the law of z, has that law again; and given the slices it has the law of all
// paths above them, weighed by the likelihood.
TEST_CASE("enumeration: draws of z in a beam keep the law of all paths, whatever underflows") {
    std::uint64_t seed = 720;
    for (const Case& model : cases()) {
        CAPTURE(model.name);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        const EmissionState emission = CategoricalState{model.log_lik.t()};
        const arma::ivec symbols = arma::regspace<arma::ivec>(0, static_cast<arma::sword>(sequences.n_steps()) - 1);
        const Observations observations{sequences, {}, symbols};
        const arma::umat no_bits;
        const StateConditions given{model.log_pi, model.log_phi, emission, no_bits, observations};
        const auto number_of = [&](const arma::uvec& z, arma::uword s) {
            arma::uword path = 0;
            for (arma::uword t = sequences.first[s + 1]; t-- > sequences.first[s];) path = 3 * path + z[t];
            return path;
        };
        std::vector<std::vector<double>> log_joint;
        for (arma::uword s = 0; s < sequences.count(); ++s)
            log_joint.push_back(log_joint_of_paths(model, sequences.first[s], sequences.length(s)));
        std::vector<std::vector<double>> observed;
        for (const std::vector<double>& paths : log_joint) observed.emplace_back(paths.size(), 0.0);
        StateDrawScratch scratch;
        arma::uvec z;
        constexpr std::uint32_t n_draws = 20000;
        ++seed;
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            z.reset();  // no path yet: the full pass draws one
            const BlockStreams first({.seed = seed, .sweep = draw});
            CHECK(std::isfinite(sample_states(BeamDynamics{}, given, Precision::float64, scratch, z, first)));
            const BlockStreams second({.seed = seed, .chain = 1, .sweep = draw});
            CHECK(std::isnan(sample_states(BeamDynamics{}, given, Precision::float64, scratch, z, second)));
            for (arma::uword s = 0; s < sequences.count(); ++s) observed[s][number_of(z, s)] += 1.0;
        }
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            const double total = log_sum(log_joint[s]);
            std::vector<double> expected;
            for (const double path : log_joint[s]) expected.push_back(n_draws * std::exp(path - total));
            if (sequences.length(s) > 0) CHECK(testing::chi_square(observed[s], expected) > level);
        }

        // the slices of the last draw, held
        const arma::vec log_slice = scratch.beam.log_slice;
        const arma::mat log_a = scratch.beam.log_a;
        for (std::vector<double>& paths : observed) std::fill(paths.begin(), paths.end(), 0.0);
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            sample_states(log_a, log_slice, scratch.beam.log_lik, sequences, scratch.beam.beam, z,
                          BlockStreams({.seed = seed, .chain = 2, .sweep = draw}));
            for (arma::uword s = 0; s < sequences.count(); ++s) observed[s][number_of(z, s)] += 1.0;
        }
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            std::vector<double> log_weight;
            for (std::size_t path = 0; path < log_joint[s].size(); ++path) {
                double sum = 0.0;
                std::size_t rest = path;
                arma::uword from = 3;
                for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t, rest /= 3) {
                    sum += log_a(from, rest % 3) >= log_slice(t) ? model.log_lik(rest % 3, t) : none;
                    from = rest % 3;
                }
                log_weight.push_back(sum);
            }
            const double total = log_sum(log_weight);
            std::vector<double> expected;
            for (const double weight : log_weight) {
                expected.push_back(n_draws * std::exp(weight - total));
                if (weight == none) CHECK(observed[s][expected.size() - 1] == 0.0);
            }
            // slices may leave a single path that matters
            const auto best =
                static_cast<std::size_t>(std::max_element(expected.begin(), expected.end()) - expected.begin());
            if (expected[best] > n_draws - 100.0)
                CHECK(observed[s][best] > n_draws - 200.0);
            else
                CHECK(testing::chi_square(observed[s], expected) > level);
        }
    }
}

TEST_CASE("enumeration: sequences are drawn independently") {
    TransitionMatrix transition;
    normalise_rates(dense, {}, transition);
    const Sequences pair = Sequences::of_lengths({1, 1});
    ForwardMessages messages;
    filter_forward(transition, arma::mat(3, 2, arma::fill::zeros), pair, messages);
    constexpr std::uint32_t n_draws = 100000;
    std::vector<double> observed(9, 0.0);
    arma::uvec z;
    for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
        sample_states(transition, messages, pair, z, BlockStreams({.seed = 650, .sweep = draw}));
        observed[3 * z[0] + z[1]] += 1.0;
    }
    std::vector<double> expected;
    for (arma::uword first = 0; first < 3; ++first)
        for (arma::uword second = 0; second < 3; ++second)
            expected.push_back(n_draws * transition.start[first] * transition.start[second]);
    CHECK(testing::chi_square(observed, expected) > level);
}
