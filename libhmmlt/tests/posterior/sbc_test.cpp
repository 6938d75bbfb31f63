// The judge of calibration: it accepts uniform ranks at its stated level and rejects ranks that are not.
#include "posterior/sbc.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::EcdfBand;

namespace {

constexpr std::uint32_t n_simulations = 400;
constexpr std::uint32_t n_draws = testing::n_sbc_draws;

// Ranks of truths whose law under the posterior is not uniform but `distort` of a uniform.
std::vector<std::uint32_t> ranks(std::uint32_t sample, double (*distort)(double)) {
    Stream rng({.seed = 1, .sweep = sample});
    std::vector<std::uint32_t> result(n_simulations);
    for (std::uint32_t& rank : result) rank = static_cast<std::uint32_t>(distort(draw_uniform(rng)) * (n_draws + 1.0));
    return result;
}

double uniform(double u) {
    return u;
}
double shifted(double u) {  // the posterior lies too low
    return std::pow(u, 0.7);
}
double overconfident(double u) {  // the posterior is too narrow: more ranks at both ends
    return u < 0.5 ? 2.0 * u * u : 1.0 - 2.0 * (1.0 - u) * (1.0 - u);
}
double overdispersed(double u) {
    return u < 0.5 ? std::sqrt(u / 2.0) : 1.0 - std::sqrt((1.0 - u) / 2.0);
}

}  // namespace

TEST_CASE("sbc: the band holds its level") {
    const EcdfBand band(n_simulations, n_draws);
    const double bound = band.bound(0.05, 20000, 2);
    CHECK(bound < 0.05);  // simultaneous, so narrower at each rank
    constexpr std::uint32_t n_samples = 4000;
    double rejected = 0.0;
    for (std::uint32_t sample = 0; sample < n_samples; ++sample)
        rejected += band.smallest_pointwise_p(ranks(sample, uniform)) < bound;
    // binomial, and the bound itself is known to 3 %: six standard errors
    CHECK(std::abs(rejected / n_samples - 0.05) < 6.0 * std::sqrt(0.05 * 0.95 / n_samples));
}

TEST_CASE("sbc: distorted ranks are found at a level of 1e-4") {
    const EcdfBand band(n_simulations, n_draws);
    const double bound = band.bound(1e-4, 200000, 3);
    for (auto* distort : {shifted, overconfident, overdispersed}) {
        CHECK(band.smallest_pointwise_p(ranks(0, distort)) < bound);
        CHECK(testing::chi_square_of_ranks(ranks(0, distort), n_draws) < 1e-4);
    }
    CHECK(band.smallest_pointwise_p(ranks(0, uniform)) > bound);
    CHECK(testing::chi_square_of_ranks(ranks(0, uniform), n_draws) > testing::level);
}

TEST_CASE("sbc: the band's p-values are those of the binomial law") {
    // 4 simulations of 1 draw: the number of ranks 0 is Binomial(4, 1/2)
    const EcdfBand band(4, 1);
    CHECK(band.smallest_pointwise_p({0, 0, 0, 0}) == doctest::Approx(2.0 / 16.0));
    CHECK(band.smallest_pointwise_p({0, 0, 0, 1}) == doctest::Approx(10.0 / 16.0));
    CHECK(band.smallest_pointwise_p({0, 1, 0, 1}) == doctest::Approx(1.0));
    CHECK_THROWS_AS(band.smallest_pointwise_p({0}), std::domain_error);
    CHECK_THROWS_WITH(EcdfBand(4, 2).bound(0.1, 1000, 1), doctest::Contains("power of two"));
    CHECK_THROWS_WITH(band.bound(0.001, 1000, 1), doctest::Contains("too few trials"));
}

TEST_CASE("sbc: a simulation depends on its number alone, and its ranks are in range") {
    const testing::SbcModel& model = testing::sbc_models().front();
    const testing::SbcSimulation first = testing::simulate(model, 1, 0);
    CHECK(first.ranks.size() == testing::sbc_functionals(model.model).size());
    for (const std::uint32_t rank : first.ranks) CHECK(rank <= n_draws);
    CHECK(testing::simulate(model, 1, 0).ranks == first.ranks);
    CHECK(testing::simulate(model, 1, 1).ranks != first.ranks);
}
