// Densities, probabilities and paths against all paths, one by one: nothing here shares code with the messages.
#include "hmmlt/dynamics/smoothing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamics/small_chains.hpp"
#include "hmmlt/emission/gaussian.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/normal.hpp"

using namespace hmmlt;
using testing::none, testing::dense, testing::likely, testing::normals, testing::transition_of,
    testing::with_missing_cells;

namespace {

struct SmoothingCase {
    std::string name;
    arma::mat log_pi;
    arma::mat log_lik;
    std::vector<arma::uword> lengths;
    bool in_log_space = false;  // the first sequence
};

// What the sum over all paths of one sequence says.
struct Enumerated {
    arma::mat filtered, smoothed;  // n_states x n_steps
    arma::vec log_density;
    double log_best = none;  // log p(path, y) of the most likely path
};

double log_sum_of_terms(const std::vector<double>& terms) {
    return log_sum_exp(terms.size(), [&](std::size_t i) { return terms[i]; });
}

arma::mat log_transitions(const SmoothingCase& model) {
    arma::mat log_a = model.log_pi;
    for (arma::uword j = 0; j < log_a.n_rows; ++j)
        log_a.row(j) -= log_sum_of_terms({log_a.row(j).begin(), log_a.row(j).end()});
    return log_a;
}

double log_joint_of(const arma::mat& log_a, const arma::mat& log_lik, const std::vector<arma::uword>& path) {
    double total = 0.0;
    arma::uword from = log_a.n_cols;  // the start row
    for (arma::uword t = 0; t < path.size(); ++t) {
        total += log_a(from, path[t]) + log_lik(path[t], t);
        from = path[t];
    }
    return total;
}

// log p(z_t = j, y) for all t, j, over the paths of the first n_steps steps.
arma::mat log_marginals(const arma::mat& log_a, const arma::mat& log_lik, arma::uword n_steps, double& log_best) {
    const arma::uword n_states = log_a.n_cols;
    std::vector<std::vector<double>> terms(n_states * n_steps);
    log_best = none;
    const auto n_paths = static_cast<arma::uword>(std::lround(std::pow(n_states, n_steps)));
    for (arma::uword number = 0; number < n_paths; ++number) {
        std::vector<arma::uword> path;
        for (arma::uword rest = number; path.size() < n_steps; rest /= n_states) path.push_back(rest % n_states);
        const double log_joint = log_joint_of(log_a, log_lik, path);
        log_best = std::max(log_best, log_joint);
        for (arma::uword t = 0; t < n_steps; ++t) terms[t * n_states + path[t]].push_back(log_joint);
    }
    arma::mat log_marginal(n_states, n_steps);
    for (arma::uword cell = 0; cell < terms.size(); ++cell) log_marginal[cell] = log_sum_of_terms(terms[cell]);
    return log_marginal;
}

Enumerated enumerate(const arma::mat& log_a, const arma::mat& log_lik) {
    const arma::uword n_steps = log_lik.n_cols;
    Enumerated result{arma::mat(arma::size(log_lik)), arma::mat(arma::size(log_lik)), arma::vec(n_steps)};
    double log_evidence = 0.0;
    for (arma::uword t = 0; t < n_steps; ++t) {
        const arma::mat log_joint = log_marginals(log_a, log_lik, t + 1, result.log_best);
        const arma::vec last = log_joint.col(t);
        const double log_total = log_sum_of_terms({last.begin(), last.end()});
        result.filtered.col(t) = arma::exp(last - log_total);
        result.log_density(t) = log_total - log_evidence;
        log_evidence = log_total;
        if (t + 1 == n_steps) result.smoothed = arma::exp(log_joint - log_total);
    }
    return result;
}

const arma::mat two_groups{{0.0, none, none}, {none, 0.0, 0.3}, {none, 0.1, 0.0}, {0.0, 0.4, 0.2}};

std::vector<SmoothingCase> smoothing_cases() {
    const arma::mat far = 1e5 * arma::mat{{0.0, -1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0, 0.0}, {-2.0, 0.0, 0.0, -1.0}};
    return {
        {"dense", dense, likely, {4}},
        {"one state", arma::mat(2, 1, arma::fill::zeros), likely.row(0), {4}},
        {"ragged, some sequences without steps", dense, arma::join_rows(likely, likely), {0, 3, 0, 1, 4, 0}},
        {"missing cells", dense, with_missing_cells(), {4}},
        {"all missing", dense, arma::mat(3, 4, arma::fill::zeros), {4}},
        {"exact zeros", {{none, 0.0, 0.0}, {0.0, none, none}, {0.5, 0.0, none}, {0.0, none, 1.0}}, likely, {4}},
        {"a state that cannot be left or reached", {{0.0, none}, {none, 0.0}, {0.0, none}}, likely.rows(0, 1), {4}},
        {"impossible emissions", dense, {{-1.0, none, 0.0, none}, {0.0, 0.5, none, none}, {none, 0.2, 1.0, 0.0}}, {4}},
        {"the only state that fits cannot be reached",
         {{0.0, none, 0.5}, {0.0, 0.0, 0.0}, {0.2, none, 0.0}, {0.0, none, 0.1}},
         {{0.0, -1e5, 0.0, -1e5}, {0.0, 0.0, 0.0, 0.0}, {0.3, -1e5 - 0.5, 0.0, -1e5 + 0.5}},
         {4},
         true},
        {"a path comes back from 1e5 behind", two_groups, likely + far, {4}, true},
        {"tiny rates",
         {{0.0, -2000.0, -2000.5}, {-1999.0, 0.0, -3000.0}, {0.0, 0.0, 0.0}, {0.0, -2000.0, -2500.0}},
         {{0.0, -2000.0, 0.0, -2001.0}, {-1.0, 0.0, 0.3, -0.5}, {-1.0, 0.0, 0.1, 0.0}},
         {4},
         true},
        {"log space in one sequence of two", two_groups, arma::join_rows(likely + far, likely), {4, 4}, true},
    };
}

double largest_difference(const arma::mat& a, const arma::mat& b) {
    REQUIRE(arma::size(a) == arma::size(b));
    return a.is_empty() ? 0.0 : arma::abs(a - b).max();
}

// Relative to 10 or to the size of what was summed: log densities of 1e5 have fewer digits behind the point.
bool close(double a, double b, double size) {
    return std::abs(a - b) <= 1e-13 * std::max(10.0, std::abs(size));
}

}  // namespace

TEST_CASE("smoothing: densities, probabilities and paths agree with all paths") {
    for (const SmoothingCase& model : smoothing_cases()) {
        CAPTURE(model.name);
        const arma::mat log_a = log_transitions(model);
        const TransitionMatrix transition = transition_of(model.log_pi);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        ForwardMessages messages;
        filter_forward(transition, model.log_lik, sequences, messages);
        CHECK(messages.in_log_space[0] == model.in_log_space);
        const arma::vec log_density = step_log_densities(transition, model.log_lik, messages, sequences);
        const arma::mat filtered = filtered_probabilities(messages, sequences);
        const arma::mat smoothed = smoothed_probabilities(transition, messages, sequences);
        const arma::uvec path = most_likely_path(transition, model.log_lik, sequences);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            CAPTURE(s);
            if (sequences.length(s) == 0) continue;
            const arma::span steps(sequences.first[s], sequences.first[s + 1] - 1);
            const arma::mat log_lik = model.log_lik.cols(steps.a, steps.b);
            const Enumerated expected = enumerate(log_a, log_lik);
            CHECK(largest_difference(filtered.cols(steps.a, steps.b), expected.filtered) < 1e-11);
            CHECK(largest_difference(smoothed.cols(steps.a, steps.b), expected.smoothed) < 1e-11);
            for (arma::uword t = steps.a; t <= steps.b; ++t)
                CHECK(close(log_density(t), expected.log_density(t - steps.a), arma::accu(expected.log_density)));
            const std::vector<arma::uword> found(path.begin() + steps.a, path.begin() + steps.b + 1);
            CHECK(close(log_joint_of(log_a, log_lik, found), expected.log_best, expected.log_best));
        }
    }
}

TEST_CASE("smoothing: steps one by one are the filter") {
    for (const SmoothingCase& model : smoothing_cases()) {
        CAPTURE(model.name);
        const TransitionMatrix transition = transition_of(model.log_pi);
        const Sequences sequences = Sequences::of_lengths(model.lengths);
        ForwardMessages messages;
        filter_forward(transition, model.log_lik, sequences, messages);
        const arma::mat filtered = filtered_probabilities(messages, sequences);
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            arma::vec log_f;
            double log_likelihood = 0.0;
            for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
                log_likelihood += filter_step(transition, model.log_lik.col(t), log_f);
                CHECK(largest_difference(arma::exp(log_f), filtered.col(t)) < 1e-12);
            }
            CHECK(close(log_likelihood, messages.log_likelihood(s), log_likelihood));
        }
    }
}

TEST_CASE("smoothing: a long sequence against plain backward messages") {
    const arma::uword n_states = 9;
    const arma::uword n_steps = 2000;
    arma::mat log_pi = normals(n_states + 1, n_states, 3.0, 1);
    log_pi.elem(arma::find(log_pi < -3.0)).fill(none);
    log_pi.diag().zeros();
    const TransitionMatrix transition = transition_of(log_pi);
    const arma::mat log_lik = normals(n_states, n_steps, 20.0, 2);
    const Sequences one = Sequences::of_lengths({n_steps});
    ForwardMessages messages;
    filter_forward(transition, log_lik, one, messages);
    const arma::vec log_density = step_log_densities(transition, log_lik, messages, one);
    CHECK(arma::accu(log_density) == doctest::Approx(messages.log_likelihood(0)).epsilon(1e-12));

    const arma::mat filtered = filtered_probabilities(messages, one);
    const arma::mat smoothed = smoothed_probabilities(transition, messages, one);
    arma::vec log_backward(n_states, arma::fill::zeros);  // log p(y_t+1 .. y_T | z_t = j), up to a constant
    double largest = 0.0;
    for (arma::uword t = n_steps; t-- > 0;) {
        arma::vec expected = filtered.col(t) % arma::exp(log_backward);
        expected /= arma::accu(expected);
        largest = std::max(largest, largest_difference(smoothed.col(t), expected));
        const arma::vec later = log_lik.col(t) + log_backward;
        for (arma::uword j = 0; j < n_states; ++j)
            log_backward(j) =
                log_sum_exp(n_states, [&](arma::uword k) { return transition.log_from_to(j, k) + later(k); });
        log_backward -= log_backward.max();
    }
    CHECK(largest < 1e-10);

    // no change of one or two states makes the path more likely
    const arma::uvec path = most_likely_path(transition, log_lik, one);
    const arma::mat log_a = arma::join_cols(transition.log_from_to, transition.log_start.t());
    const std::vector<arma::uword> best(path.begin(), path.end());
    const double log_best = log_joint_of(log_a, log_lik, best);
    CHECK(log_best < messages.log_likelihood(0));
    for (arma::uword t = 0; t + 1 < n_steps; t += 97)
        for (arma::uword pair = 0; pair < n_states * n_states; ++pair) {
            std::vector<arma::uword> other = best;
            other[t] = pair % n_states;
            other[t + 1] = pair / n_states;
            CHECK(log_joint_of(log_a, log_lik, other) <= log_best + 1e-9);
        }
}

TEST_CASE("smoothing: of equally likely paths, the lowest states") {
    const TransitionMatrix transition = transition_of(arma::mat(4, 3, arma::fill::zeros));
    const arma::uvec path =
        most_likely_path(transition, arma::mat(3, 5, arma::fill::zeros), Sequences::of_lengths({5}));
    CHECK(arma::accu(path) == 0);
    CHECK(most_likely_path(transition, arma::mat(3, 0), Sequences()).is_empty());
}

TEST_CASE("smoothing: bad arguments and impossible data are named") {
    const TransitionMatrix transition = transition_of({{0.0, 0.0}, {none, 0.0}, {none, 0.0}});
    const Sequences sequences = Sequences::of_lengths({1, 2});
    const arma::mat impossible{{0.0, 0.0, 0.0}, {0.0, 0.0, none}};  // state 0 cannot be reached
    CHECK_THROWS_WITH_AS(most_likely_path(transition, impossible, sequences),
                         "most_likely_path: sequence 1, step 1: no path has a positive probability",
                         std::runtime_error);
    CHECK_THROWS_WITH_AS(most_likely_path(transition, arma::mat(3, 3), sequences),
                         "most_likely_path: the rows of log_lik must be of size 2, found 3", std::domain_error);
    CHECK_THROWS_AS(smoothed_probabilities(transition, {}, sequences), std::domain_error);
    CHECK_THROWS_AS(filtered_probabilities({}, sequences), std::domain_error);
    CHECK_THROWS_AS(step_log_densities(transition, arma::mat(2, 3), {}, sequences), std::domain_error);

    arma::vec log_f;
    CHECK(filter_step(transition, {none, 0.5}, log_f) == 0.5);
    CHECK(filter_step(transition, {0.0, none}, log_f) == none);
    CHECK(filter_step(transition, {0.0, 0.25}, log_f) == 0.25);  // as if the impossible step had not been
    CHECK_THROWS_WITH_AS(filter_step(transition, {0.0, arma::datum::nan}, log_f),
                         "filter_step: log_lik of state 1 must be below infinity and not NaN, found nan",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(filter_step(transition, {0.0, 0.0, 0.0}, log_f),
                         "filter_step: log_lik must be of size 2, found 3", std::domain_error);
}
