// The scaled filter against itself in other precisions, against log space, and against a loop that skips nothing.
#include "hmmlt/dynamics/scaled_filter.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "dynamics/small_chains.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::normals, testing::transition_of;

namespace {

template <typename Real>
struct Filtered {
    FilterTransitions<Real> transitions;
    Likelihoods<Real> likelihoods;
    ScaledMessages<Real> messages;
};

template <typename Real>
Filtered<Real> filtered(const arma::mat& log_pi, const arma::mat& log_lik, const Sequences& sequences,
                        Keep keep = Keep::all_messages) {
    Filtered<Real> done;
    normalise_rates(log_pi, {}, done.transitions);
    done.likelihoods.set_size(done.transitions.n_states(), log_lik.n_cols, log_lik.n_cols);
    for (arma::uword t = 0; t < log_lik.n_cols; ++t) {
        const arma::vec ordered = log_lik.unsafe_col(t).elem(done.transitions.states);
        done.likelihoods.set_column(t, ordered.memptr(), ordered.n_elem);
        done.likelihoods.column[t] = static_cast<std::uint32_t>(t);
    }
    filter_scaled(done.transitions, done.likelihoods, sequences, keep, done.messages);
    return done;
}

// log messages of a single sequence by the filter that knows no underflow, and its log likelihood
double log_filter(const arma::mat& log_pi, const arma::mat& log_lik, arma::mat& log_f) {
    const TransitionMatrix transition = transition_of(log_pi);
    arma::vec f;
    double total = 0.0;
    log_f.set_size(arma::size(log_lik));
    for (arma::uword t = 0; t < log_lik.n_cols; ++t) {
        total += filter_step(transition, log_lik.col(t), f);
        log_f.col(t) = f;
    }
    return total;
}

// Cells of which many are zero as floats, and states that some, or nobody, can reach.
arma::mat sparse_rates(arma::uword n_states, std::uint64_t seed) {
    arma::mat log_pi = normals(n_states + 1, n_states, 40.0, seed);
    for (arma::uword k = 0; k < n_states; k += 3) {  // only from themselves, every other one from the start too
        const double stay = log_pi(k, k);
        const double start = log_pi(n_states, k);
        log_pi.col(k).fill(minus_infinity);
        log_pi(k, k) = stay;
        if (k % 2 == 0) log_pi(n_states, k) = start;
    }
    for (arma::uword j = 0; j <= n_states; ++j)
        if (log_pi.row(j).max() == minus_infinity) log_pi(j, j % n_states) = 0.0;
    return log_pi;
}

}  // namespace

TEST_CASE("scaled_filter: probabilities of the transitions, in both precisions") {
    for (const arma::uword n_states : {1u, 2u, 17u, 33u}) {
        const arma::mat log_pi = normals(n_states + 1, n_states, 3.0, 10 + n_states);
        const arma::mat log_phi = -arma::abs(normals(n_states, n_states, 2.0, 20 + n_states));
        const TransitionMatrix exact = transition_of(log_pi, log_phi);
        FilterTransitions<float> in_float;
        FilterTransitions<double> in_double;
        normalise_rates(log_pi, log_phi, in_float);
        normalise_rates(log_pi, log_phi, in_double);
        REQUIRE(in_float.n_states() == n_states);
        for (arma::uword k = 0; k < n_states; ++k) {
            const arma::uword to = in_float.states[k];
            for (arma::uword j = 0; j < n_states; ++j) {
                const double a = exact.from_to(in_float.states[j], to);
                CHECK(static_cast<double>(in_float.into.column(k)[j]) == doctest::Approx(a).epsilon(3e-7));
                CHECK(in_double.into.column(k)[j] == doctest::Approx(a).epsilon(1e-13));
            }
            CHECK(static_cast<double>(in_float.start.column(0)[k]) == doctest::Approx(exact.start[to]).epsilon(3e-7));
        }
    }
    FilterTransitions<float> transitions;
    CHECK_THROWS_AS(
        normalise_rates(arma::mat{{0.0, 0.0}, {minus_infinity, minus_infinity}, {0.0, 0.0}}, {}, transitions),
        std::domain_error);
}

TEST_CASE("scaled_filter: states that no path visits are left out, those that only a start reaches come last") {
    const double none = minus_infinity;
    // 0: only itself and the start; 1 and 3: each other; 2: nobody, not even itself; 4: only itself
    const arma::mat log_pi{{0.0, 0.0, none, 0.0, none},  {none, 0.0, none, 0.0, none}, {0.0, 0.0, none, none, none},
                           {none, 0.0, none, 0.0, none}, {none, 0.0, none, none, 0.0}, {0.0, 0.0, none, none, none}};
    FilterTransitions<float> transitions;
    normalise_rates(log_pi, {}, transitions);
    // state 2 leads to 0, so 0 is entered although no path comes from there
    CHECK(arma::all(transitions.states == arma::uvec{0, 1, 3, 2, 4}));
    CHECK(transitions.n_states() == 3);
    CHECK(transitions.n_entered == 3);
    arma::mat alone = log_pi;
    alone(2, 0) = none;
    normalise_rates(alone, {}, transitions);
    CHECK(arma::all(transitions.states == arma::uvec{1, 3, 0, 2, 4}));
    CHECK(transitions.n_states() == 3);
    CHECK(transitions.n_entered == 2);
}

TEST_CASE("scaled_filter: skipping changes no bit of a float pass") {
    for (const arma::uword n_states : {1u, 2u, 17u, 33u, 150u}) {
        CAPTURE(n_states);
        const arma::uword n_steps = 60;
        const arma::mat log_pi = sparse_rates(n_states, 30 + n_states);
        const arma::mat log_lik = normals(n_states, n_steps, 6.0, 40 + n_states);
        Filtered<float> done = filtered<float>(log_pi, log_lik, Sequences::of_lengths({n_steps}));
        const arma::uword n = done.transitions.n_states();
        if (n_states > 2) CHECK(n < n_states);
        const FilterTransitions<float>& a = done.transitions;
        for (arma::uword t = 1; t < n_steps; ++t) {
            const float* before = done.messages.column(0, t - 1);
            const float* now = done.messages.column(0, t);
            bool fused_agrees = true;
            bool plain_agrees = true;
            std::vector<float> fused(n), plain(n);
            for (arma::uword k = 0; k < n; ++k) {
                float with = 0.0f, without = 0.0f;
                for (arma::uword j = 0; j < n; ++j) {
                    volatile float product = before[j] * a.into.column(k)[j];
                    with = std::fma(before[j], a.into.column(k)[j], with);
                    if (product >= std::numeric_limits<float>::min()) without += product;
                }
                fused[k] = with * done.likelihoods.scaled.column(t)[k];
                plain[k] = without * done.likelihoods.scaled.column(t)[k];
            }
            // C_t, summed as the filter does
            const auto agrees = [&](std::vector<float> expected) {
                float lane[16]{};
                for (arma::uword k = 0; k < n; ++k) {
                    if (expected[k] < std::numeric_limits<float>::min()) expected[k] = 0.0f;
                    lane[k % 16] += expected[k];
                }
                double scale = 0.0;
                for (const float part : lane) scale += static_cast<double>(part);
                const auto inverse = static_cast<float>(1.0 / scale);
                for (arma::uword k = 0; k < n; ++k)
                    if (expected[k] * inverse != now[k]) return false;
                return true;
            };
            fused_agrees = agrees(fused);
            plain_agrees = agrees(plain);
            const bool either = fused_agrees || plain_agrees;
            if (std::isfinite(done.messages.log_likelihood[0])) CHECK(either);
        }
    }
}

TEST_CASE("scaled_filter: float, double and log space agree") {
    for (const arma::uword n_states : {1u, 2u, 17u, 33u, 100u})
        for (const arma::uword n_steps : {1u, 300u}) {
            CAPTURE(n_states);
            CAPTURE(n_steps);
            const arma::mat log_pi = normals(n_states + 1, n_states, 3.0, 50 + n_states);
            const arma::mat log_lik = normals(n_states, n_steps, 3.0, 60 + n_states);
            const Sequences one = Sequences::of_lengths({n_steps});
            arma::mat log_f;
            const double exact = log_filter(log_pi, log_lik, log_f);
            const Filtered<double> in_double = filtered<double>(log_pi, log_lik, one);
            const Filtered<float> in_float = filtered<float>(log_pi, log_lik, one);
            CHECK(in_double.messages.log_likelihood[0] == doctest::Approx(exact).epsilon(1e-12));
            // A, the likelihoods and each of the sums are rounded to some 1e-7, and errors of a step fade with the next
            CHECK(std::abs(in_float.messages.log_likelihood[0] - exact) < 2e-6 * static_cast<double>(n_steps));
            double worst = 0.0, worst_float = 0.0;
            for (arma::uword t = 0; t < n_steps; ++t)
                for (arma::uword k = 0; k < n_states; ++k) {
                    const double f = std::exp(log_f(in_double.transitions.states[k], t));
                    worst = std::max(worst, std::abs(in_double.messages.column(0, t)[k] - f));
                    worst_float =
                        std::max(worst_float, std::abs(static_cast<double>(in_float.messages.column(0, t)[k]) - f));
                }
            CHECK(worst < 1e-12);
            CHECK(worst_float < 1e-5);
        }
}

TEST_CASE("scaled_filter: many sequences at once are what each is alone") {
    const arma::uword n_states = 33;
    const arma::mat log_pi = sparse_rates(n_states, 70);
    std::vector<arma::uword> lengths;
    for (arma::uword s = 0; s < 40; ++s) lengths.push_back(s * 7 % 23);  // some have no steps
    const Sequences many = Sequences::of_lengths(lengths);
    const arma::mat log_lik = normals(n_states, many.n_steps(), 2.0, 71);
    const Filtered<float> together = filtered<float>(log_pi, log_lik, many);
    const Filtered<float> scores = filtered<float>(log_pi, log_lik, many, Keep::log_likelihood);
    CHECK(scores.messages.f.n_cols() == 2 * many.count());
    for (arma::uword s = 0; s < many.count(); ++s) {
        CAPTURE(s);
        CHECK((scores.messages.log_likelihood[s] == together.messages.log_likelihood[s] ||
               std::isnan(together.messages.log_likelihood[s])));
        if (lengths[s] == 0) {
            CHECK(together.messages.log_likelihood[s] == 0.0);
            continue;
        }
        const arma::mat own = log_lik.cols(many.first[s], many.first[s + 1] - 1);
        const Filtered<float> alone = filtered<float>(log_pi, own, Sequences::of_lengths({lengths[s]}));
        CHECK(std::isfinite(alone.messages.log_likelihood[0]) == std::isfinite(together.messages.log_likelihood[s]));
        if (!std::isfinite(alone.messages.log_likelihood[0])) continue;
        CHECK(std::abs(together.messages.log_likelihood[s] - alone.messages.log_likelihood[0]) <
              1e-6 * static_cast<double>(lengths[s]));
        for (arma::uword t = 0; t < lengths[s]; ++t)
            for (arma::uword k = 0; k < together.transitions.n_states(); ++k)
                CHECK(together.messages.column(s, t)[k] ==
                      doctest::Approx(alone.messages.column(0, t)[k]).epsilon(1e-5));
    }
    arma::uvec z(many.n_steps());
    sample_paths(together.transitions, together.messages, many, z, BlockStreams({.seed = 72}));
    arma::uvec again(many.n_steps());
    sample_paths(together.transitions, together.messages, many, again, BlockStreams({.seed = 72}));
    for (arma::uword s = 0; s < many.count(); ++s)
        for (arma::uword t = many.first[s]; std::isfinite(together.messages.log_likelihood[s]) && t < many.first[s + 1];
             ++t)
            CHECK(z[t] == again[t]);
}

TEST_CASE("scaled_filter: many sequences of symbols that few states emit are, bit for bit, what each is alone") {
    const arma::uword n_states = 33;
    const arma::mat log_pi = normals(n_states + 1, n_states, 1.0, 73);
    const Sequences many = Sequences::of_lengths(std::vector<arma::uword>(12, 9));
    for (const bool some_missing : {false, true}) {  // steps that say nothing: there the product of matrices is used
        CAPTURE(some_missing);
        arma::mat log_lik = normals(n_states, many.n_steps(), 1.0, 74);
        for (arma::uword t = 0; t < log_lik.n_cols; ++t)
            for (arma::uword k = 0; k < n_states; ++k)
                if (some_missing && t % 9 == 4)
                    log_lik(k, t) = 0.0;
                else if ((k + t) % 8 != 0)
                    log_lik(k, t) = -2000.0;
        const Filtered<float> together = filtered<float>(log_pi, log_lik, many);
        double worst = 0.0;
        for (arma::uword s = 0; s < many.count(); ++s) {
            const arma::mat own = log_lik.cols(many.first[s], many.first[s + 1] - 1);
            const Filtered<float> alone = filtered<float>(log_pi, own, Sequences::of_lengths({9}));
            REQUIRE(std::isfinite(alone.messages.log_likelihood[0]));
            for (arma::uword t = 0; t < 9; ++t)
                for (arma::uword k = 0; k < n_states; ++k) {
                    const double expected = static_cast<double>(alone.messages.column(0, t)[k]);
                    const double error = static_cast<double>(together.messages.column(s, t)[k]) - expected;
                    worst = std::max(worst, std::abs(error) / std::max(expected, 1e-30));
                }
        }
        CHECK(worst <= (some_missing ? 1e-5 : 0.0));
    }
}

TEST_CASE("scaled_filter: paths over more states than lanes have the right law") {
    const arma::uword n_states = 20;
    const arma::mat log_pi = normals(n_states + 1, n_states, 1.0, 75);
    const arma::mat log_lik = normals(n_states, 2, 1.0, 76);
    const TransitionMatrix transition = transition_of(log_pi);
    constexpr std::uint32_t n_draws = 60000;
    std::vector<double> expected(n_states * n_states);
    double total = 0.0;
    for (arma::uword path = 0; path < expected.size(); ++path) {
        const arma::uword first = path % n_states, second = path / n_states;
        total += expected[path] = transition.start[first] * transition.from_to(first, second) *
                                  std::exp(log_lik(first, 0) + log_lik(second, 1));
    }
    for (double& value : expected) value *= n_draws / total;
    const auto check = [&](auto real) {
        const auto done = filtered<decltype(real)>(log_pi, log_lik, Sequences::of_lengths({2}));
        std::vector<double> observed(expected.size(), 0.0);
        arma::uvec z(2);
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            sample_paths(done.transitions, done.messages, Sequences::of_lengths({2}), z,
                         BlockStreams({.seed = 77, .sweep = draw}));
            observed[z[0] + n_states * z[1]] += 1.0;
        }
        CHECK(testing::chi_square(observed, expected) > testing::level);
    };
    check(0.0f);
    check(0.0);
}

TEST_CASE("scaled_filter: what cannot be trusted is said") {
    const arma::mat log_pi = normals(4, 3, 1.0, 80);
    const Sequences two = Sequences::of_lengths({2, 2});
    arma::mat log_lik = normals(3, 4, 1.0, 81);
    const auto trusted = [&](auto real, arma::uword s) {
        return std::isfinite(filtered<decltype(real)>(log_pi, log_lik, two).messages.log_likelihood[s]);
    };
    CHECK(trusted(0.0f, 0));
    log_lik(0, 1) = arma::datum::nan;
    CHECK_FALSE(trusted(0.0f, 0));
    CHECK_FALSE(trusted(0.0, 0));
    CHECK(trusted(0.0f, 1));
    log_lik(0, 1) = arma::datum::inf;
    CHECK_FALSE(trusted(0.0f, 0));
    log_lik.col(1).fill(minus_infinity);
    CHECK_FALSE(trusted(0.0f, 0));
    CHECK_FALSE(trusted(0.0, 0));

    // the same of a state that has no row, because nothing leads there
    arma::mat out_of_reach = log_pi;
    out_of_reach.col(2).fill(minus_infinity);
    for (const double bad : {arma::datum::nan, arma::datum::inf}) {
        arma::mat bad_lik = normals(3, 4, 1.0, 82);
        bad_lik(2, 1) = bad;
        const auto log_likelihood = filtered<float>(out_of_reach, bad_lik, two).messages.log_likelihood;
        CHECK_FALSE(std::isfinite(log_likelihood[0]));
        CHECK(std::isfinite(log_likelihood[1]));
        CHECK_FALSE(std::isfinite(filtered<double>(out_of_reach, bad_lik, two).messages.log_likelihood[0]));
    }

    // a state out of reach by 1e-20 is the only one that fits: for float that is too far, for double it is not
    arma::mat apart{{0.0, -46.0}, {-46.0, 0.0}, {0.0, -46.0}};
    for (const double fit : {-60.0, -700.0}) {
        const arma::mat jump{{0.0, fit, 0.0}, {0.0, 0.0, 0.0}};
        const Sequences one = Sequences::of_lengths({3});
        CHECK_FALSE(std::isfinite(filtered<float>(apart, jump, one).messages.log_likelihood[0]));
        arma::mat log_f;
        CHECK(filtered<double>(apart, jump, one).messages.log_likelihood[0] ==
              doctest::Approx(log_filter(apart, jump, log_f)).epsilon(1e-12));
    }
}
