#include "hmmlt/emission/weight_law.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/math/log_space.hpp"

using namespace hmmlt;

TEST_CASE("weight law: without W a channel is normal with the variances of its weights added to that of the noise") {
    // one observation, 2, of unit precision; bias and weight ~ N(0, 1): N(0, 2) with the bit off, N(0, 3) with it on
    const LearnedWeights prior = LearnedWeights::isotropic(1, 1.0);
    const LinearEvidence data{arma::mat{1.0}, arma::mat{2.0}, arma::mat(2, 1, arma::fill::zeros), arma::vec{1.0}};
    const double off = log_likelihood_without_weights(prior, data, arma::umat{0});
    const double on = log_likelihood_without_weights(prior, data, arma::umat{1});
    CHECK(on - off == doctest::Approx(0.5 * std::log(2.0 / 3.0) + 4.0 / 4.0 - 4.0 / 6.0).epsilon(1e-13));
}

TEST_CASE("weight law: channels without data say nothing about the bits") {
    const LearnedWeights prior = LearnedWeights::isotropic(2, 0.7);
    const LinearEvidence data{arma::mat(3, 2, arma::fill::zeros), arma::mat(3, 2, arma::fill::zeros),
                              arma::mat(3, 3, arma::fill::zeros), arma::vec{1.0, 2.0, 3.0}};
    CHECK(log_likelihood_without_weights(prior, data, arma::umat{{0, 1}, {1, 1}}) ==
          log_likelihood_without_weights(prior, data, arma::umat{{0, 0}, {0, 0}}));
}

TEST_CASE("weight law: an offset that data and prior share changes nothing, however large it is") {
    LearnedWeights prior = LearnedWeights::isotropic(2, 0.7);
    LinearEvidence data{arma::mat{{600.0, 500.0, 700.0}}, arma::mat{{40.0, -900.0, 1500.0}},
                        arma::mat(3, 1, arma::fill::zeros), arma::vec{4.0}};
    const arma::umat apart{{0, 1, 0}, {0, 0, 1}};
    const arma::umat together{{0, 1, 1}, {0, 0, 0}};
    const auto log_ratio = [&] {
        return log_likelihood_without_weights(prior, data, apart) -
               log_likelihood_without_weights(prior, data, together);
    };
    const double expected = log_ratio();
    CHECK(expected > 1000.0);
    for (const double offset : {1e5, 1e7}) {
        prior.mean[0] = offset;
        data.sum_y = arma::mat{{40.0, -900.0, 1500.0}} + offset * data.n_observed;
        CHECK(std::abs(log_ratio() - expected) < 1e-3);
    }
}

TEST_CASE("weight law: bits whose weights cannot be told apart in double are impossible") {
    const LearnedWeights prior{arma::vec{0.0, 0.0}, arma::mat{{1.0, 2.0}, {2.0, 1.0}}};
    const LinearEvidence data{arma::mat{0.0}, arma::mat{0.0}, arma::mat(2, 1, arma::fill::zeros), arma::vec{1.0}};
    CHECK(log_likelihood_without_weights(prior, data, arma::umat{1}) == minus_infinity);
}
