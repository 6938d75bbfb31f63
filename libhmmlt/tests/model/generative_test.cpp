// Synthetic data have the law they claim: path frequencies follow the rows, residuals are normal with the given noise.
#include "hmmlt/model/generative.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

BinaryHmmPrior small_prior() {
    BinaryHmmPrior prior;
    prior.n_states = 4;
    prior.n_dims = 3;
    prior.n_channels = 2;
    prior.gamma = 40.0;  // all states and all transitions are likely
    prior.concentration = 20.0;
    return prior;
}

}  // namespace

TEST_CASE("generative: transitions are drawn from the row of the state before") {
    const BinaryHmmParameters parameters = draw_parameters(small_prior(), 1);
    constexpr arma::uword n_steps = 100000;
    const BinaryHmmSequence sequence = draw_sequence(parameters, n_steps, 0, 1);
    arma::mat counts(4, 4, arma::fill::zeros);
    for (arma::uword step = 1; step < n_steps; ++step) counts(sequence.z(step - 1), sequence.z(step)) += 1.0;
    int n_rows_tested = 0;
    for (arma::uword from = 0; from < 4; ++from) {
        const double visits = arma::accu(counts.row(from));
        if (visits < 1000.0) continue;
        std::vector<double> observed;
        std::vector<double> expected;
        for (arma::uword to = 0; to < 4; ++to) {
            observed.push_back(counts(from, to));
            expected.push_back(visits * std::exp(parameters.log_pi(from, to)));
        }
        CHECK(testing::chi_square(observed, expected) > level);
        ++n_rows_tested;
    }
    CHECK(n_rows_tested >= 2);
}

TEST_CASE("generative: the first state is drawn from the initial row") {
    const BinaryHmmParameters parameters = draw_parameters(small_prior(), 2);
    constexpr std::uint32_t n = 20000;
    std::vector<double> observed(4, 0.0);
    for (std::uint32_t sequence = 0; sequence < n; ++sequence)
        observed[draw_sequence(parameters, 1, sequence, 2).z(0)] += 1.0;
    std::vector<double> expected;
    for (arma::uword to = 0; to < 4; ++to) expected.push_back(n * std::exp(parameters.log_pi(4, to)));
    CHECK(testing::chi_square(observed, expected) > level);
}

TEST_CASE("generative: residuals are normal with each channel's precision") {
    const BinaryHmmParameters parameters = draw_parameters(small_prior(), 3);
    const BinaryHmmSequence sequence = draw_sequence(parameters, 50000, 0, 3);
    for (arma::uword channel = 0; channel < 2; ++channel) {
        std::vector<double> residuals;
        for (arma::uword step = 0; step < sequence.z.n_elem; ++step) {
            const arma::vec theta = arma::conv_to<arma::vec>::from(parameters.theta.col(sequence.z(step)));
            const double mean =
                parameters.weights(0, channel) + arma::dot(parameters.weights.col(channel).tail(3), theta);
            residuals.push_back((sequence.y(channel, step) - mean) * std::sqrt(parameters.precision(channel)));
        }
        CHECK(testing::kolmogorov_smirnov(residuals, testing::normal_cdf) > level);
    }
}

TEST_CASE("generative: precisions and weights follow their priors over seeds") {
    BinaryHmmPrior prior = small_prior();
    prior.precision_shape = 3.0;
    prior.precision_rate = 2.0;
    prior.weight_sd = 0.5;
    std::vector<double> precisions;
    std::vector<double> weights;
    std::vector<double> on;
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        const BinaryHmmParameters parameters = draw_parameters(prior, seed);
        for (const double h : parameters.precision) precisions.push_back(h);
        for (const double w : parameters.weights) weights.push_back(w / 0.5);
        on.push_back(static_cast<double>(parameters.theta(0, 0)));
    }
    CHECK(testing::kolmogorov_smirnov(precisions, [](double h) { return boost::math::gamma_p(3.0, 2.0 * h); }) > level);
    CHECK(testing::kolmogorov_smirnov(weights, testing::normal_cdf) > level);
    CHECK(testing::z_test(on, 0.5, 0.5) > level);
}

TEST_CASE("generative: bad sizes are named") {
    BinaryHmmPrior prior;
    prior.n_states = 0;
    CHECK_THROWS_AS(draw_parameters(prior, 1), std::domain_error);
}
