// The log likelihoods of some states are rows of those of all.
#include "hmmlt/emission/some_states.hpp"

#include <doctest/doctest.h>

#include "dynamics/small_chains.hpp"

using namespace hmmlt;
using testing::normals;

TEST_CASE("some_states: rows of log_likelihood, for every emission") {
    const arma::uvec states{4, 0, 3};
    Observations channels{Sequences::of_lengths({6}), normals(2, 6, 1.0, 1), {}};
    channels.y(1, 2) = arma::datum::nan;
    const Observations symbols{Sequences::of_lengths({4}), {}, {0, 2, no_symbol, 1}};
    const arma::umat theta{{0, 1, 0, 1, 1}, {1, 1, 0, 0, 1}};
    const auto check = [&](const EmissionState& state, const Observations& data) {
        arma::mat all;
        arma::mat some;
        log_likelihood(state, theta, data, all);
        log_likelihood_of_states(state, theta, data, states, some);
        CHECK(arma::approx_equal(some, all.rows(states), "absdiff", 0.0));
    };
    check(LinearGaussianState{normals(3, 2, 1.0, 2), {0.5, 2.0}}, channels);
    check(GaussianState{normals(2, 5, 1.0, 3), arma::exp(normals(2, 5, 1.0, 4))}, channels);
    check(CategoricalState{normals(3, 5, 1.0, 5)}, symbols);
}
