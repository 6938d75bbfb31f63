// The filter against worked numbers and its own invariances; tests/posterior/enumeration_test.cpp checks the law.
#include "hmmlt/dynamics/forward_backward.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "dynamics/small_chains.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/normal.hpp"

using namespace hmmlt;
using testing::normals, testing::transition_of;

TEST_CASE("forward_backward: rates become probabilities") {
    const TransitionMatrix transition =
        transition_of({{std::log(1.0), std::log(2.0)}, {-1000.0, -1000.0 + std::log(3.0)}, {minus_infinity, 7.0}},
                      {{0.0, std::log(0.5)}, {0.0, 0.0}});
    CHECK(transition.from_to(0, 0) == doctest::Approx(0.5).epsilon(1e-14));
    CHECK(transition.from_to(0, 1) == doctest::Approx(0.5).epsilon(1e-14));
    CHECK(transition.from_to(1, 0) == doctest::Approx(0.25).epsilon(1e-12));
    CHECK(transition.from_to(1, 1) == doctest::Approx(0.75).epsilon(1e-12));
    CHECK(transition.start(0) == 0.0);
    CHECK(transition.start(1) == 1.0);
    CHECK(transition.log_start(0) == minus_infinity);

    const TransitionMatrix wild = transition_of(normals(51, 50, 300.0, 1), normals(50, 50, 10.0, 2));
    CHECK(arma::abs(arma::sum(wild.from_to, 1) - 1.0).max() < 1e-12);
    CHECK(std::abs(arma::accu(wild.start) - 1.0) < 1e-12);
}

TEST_CASE("forward_backward: the umbrella of Russell and Norvig (section 14.2)") {
    const TransitionMatrix transition = transition_of(arma::log(arma::mat{{0.7, 0.3}, {0.3, 0.7}, {0.5, 0.5}}));
    const arma::mat umbrella = arma::log(arma::mat{{0.9, 0.9}, {0.2, 0.2}});
    ForwardMessages messages;
    filter_forward(transition, umbrella, Sequences::of_lengths({2}), messages);
    CHECK(messages.f(0, 0) == doctest::Approx(0.45 / 0.55).epsilon(1e-14));
    CHECK(messages.f(0, 1) == doctest::Approx(0.8833570412517779).epsilon(1e-14));
    CHECK(messages.log_likelihood(0) == doctest::Approx(std::log(0.55 * 0.6390909090909091)).epsilon(1e-14));
    CHECK_FALSE(messages.in_log_space[0]);
}

TEST_CASE("forward_backward: a long sequence; constants in log_lik pass through, in log space too") {
    const arma::uword n_states = 7;
    const arma::uword n_steps = 5000;
    const TransitionMatrix transition = transition_of(normals(n_states + 1, n_states, 2.0, 3));
    const arma::mat log_lik = normals(n_states, n_steps, 3.0, 4);
    const Sequences one = Sequences::of_lengths({n_steps});
    ForwardMessages messages;
    filter_forward(transition, log_lik, one, messages);
    const double scaled = messages.log_likelihood(0);
    CHECK_FALSE(messages.in_log_space[0]);
    CHECK(arma::abs(arma::sum(messages.f, 0) - 1.0).max() < 1e-12);
    const arma::mat f = messages.f;

    const arma::rowvec constant = normals(1, n_steps, 1000.0, 5);
    filter_forward(transition, log_lik.each_row() + constant, one, messages);
    CHECK(messages.log_likelihood(0) == doctest::Approx(scaled + arma::accu(constant)).epsilon(1e-12));

    // One more state that is practically out of reach, but whose fit is perfect at one step, forces log space.
    arma::mat log_pi(n_states + 2, n_states + 1);
    log_pi.fill(minus_infinity);
    log_pi.submat(0, 0, n_states - 1, n_states - 1) = transition.log_from_to;
    log_pi(n_states, n_states) = 0.0;
    log_pi.submat(n_states + 1, 0, n_states + 1, n_states - 1) = transition.log_start.t();
    log_pi(n_states + 1, n_states) = -600.0;
    arma::mat more(n_states + 1, n_steps);
    more.fill(-1e5);
    more.rows(0, n_states - 1) = log_lik;
    more(n_states, 4000) = 1e6;
    filter_forward(transition_of(log_pi), more, one, messages);
    REQUIRE(messages.in_log_space[0]);
    CHECK(messages.log_likelihood(0) == doctest::Approx(scaled).epsilon(1e-12));
    CHECK(arma::abs(arma::exp(messages.f.rows(0, n_states - 1)) - f).max() < 1e-11);
    CHECK(messages.f.row(n_states).max() < -600.0);
}

TEST_CASE("forward_backward: sequences do not see each other, and some have no steps") {
    const TransitionMatrix transition = transition_of(normals(4, 3, 1.0, 6));
    const arma::mat log_lik = normals(3, 9, 1.0, 7);
    const Sequences ragged = Sequences::of_lengths({0, 4, 0, 5, 0});
    ForwardMessages together;
    filter_forward(transition, log_lik, ragged, together);
    ForwardMessages alone;
    filter_forward(transition, log_lik.cols(4, 8), Sequences::of_lengths({5}), alone);
    CHECK(arma::all(arma::vectorise(together.f.cols(4, 8) == alone.f)));
    CHECK(together.log_likelihood(3) == alone.log_likelihood(0));
    for (const arma::uword empty : {0u, 2u, 4u}) CHECK(together.log_likelihood(empty) == 0.0);

    arma::uvec z;
    sample_states(transition, together, ragged, z, BlockStreams({.seed = 8}));
    CHECK(z.n_elem == 9);
    CHECK(z.max() < 3);
    arma::uvec again;
    sample_states(transition, together, ragged, again, BlockStreams({.seed = 8}));
    CHECK(arma::all(z == again));

    ForwardMessages none;
    filter_forward(transition, arma::mat(3, 0), Sequences(), none);
    sample_states(transition, none, Sequences(), z, BlockStreams({.seed = 8}));
    CHECK(z.is_empty());
}

TEST_CASE("forward_backward: bad arguments and impossible data are named") {
    const TransitionMatrix transition = transition_of({{0.0, 0.0}, {minus_infinity, 0.0}, {minus_infinity, 0.0}});
    const Sequences sequences = Sequences::of_lengths({1, 2});
    ForwardMessages messages;
    CHECK_THROWS_WITH_AS(filter_forward(transition, arma::mat(3, 3, arma::fill::zeros), sequences, messages),
                         "filter_forward: the rows of log_lik must be of size 2, found 3", std::domain_error);
    CHECK_THROWS_WITH_AS(filter_forward(transition, arma::mat(2, 2, arma::fill::zeros), sequences, messages),
                         "filter_forward: the columns of log_lik must be of size 3, found 2", std::domain_error);
    CHECK_THROWS_AS(filter_forward({}, {}, {}, messages), std::domain_error);
    // state 0 cannot be reached from the start
    CHECK_THROWS_WITH_AS(filter_forward(transition, {{0.0, 0.0, 0.0}, {0.0, 0.0, minus_infinity}}, sequences, messages),
                         "filter_forward: sequence 1, step 1: no path has a positive probability", std::runtime_error);
    const double nan = arma::datum::nan;
    CHECK_THROWS_WITH_AS(
        filter_forward(transition, {{0.0, 0.0, 0.0}, {0.0, nan, 0.0}}, sequences, messages),
        "filter_forward: sequence 1, step 0: log_lik of state 1 must be below infinity and not NaN, found nan",
        std::runtime_error);
    CHECK_THROWS_AS(filter_forward(transition, {{nan, 0.0, 0.0}, {0.0, 0.0, 0.0}}, sequences, messages),
                    std::runtime_error);
    CHECK_THROWS_AS(filter_forward(transition, {{0.0, 0.0, 0.0}, {arma::datum::inf, 0.0, 0.0}}, sequences, messages),
                    std::runtime_error);
    arma::uvec z;
    CHECK_THROWS_AS(sample_states(transition, {}, sequences, z, BlockStreams({.seed = 1})), std::domain_error);
}
