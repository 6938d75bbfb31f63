// Bad starts: likelihood ratios beyond what a float, or a double, can hold. The draw must be that of log space.
#include "hmmlt/sampler/state_draw.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dynamics/small_chains.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::normals, testing::transition_of;

namespace {

// A model whose steps show symbols of their own, so that any log likelihoods can be given.
struct AnyModel {
    arma::mat log_pi;
    arma::mat log_lik;
    Sequences sequences;
    EmissionState emission = CategoricalState{log_lik.t()};
    Observations observations{
        sequences, {}, arma::regspace<arma::ivec>(0, static_cast<arma::sword>(log_lik.n_cols) - 1)};
    arma::mat no_phi{};
    arma::umat no_bits{};

    StateConditions conditions() const { return {log_pi, no_phi, emission, no_bits, observations}; }
};

// By filter_step, which has no range to leave.
double log_space_likelihood(const AnyModel& model, arma::uword s) {
    const TransitionMatrix transition = transition_of(model.log_pi);
    arma::vec log_f;
    double total = 0.0;
    for (arma::uword t = model.sequences.first[s]; t < model.sequences.first[s + 1]; ++t)
        total += filter_step(transition, model.log_lik.col(t), log_f);
    return total;
}

}  // namespace

TEST_CASE("state_draw: extreme likelihood ratios and transitions, in every precision") {
    // standard deviations of log pi and of log likelihoods: from tame to far beyond double
    for (const double of_rates : {1.0, 30.0, 300.0})
        for (const double of_data : {1.0, 30.0, 300.0, 3000.0})
            for (const arma::uword n_states : {2u, 17u}) {
                CAPTURE(of_rates);
                CAPTURE(of_data);
                CAPTURE(n_states);
                const AnyModel model{.log_pi = normals(n_states + 1, n_states, of_rates, 100 + n_states),
                                     .log_lik = normals(n_states, 70, of_data, 200 + n_states),
                                     .sequences = Sequences::of_lengths({30, 0, 1, 9, 8, 7, 6, 5, 4})};
                double exact = 0.0;
                for (arma::uword s = 0; s < model.sequences.count(); ++s) exact += log_space_likelihood(model, s);
                StateDrawScratch scratch;
                arma::uvec z;
                const BlockStreams rng({.seed = 5});
                for (const Precision precision : {Precision::float32, Precision::float64}) {
                    const double found = sample_states(model.conditions(), precision, scratch, z, rng);
                    CHECK(found == doctest::Approx(exact).epsilon(precision == Precision::float32 ? 1e-6 : 1e-12));
                    REQUIRE(z.n_elem == 70);
                    CHECK(z.max() < n_states);
                }
                CHECK(arma::accu(sequence_log_likelihood(model.conditions())) == doctest::Approx(exact).epsilon(1e-12));
            }
}

// The probability of every state of every step under the draw, against the smoother in log space.
TEST_CASE("state_draw: from a bad start the law is that of log space") {
    const arma::uword n_states = 4;
    const arma::uword n_steps = 8;
    for (const double spread : {20.0, 90.0, 400.0}) {  // e^90: just beyond float
        CAPTURE(spread);
        // two pairs of states: extreme between pairs, tame inside
        const arma::mat between = normals(3, 2, 0.5 * spread, 301);
        const arma::mat of_pairs = normals(2, n_steps, spread, 302);
        AnyModel model{.log_pi = normals(n_states + 1, n_states, 1.0, 303),
                       .log_lik = normals(n_states, n_steps, 1.0, 304),
                       .sequences = Sequences::of_lengths({n_steps})};
        for (arma::uword k = 0; k < n_states; ++k) {
            for (arma::uword j = 0; j <= n_states; ++j) model.log_pi(j, k) += between(j / 2, k / 2);
            model.log_lik.row(k) += of_pairs.row(k / 2);
        }
        model.emission = CategoricalState{model.log_lik.t()};
        // all paths
        std::vector<double> log_joint;
        const TransitionMatrix transition = transition_of(model.log_pi);
        for (arma::uword path = 0; path < 65536; ++path) {
            double total = 0.0;
            arma::uword before = 0;
            for (arma::uword t = 0; t < n_steps; ++t) {
                const arma::uword now = path >> 2 * t & 3;
                total +=
                    (t == 0 ? transition.log_start[now] : transition.log_from_to(before, now)) + model.log_lik(now, t);
                before = now;
            }
            log_joint.push_back(total);
        }
        const double log_likelihood = log_sum_exp(log_joint.size(), [&](std::size_t i) { return log_joint[i]; });
        constexpr std::uint32_t n_draws = 20000;
        for (const Precision precision : {Precision::float32, Precision::float64}) {
            std::vector<double> observed(log_joint.size(), 0.0), expected;
            for (const double path : log_joint) expected.push_back(n_draws * std::exp(path - log_likelihood));
            StateDrawScratch scratch;
            arma::uvec z;
            for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
                sample_states(model.conditions(), precision, scratch, z, BlockStreams({.seed = 6, .sweep = draw}));
                arma::uword path = 0;
                for (arma::uword t = n_steps; t-- > 0;) path = 4 * path + z[t];
                observed[path] += 1.0;
            }
            CHECK(testing::chi_square(observed, expected) > testing::level);
        }
    }
}

TEST_CASE("state_draw: a sequence that is done again in log space has numbers of its own") {
    // state 2 fits best by far and is out of reach, so that no scaled message is trusted; 0 and 1 are equally likely
    constexpr arma::uword n_sequences = 64;
    AnyModel model{.log_pi = arma::mat(4, 3, arma::fill::zeros),
                   .log_lik = arma::mat(3, n_sequences, arma::fill::zeros),
                   .sequences = Sequences::of_lengths(std::vector<arma::uword>(n_sequences, 1))};
    model.log_pi.col(2).fill(minus_infinity);
    model.log_lik.row(2).fill(900.0);
    model.emission = CategoricalState{model.log_lik.t()};
    for (const Precision precision : {Precision::float32, Precision::float64}) {
        StateDrawScratch scratch;
        arma::uvec z;
        CHECK(sample_states(model.conditions(), precision, scratch, z, BlockStreams({.seed = 7})) == 0.0);
        CHECK(z.max() == 1);
        const double ones = static_cast<double>(arma::accu(z));
        CHECK(std::abs(ones - 32.0) < 5.0 * 4.0);  // 5 standard deviations: 6e-7
        for (arma::uword s = 0; s < n_sequences; ++s) {
            Stream stream = BlockStreams({.seed = 7}).item(s);
            CHECK(z[s] == draw_categorical_log(std::vector<double>{0.0, 0.0, minus_infinity}, stream));
        }
    }
}

TEST_CASE("state_draw: impossible data are named by sequence and step") {
    AnyModel model{.log_pi = arma::mat(3, 2, arma::fill::zeros),
                   .log_lik = arma::mat(2, 5, arma::fill::zeros),
                   .sequences = Sequences::of_lengths({2, 0, 3})};
    std::get<CategoricalState>(model.emission).log_theta.row(3).fill(minus_infinity);
    StateDrawScratch scratch;
    arma::uvec z;
    CHECK_THROWS_WITH_AS(sample_states(model.conditions(), Precision::float32, scratch, z, BlockStreams({.seed = 1})),
                         "filter_forward: sequence 2, step 1: no path has a positive probability", std::runtime_error);
}
