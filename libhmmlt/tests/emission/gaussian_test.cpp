#include "hmmlt/emission/gaussian.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hmmlt/math/log_density.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
const GaussianSpec spec{{{0.5, 0.7, 2.0, 1.5}, {-1.0, 2.0, 3.0, 0.5}}};
const Observations data{
    Sequences::of_lengths({4, 0, 3}),
    {{0.3, missing, 1.2, -0.5, 2.0, missing, 0.7}, {1.1, missing, -0.3, 0.4, missing, missing, -1.5}},
    {}};
const arma::uvec z{0, 1, 1, 1, 0, 2, 1};
const GaussianState example{{{0.1, -0.4, 1.0}, {0.2, 0.9, -0.3}}, {{1.5, 0.4, 2.0}, {0.6, 3.0, 1.0}}};

double log_joint(const GaussianState& state) {
    arma::mat log_lik;
    log_likelihood(state, {}, data, log_lik);
    double total = log_prior(spec, state);
    for (arma::uword t = 0; t < z.n_elem; ++t) total += log_lik(z[t], t);
    return total;
}

NormalGammaLaw law_of(arma::uword channel, arma::uword state) {
    const GaussianStatistics found = gaussian_statistics(data, z, 2, 3);
    return normal_gamma_law(spec.channels[channel], found.n(channel, state), found.mean(channel, state),
                            found.s(channel, state));
}

double log_density(const NormalGammaLaw& law, double mean, double h) {
    return log_gamma_density(h, {law.a, law.b}) + log_normal_density(mean, law.m, law.k * h);
}

// The mean of a Normal-Gamma law, h integrated out: Student's t with 2a degrees of freedom.
double mean_cdf(const NormalGammaLaw& law, double x) {
    const boost::math::students_t student(2.0 * law.a);
    return boost::math::cdf(student, (x - law.m) / std::sqrt(law.b / (law.a * law.k)));
}

double h_cdf(const NormalGammaLaw& law, double x) {
    return boost::math::gamma_p(law.a, law.b * x);
}

}  // namespace

TEST_CASE("gaussian emission: log likelihood by hand, missing cells drop out") {
    arma::mat log_lik;
    log_likelihood(example, {}, data, log_lik);
    REQUIRE(log_lik.n_rows == 3);
    REQUIRE(log_lik.n_cols == 7);
    const double by_hand = 0.5 * std::log(1.5 * 0.6) - log_two_pi - 0.5 * (1.5 * 0.04 + 0.6 * 0.81);
    CHECK(log_lik(0, 0) == doctest::Approx(by_hand).epsilon(1e-14));
    CHECK(log_lik(1, 4) == doctest::Approx(log_normal_density(2.0, -0.4, 0.4)).epsilon(1e-14));
    CHECK(arma::abs(log_lik.col(1)).max() == 0.0);
    CHECK(arma::abs(log_lik.col(5)).max() == 0.0);
}

TEST_CASE("gaussian emission: statistics and law by hand") {
    const GaussianStatistics found = gaussian_statistics(data, z, 2, 3);
    CHECK(arma::abs(found.n - arma::mat{{2.0, 3.0, 0.0}, {1.0, 3.0, 0.0}}).max() == 0.0);
    CHECK(found.mean(0, 0) == doctest::Approx(1.15).epsilon(1e-14));
    CHECK(found.s(0, 0) == doctest::Approx(2.0 * 0.85 * 0.85).epsilon(1e-14));
    CHECK(found.s(1, 0) == 0.0);
    const NormalGammaLaw law = law_of(0, 0);
    CHECK(law.k == doctest::Approx(2.7).epsilon(1e-14));
    CHECK(law.m == doctest::Approx((0.35 + 2.3) / 2.7).epsilon(1e-14));
    CHECK(law.a == 3.0);
    CHECK(law.b == doctest::Approx(1.5 + 0.85 * 0.85 + 0.7 * 2.0 * 0.65 * 0.65 / 5.4).epsilon(1e-14));
    CHECK(law_of(1, 2) == spec.channels[1]);  // no data: the prior
}

TEST_CASE("gaussian emission: squares about the mean survive a large offset") {
    const Observations far{Sequences::of_lengths({3}), {{1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0}}, {}};
    CHECK(gaussian_statistics(far, {0, 0, 0}, 1, 1).s(0, 0) == 2.0);
}

TEST_CASE("gaussian emission: the law of (mean, h) is the log joint as a function of them") {
    for (arma::uword i = 0; i < 2; ++i)
        for (arma::uword j = 0; j < 3; ++j)
            for (const auto& [mean, h] : {std::pair{0.0, 1.0}, {2.0, 0.1}, {-3.0, 5.0}, {0.7, 0.01}}) {
                CAPTURE(i);
                CAPTURE(j);
                GaussianState other = example;
                other.mean(i, j) = mean;
                other.h(i, j) = h;
                const NormalGammaLaw law = law_of(i, j);
                const double by_law = log_density(law, mean, h) - log_density(law, example.mean(i, j), example.h(i, j));
                CHECK(log_joint(other) - log_joint(example) == doctest::Approx(by_law).epsilon(1e-12));
            }
}

TEST_CASE("gaussian emission: the prior density integrates to 1") {
    const GaussianSpec one{{{0.5, 0.7, 2.0, 1.5}}};
    double total = 0.0;
    for (double x = -9.0; x < 4.0; x += 0.02) {  // x = log h
        const double sd = 1.0 / std::sqrt(0.7 * std::exp(x));
        for (double shift = -9.0; shift < 9.0; shift += 0.1) {  // mean = m + sd shift
            const GaussianState state{arma::mat(1, 1, arma::fill::value(0.5 + sd * shift)),
                                      arma::mat(1, 1, arma::fill::value(std::exp(x)))};
            total += 0.02 * 0.1 * sd * std::exp(x + log_prior(one, state));
        }
    }
    CHECK(total == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("gaussian emission: draws of mean and h follow their law") {
    GaussianState state = example;
    std::vector<double> mean;
    std::vector<double> h;
    std::vector<double> standardised;
    const NormalGammaLaw law = law_of(1, 1);
    for (std::uint32_t draw = 0; draw < 100000; ++draw) {
        sample_emission(spec, data, z, {}, state, BlockStreams({.seed = 740, .sweep = draw}));
        mean.push_back(state.mean(1, 1));
        h.push_back(state.h(1, 1));
        standardised.push_back((mean.back() - law.m) * std::sqrt(law.k * h.back()));
    }
    CHECK(testing::kolmogorov_smirnov(mean, [&](double x) { return mean_cdf(law, x); }) > level);
    CHECK(testing::kolmogorov_smirnov(h, [&](double x) { return h_cdf(law, x); }) > level);
    CHECK(testing::kolmogorov_smirnov(standardised, testing::normal_cdf) > level);
}

TEST_CASE("gaussian emission: prior, data, conditional: the prior comes back") {
    std::vector<double> mean;
    std::vector<double> h;
    for (std::uint32_t draw = 0; draw < 100000; ++draw) {
        GaussianState state = draw_emission(spec, 3, BlockStreams({.seed = 741, .sweep = draw}));
        Observations drawn{data.sequences, {}, {}};
        draw_observations(state, {}, z, drawn, BlockStreams({.seed = 742, .sweep = draw}));
        drawn.y.elem(arma::find_nan(data.y)).fill(missing);
        sample_emission(spec, drawn, z, {}, state, BlockStreams({.seed = 743, .sweep = draw}));
        mean.push_back(state.mean(0, 1));
        h.push_back(state.h(1, 0));
    }
    CHECK(testing::kolmogorov_smirnov(mean, [](double x) { return mean_cdf(spec.channels[0], x); }) > level);
    CHECK(testing::kolmogorov_smirnov(h, [](double x) { return h_cdf(spec.channels[1], x); }) > level);
}

TEST_CASE("gaussian emission: bad arguments are named") {
    GaussianState state = example;
    arma::mat log_lik;
    CHECK_THROWS_WITH_AS(draw_emission({{{0.0, -1.0, 1.0, 1.0}}}, 2, BlockStreams({.seed = 1})),
                         "draw_emission: spec.channels.k must be positive and finite, found -1", std::domain_error);
    CHECK_THROWS_WITH_AS(draw_emission({}, 2, BlockStreams({.seed = 1})),
                         "draw_emission: spec.channels must be non-empty, found nothing", std::domain_error);
    CHECK_THROWS_WITH_AS(sample_emission(spec, data, {0, 1}, {}, state, BlockStreams({.seed = 1})),
                         "gaussian_statistics: z must be of size 7, found 2", std::domain_error);
    state.h(0, 1) = -1.0;
    CHECK_THROWS_WITH_AS(log_likelihood(state, {}, data, log_lik),
                         "log_likelihood: h must be positive and finite, found -1", std::domain_error);
    state.h.set_size(1, 3);
    state.h.ones();
    CHECK_THROWS_WITH_AS(log_likelihood(state, {}, data, log_lik),
                         "log_likelihood: the rows of h must be of size 2, found 1", std::domain_error);
    // a precision that underflows is an error, not a zero
    CHECK_THROWS_AS(draw_emission({{{0.0, 1.0, 1e-6, 1.0}}}, 50, BlockStreams({.seed = 1})), std::domain_error);
}
