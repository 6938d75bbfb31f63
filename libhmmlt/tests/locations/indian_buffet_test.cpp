// The finite limit of the Indian buffet: laws by hand, draws against their laws, features that nobody has.
#include "hmmlt/locations/indian_buffet.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "hmmlt/locations/locations.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

TEST_CASE("indian buffet: laws by hand") {
    const arma::umat theta{{1, 0, 1, 1}, {0, 0, 0, 0}};
    const BetaPrior used = buffet_probability_law(3.0, theta, 0);
    const BetaPrior unused = buffet_probability_law(3.0, theta, 1);
    CHECK((used.a == 1.5 + 3.0 && used.b == 1.0 + 1.0));
    CHECK((unused.a == 1.5 && unused.b == 1.0 + 4.0));
    const GammaPrior law = buffet_concentration_law({2.0, 0.5}, arma::vec{-1.0, -4.0});
    CHECK((law.shape == 4.0 && law.rate == 0.5 + 2.5));
}

TEST_CASE("indian buffet: draws of the prior have its laws") {
    const IndianBuffetLocations spec{4, GammaPrior{3.0, 2.0}};
    std::vector<double> concentrations;
    std::vector<double> shares;  // mu^(a / D) is uniform
    double ones = 0.0;
    double expected = 0.0;
    double variance = 0.0;
    for (std::uint32_t draw = 0; draw < 5000; ++draw) {
        const IndianBuffetState state = draw_indian_buffet(spec, 6, BlockStreams({.seed = 1, .sweep = draw}));
        concentrations.push_back(state.concentration);
        for (arma::uword d = 0; d < 4; ++d) {
            shares.push_back(std::exp(state.log_mu(d) * state.concentration / 4.0));
            const double mu = std::exp(state.log_mu(d));
            expected += 6.0 * mu;
            variance += 6.0 * mu * (1.0 - mu);
        }
        ones += static_cast<double>(arma::accu(state.theta));
    }
    CHECK(testing::kolmogorov_smirnov(concentrations, [](double a) { return boost::math::gamma_p(3.0, 2.0 * a); }) >
          level);
    CHECK(testing::kolmogorov_smirnov(shares, [](double u) { return u; }) > level);
    CHECK(std::abs(ones - expected) < 6.0 * std::sqrt(variance));
}

TEST_CASE("indian buffet: features that nobody has, and tiny concentrations, stay finite") {
    const IndianBuffetLocations spec{50, 1e-6};
    const IndianBuffetState state = draw_indian_buffet(spec, 5, BlockStreams({.seed = 1}));
    CHECK(state.concentration == 1e-6);
    CHECK(state.log_mu.min() < -1e4);  // far below the smallest double
    CHECK(state.log_mu.is_finite());
    CHECK(std::isfinite(log_prior(LocationSpec(spec), LocationState(state))));
    CHECK(buffet_concentration_law({1.0, 1.0}, state.log_mu).rate > 1e4);
    arma::vec log_mu;
    sample_buffet_probabilities(1e-6, state.theta, log_mu, BlockStreams({.seed = 2}));
    CHECK(log_mu.is_finite());
}

TEST_CASE("indian buffet: the prior of the bits is that of its parts") {
    const IndianBuffetLocations spec{2, GammaPrior{3.0, 2.0}};
    IndianBuffetState state{arma::umat{{1, 0, 1}, {0, 0, 0}}, arma::log(arma::vec{0.4, 0.05}), 1.7};
    const double share = 0.85;
    const double a = std::log(std::pow(2.0, 3.0) / 2.0 * 1.7 * 1.7) - 2.0 * 1.7;
    const double mu = 2.0 * std::log(share) + share * (std::log(0.4) + std::log(0.05));  // with respect to d log mu
    const double ones_and_zeros = 2.0 * std::log(0.4) + std::log(0.6) + 3.0 * std::log(0.95);
    CHECK(buffet_log_prior(spec, state) == doctest::Approx(a + mu + ones_and_zeros).epsilon(1e-13));
    CHECK_THROWS_WITH(log_prior(LocationSpec(spec), LocationState(NoLocationState{})),
                      doctest::Contains("indian_buffet locations"));
}
