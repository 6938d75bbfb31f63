// Marginal likelihoods of sets of steps against integrals over the parameters, and their differences against each
// other.
#include "hmmlt/emission/groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/sinh_sinh.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "hmmlt/math/log_density.hpp"
#include "hmmlt/math/log_rising.hpp"

using namespace hmmlt;

namespace {

constexpr double missing_cell = std::numeric_limits<double>::quiet_NaN();
const GaussianSpec channels{{{0.5, 0.7, 2.0, 1.5}, {-1.0, 2.0, 3.0, 0.5}, {0.5, 0.7, 2.0, 4.0}}};
const Observations numbers{Sequences::of_lengths({4, 0, 3}),
                           {{0.3, missing_cell, 1.2, -0.5, 2.0, missing_cell, 0.7},
                            {1.1, missing_cell, -0.3, 0.4, missing_cell, missing_cell, -1.5},
                            {9.0, missing_cell, 7.5, missing_cell, 8.2, missing_cell, missing_cell}},
                           {}};
const CategoricalSpec letters{arma::vec{0.3, 1.7, 0.02, 5.0}};
const Observations symbols{Sequences::of_lengths({9}), {}, {0, 0, 1, 3, no_symbol, 0, 3, 3, 2}};

template <EmissionGroups Groups>
typename Groups::Group group_of(const Groups& groups, const std::vector<arma::uword>& steps) {
    auto group = groups.nothing();
    for (const arma::uword t : steps) groups.add(t, group);
    return group;
}

// The integral of the likelihood of one channel over its mean and precision.
double integral(const NormalGammaLaw& prior, const std::vector<double>& y) {
    boost::math::quadrature::exp_sinh<double> over_precisions;
    boost::math::quadrature::sinh_sinh<double> over_means;
    return over_precisions.integrate([&](double h) {
        const double log_prior_of_h = log_gamma_density(h, {prior.a, prior.b});
        if (!(log_prior_of_h > -700.0)) return 0.0;
        // in standard deviations of the prior of the mean
        const double sd = 1.0 / std::sqrt(prior.k * h);
        return over_means.integrate([&](double x) {
            double sum = log_prior_of_h + log_normal_density(x, 0.0, 1.0);
            for (const double value : y) sum += log_normal_density(value, prior.m + sd * x, h);
            return sum > -700.0 ? std::exp(sum) : 0.0;
        });
    });
}

// One step after the other, each given those before: their sum is log M, whatever the order.
template <EmissionGroups Groups>
void check_chain_rule(const Groups& groups, std::vector<arma::uword> steps) {
    const double all = groups.log_marginal_likelihood(group_of(groups, steps));
    for (int order = 0; order < 2; ++order) {
        auto group = groups.nothing();
        double sum = 0.0;
        for (const arma::uword t : steps) {
            double next = 0.0;
            groups.log_predictive(group, std::span(&t, 1), std::span(&next, 1));
            const double before = groups.log_marginal_likelihood(group);
            groups.add(t, group);
            CHECK(groups.log_marginal_likelihood(group) - before == doctest::Approx(next).epsilon(1e-12));
            sum += next;
        }
        CHECK(sum == doctest::Approx(all).epsilon(1e-12));
        std::reverse(steps.begin(), steps.end());
    }
    const auto first = std::vector<arma::uword>(steps.begin(), steps.begin() + 2);
    const auto rest = std::vector<arma::uword>(steps.begin() + 2, steps.end());
    const auto joined = groups.joined(group_of(groups, first), group_of(groups, rest));
    const double apart = groups.log_marginal_likelihood(group_of(groups, first)) +
                         groups.log_marginal_likelihood(group_of(groups, rest));
    CHECK(groups.log_gain(group_of(groups, first), group_of(groups, rest), apart) ==
          doctest::Approx(all - apart).epsilon(1e-12));
    CHECK(groups.log_gain(group_of(groups, rest), group_of(groups, first), apart) ==
          doctest::Approx(all - apart).epsilon(1e-12));
    CHECK(groups.log_marginal_likelihood(joined) == doctest::Approx(all).epsilon(1e-12));
    CHECK(groups.log_marginal_likelihood(groups.joined(groups.nothing(), joined)) ==
          doctest::Approx(all).epsilon(1e-12));
    CHECK(groups.log_marginal_likelihood(groups.nothing()) == 0.0);
}

}  // namespace

TEST_CASE("groups: the marginal likelihood of a Gaussian channel is its integral over mean and precision") {
    const GaussianGroups groups = groups_of(channels, numbers);
    const double expected = std::log(integral(channels.channels[0], {0.3, 1.2, -0.5})) +
                            std::log(integral(channels.channels[1], {1.1, -0.3, 0.4})) +
                            std::log(integral(channels.channels[2], {9.0, 7.5}));
    CHECK(groups.log_marginal_likelihood(group_of(groups, {0, 1, 2, 3})) == doctest::Approx(expected).epsilon(1e-8));
}

TEST_CASE("groups: the first step of a Gaussian channel has Student's law") {
    const GaussianGroups groups = groups_of(channels, numbers);
    const NormalGammaLaw& prior = channels.channels[0];
    const double scale = std::sqrt(prior.b * (prior.k + 1.0) / (prior.a * prior.k));
    const boost::math::students_t student(2.0 * prior.a);
    const arma::uword t = 6;
    double found = 0.0;
    groups.log_predictive(groups.nothing(), std::span(&t, 1), std::span(&found, 1));
    double expected = std::log(boost::math::pdf(student, (0.7 - prior.m) / scale) / scale);
    const NormalGammaLaw& second = channels.channels[1];
    const double wide = std::sqrt(second.b * (second.k + 1.0) / (second.a * second.k));
    expected += std::log(boost::math::pdf(boost::math::students_t(2.0 * second.a), (-1.5 - second.m) / wide) / wide);
    CHECK(found == doctest::Approx(expected).epsilon(1e-12));
}

TEST_CASE("groups: the marginal likelihood of symbols is their integral over two probabilities") {
    const CategoricalSpec two{arma::vec{0.6, 1.9}};
    const Observations data{Sequences::of_lengths({6}), {}, {0, 1, 1, no_symbol, 0, 1}};
    const CategoricalGroups groups = groups_of(two, data);
    boost::math::quadrature::tanh_sinh<double> quadrature;
    const double likelihood = quadrature.integrate(
        [](double p) {
            return p * p * std::pow(1.0 - p, 3) * std::exp(log_beta_density(p, {0.6, 1.9}));
        },
        0.0, 1.0);
    CHECK(groups.log_marginal_likelihood(group_of(groups, {0, 1, 2, 3, 4, 5})) ==
          doctest::Approx(std::log(likelihood)).epsilon(1e-10));
}

TEST_CASE("groups: log M is the sum of its one-step differences, in any order and in parts") {
    check_chain_rule(groups_of(channels, numbers), {0, 1, 2, 3, 4, 5, 6});
    check_chain_rule(groups_of(letters, symbols), {0, 1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("groups: many steps at once are predicted as one by one") {
    Observations many{Sequences::of_lengths({150}), arma::mat(3, 150), {}};
    for (arma::uword cell = 0; cell < many.y.n_elem; ++cell)
        many.y[cell] = cell % 7 == 3 ? missing_cell : std::sin(static_cast<double>(cell));
    const GaussianGroups groups = groups_of(channels, many);
    const auto group = group_of(groups, {3, 4, 5, 77});
    std::vector<arma::uword> steps;
    for (arma::uword t = 0; t < 150; t += t % 3 + 1) steps.push_back(t);
    std::vector<double> together(steps.size());
    groups.log_predictive(group, steps, together);
    for (std::size_t m = 0; m < steps.size(); ++m) {
        auto with = group;
        groups.add(steps[m], with);
        CHECK(together[m] ==
              doctest::Approx(groups.log_marginal_likelihood(with) - groups.log_marginal_likelihood(group))
                  .epsilon(1e-11));
    }
}

TEST_CASE("groups: rising factorials, few and many factors, from a tiny a") {
    CHECK(log_rising(2.5, std::log(2.5), 0.0) == 0.0);
    CHECK(log_rising(2.5, std::log(2.5), 3.0) == doctest::Approx(std::log(2.5 * 3.5 * 4.5)).epsilon(1e-14));
    double sum = 0.0;
    for (int i = 0; i < 40; ++i) sum += std::log(2.5 + i);
    CHECK(log_rising(2.5, std::log(2.5), 40.0) == doctest::Approx(sum).epsilon(1e-13));
    CHECK(log_rising(0.0, -2000.0, 4.0) == doctest::Approx(-2000.0 + std::log(6.0)).epsilon(1e-14));
    CHECK(log_rising(0.0, -2000.0, 14.0) == doctest::Approx(-2000.0 + std::lgamma(14.0)).epsilon(1e-14));
}

TEST_CASE("groups: data of another shape are refused") {
    CHECK_THROWS_AS(groups_of(channels, symbols), std::domain_error);
    CHECK_THROWS_AS(groups_of(letters, numbers), std::domain_error);
}
