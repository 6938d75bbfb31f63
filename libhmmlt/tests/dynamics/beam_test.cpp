// The beam by hand: slices, what they leave of A, and errors; tests/posterior/enumeration_test.cpp checks the law of z.
#include "hmmlt/dynamics/beam.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "dynamics/small_chains.hpp"
#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;

namespace {

// Three states and the start; nothing leads to state 1 but a rare start.
const arma::mat a{{0.6, 0.0, 0.4}, {0.2, 0.3, 0.5}, {0.1, 0.0, 0.9}, {0.5, 0.01, 0.49}};

}  // namespace

TEST_CASE("beam: log A is that of the filter") {
    const arma::mat log_pi = testing::normals(5, 4, 3.0, 1);
    const arma::mat log_phi = -arma::square(testing::normals(4, 4, 1.0, 2));
    const TransitionMatrix transition = testing::transition_of(log_pi, log_phi);
    arma::mat log_a;
    log_transitions(log_pi, log_phi, log_a);
    CHECK(arma::approx_equal(log_a.head_rows(4), transition.log_from_to, "absdiff", 1e-13));
    CHECK(arma::approx_equal(log_a.row(4), transition.log_start.t(), "absdiff", 1e-13));
}

TEST_CASE("beam: slices are uniform under the transitions of z, from row 0 where a sequence begins") {
    const arma::uvec z{0, 2, 2, 1, 0};
    const Sequences sequences = Sequences::of_lengths({3, 0, 2});
    const std::vector<double> ceiling{0.5, 0.4, 0.9, 0.01, 0.2};
    std::vector<std::vector<double>> slices(5);
    arma::vec log_slice;
    for (std::uint32_t draw = 0; draw < 20000; ++draw) {
        sample_log_slices(arma::log(a), z, sequences, log_slice, BlockStreams({.seed = 3, .sweep = draw}));
        for (arma::uword t = 0; t < 5; ++t) slices[t].push_back(std::exp(log_slice[t]));
    }
    for (arma::uword t = 0; t < 5; ++t)
        CHECK(testing::kolmogorov_smirnov(slices[t], [&](double s) { return std::min(1.0, s / ceiling[t]); }) >
              testing::level);
}

TEST_CASE("beam: what lies below all slices, and whom nothing else leads to, is left out") {
    Beam beam;
    cut_beam(arma::log(a), arma::log(arma::vec{0.4, 0.15, 0.3}), beam);
    CHECK(arma::accu(beam.states != arma::uvec{0, 2}) == 0);
    REQUIRE(beam.from.size() == 3);
    const auto row = [&](std::size_t from) {
        std::vector<std::uint32_t> to;
        for (const Beam::Transition& transition : beam.from[from]) to.push_back(transition.to);
        return to;
    };
    CHECK((row(0) == std::vector<std::uint32_t>{0, 1}));
    CHECK((row(1) == std::vector<std::uint32_t>{1}));     // 0.1 is below
    CHECK((row(2) == std::vector<std::uint32_t>{0, 1}));  // the start: state 1 is below
    cut_beam(arma::log(a), arma::log(arma::vec{0.005}), beam);
    CHECK(arma::accu(beam.states != arma::uvec{0, 1, 2}) == 0);
    CHECK((row(0) == std::vector<std::uint32_t>{0, 2}));
    CHECK((row(2) == std::vector<std::uint32_t>{2, 0}));
}

TEST_CASE("beam: slices at the very edge keep the path that they were drawn under") {
    const arma::mat log_a = arma::log(a);
    const Sequences sequences = Sequences::of_lengths({3});
    const arma::vec log_slice{log_a(3, 0), log_a(0, 2), log_a(2, 2)};
    Beam beam;
    arma::uvec z;
    cut_beam(log_a, log_slice, beam);
    sample_states(log_a, log_slice, arma::mat(beam.states.n_elem, 3, arma::fill::zeros), sequences, beam, z,
                  BlockStreams({.seed = 1}));
    CHECK(z[2] == 2);  // 0.9 is the only transition as large
}

TEST_CASE("beam: errors name sequence and step") {
    const arma::mat log_a = arma::log(a);
    const Sequences sequences = Sequences::of_lengths({1, 2});
    arma::vec log_slice;
    CHECK_THROWS_WITH_AS(sample_log_slices(log_a, {0, 0, 1}, sequences, log_slice, BlockStreams({.seed = 1})),
                         "sample_log_slices: z must have a positive probability, found a transition of probability 0 "
                         "in sequence 1, step 1",
                         std::domain_error);
    CHECK_THROWS_AS(sample_log_slices(log_a, {0, 0}, sequences, log_slice, BlockStreams({.seed = 1})),
                    std::domain_error);
    Beam beam;
    arma::uvec z;
    cut_beam(log_a, arma::log(arma::vec{0.4, 0.4, 0.3}), beam);
    arma::mat log_lik(2, 3, arma::fill::zeros);
    log_lik.col(2).fill(minus_infinity);
    CHECK_THROWS_WITH_AS(sample_states(log_a, arma::log(arma::vec{0.4, 0.4, 0.3}), log_lik, sequences, beam, z,
                                       BlockStreams({.seed = 1})),
                         "sample_states: sequence 1, step 1: no path above the slices has a positive probability",
                         std::runtime_error);
    CHECK_THROWS_AS(sample_states(log_a, arma::log(arma::vec{0.4, 0.4, 0.3}), arma::mat(3, 3, arma::fill::zeros),
                                  sequences, beam, z, BlockStreams({.seed = 1})),
                    std::domain_error);
}
