// Laws of durations: against sums of their own terms, worked numbers and draws; and the conditionals of segments.
#include "hmmlt/dynamics/durations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/math/log_space.hpp"
#include "statistics.hpp"

using namespace hmmlt;

namespace {

DurationState poisson(std::initializer_list<double> omega) {
    return PoissonDurationState{arma::vec(omega)};
}

DurationState binomial(double r, double p) {
    return NegativeBinomialDurationState{{r}, {std::log(p)}, {std::log1p(-p)}};
}

const std::vector<DurationState> laws{poisson({0.3}),     poisson({4.0}),     poisson({60.0}),
                                      binomial(1.0, 0.3), binomial(4.0, 0.2), binomial(0.5, 0.7)};

double pmf(const DurationState& law, double d) {
    return d < 1.0 ? 0.0 : std::exp(log_duration(law, 0, d));
}

}  // namespace

TEST_CASE("durations: worked numbers") {
    CHECK(log_duration(poisson({2.0}), 0, 1.0) == doctest::Approx(-2.0).epsilon(1e-14));
    CHECK(std::exp(log_duration(poisson({2.0}), 0, 4.0)) == doctest::Approx(8.0 / 6.0 * std::exp(-2.0)).epsilon(1e-13));
    CHECK(std::exp(log_duration(binomial(1.0, 0.25), 0, 3.0)) == doctest::Approx(0.25 * 0.75 * 0.75).epsilon(1e-13));
    CHECK(std::exp(log_duration(binomial(3.0, 0.5), 0, 3.0)) == doctest::Approx(6.0 / 32.0).epsilon(1e-13));
    CHECK(log_duration(poisson({0.0}), 0, 1.0) == 0.0);
    CHECK(log_duration(poisson({0.0}), 0, 2.0) == minus_infinity);
}

TEST_CASE("durations: survival is the sum of what is left, in the far tail too") {
    for (const DurationState& law : laws) {
        double left = 1.0;
        for (double d = 1.0; d < 100.0; d += 1.0) {
            CHECK(std::exp(log_duration_survival(law, 0, d)) == doctest::Approx(left).epsilon(1e-12));
            left -= pmf(law, d);
            if (left < 1e-3) break;
        }
        // log P(dur >= d) - log P(dur >= d + 1) = log1p(P(dur = d) / P(dur >= d + 1)), wherever it is computed
        for (const double d : {2.0, 50.0, 200.0, 500.0, 3000.0}) {
            const double now = log_duration_survival(law, 0, d);
            const double next = log_duration_survival(law, 0, d + 1.0);
            CHECK(now == doctest::Approx(log_add_exp(log_duration(law, 0, d), next)).epsilon(1e-12));
        }
    }
}

TEST_CASE("durations: the table holds both laws, where they underflow too, and a bound of what follows") {
    for (const DurationState& law : laws)
        for (const arma::uword longest : {1u, 7u, 5000u}) {
            DurationTable table;
            fill_duration_table(law, longest, 1e-40, table);
            const arma::uword shorter = table.n_durations(0);
            if (shorter < longest)
                CHECK(log_duration_survival(law, 0, static_cast<double>(shorter) + 1.0) <= std::log(1e-40));
            for (int i = 0; i < 4; ++i) lengthen_duration_table(law, longest, table);  // far below the smallest double
            const arma::uword n = table.n_durations(0);
            CHECK(n == std::min(longest, 16 * shorter));
            for (arma::uword i = 0; i < n; ++i) {
                const auto d = static_cast<double>(i + 1);
                CHECK(table.log_law(i, 0) == doctest::Approx(log_duration(law, 0, d)).epsilon(1e-11));
                const double survival = log_duration_survival(law, 0, d);
                CHECK(std::abs(table.log_survival(i, 0) - survival) <= 1e-11 * std::max(1.0, std::abs(survival)));
            }
            const auto last = static_cast<double>(n);
            CHECK(table.log_next(0) == doctest::Approx(log_duration(law, 0, last + 1.0)).epsilon(1e-11));
            CHECK(table.log_survival_next(0) == log_duration_survival(law, 0, last + 1.0));
            for (const double d : {1.0, 2.0, 30.0, 3000.0})
                CHECK(log_duration(law, 0, last + d + 1.0) - log_duration(law, 0, last + d) <=
                      table.log_decay(0) + 1e-8);
        }
}

TEST_CASE("durations: draws, whole and given what is seen, have their laws") {
    constexpr std::size_t n_draws = 20000;
    std::uint64_t seed = 800;
    for (const DurationState& law : laws) {
        Stream rng({.seed = ++seed});
        CHECK(testing::chi_square_of_counts(
                  testing::sample(n_draws, [&] { return draw_duration(law, 0, rng); }),
                  [&](double d) { return pmf(law, d); }, 150) > testing::level);
        // the last ones lie where the survival function underflows
        for (const double seen : {1.0, 3.0, 20.0, 400.0, 4000.0}) {
            const double log_survival = log_duration_survival(law, 0, seen);
            const auto excess =
                testing::sample(n_draws, [&] { return draw_duration_of_at_least(law, 0, seen, rng) - seen; });
            CHECK(*std::min_element(excess.begin(), excess.end()) >= 0.0);
            const auto law_of_excess = [&](double d) {
                return std::exp(log_duration(law, 0, seen + d) - log_survival);
            };
            if (law_of_excess(0.0) > 0.99) {  // nearly certain to end at once
                const auto longer = std::count_if(excess.begin(), excess.end(), [](double d) { return d > 0.0; });
                CHECK(static_cast<double>(longer) < 2.0 * n_draws * (1.0 - law_of_excess(0.0)) + 100.0);
            } else {
                CHECK(testing::chi_square_of_counts(excess, law_of_excess, 150) > testing::level);
            }
        }
    }
}

TEST_CASE("durations: laws that reach beyond the whole numbers of a double are drawn from, and drawing ends") {
    const double log_p = -40.0;
    const DurationState law = NegativeBinomialDurationState{{1.0}, {log_p}, arma::vec{std::log1p(-std::exp(log_p))}};
    Stream rng({.seed = 830});
    for (int draw = 0; draw < 200; ++draw) {
        const double duration = draw_duration_of_at_least(law, 0, 5.0, rng);
        CHECK(duration >= 5.0);
        CHECK(std::isfinite(duration));
    }
}

TEST_CASE("segments: runs of equal states, the last of each sequence cut off") {
    const arma::uvec z{2, 2, 0, 2, 2, 2, 1, 1};
    const std::vector<Segment> found = segments_of(z, Sequences::of_lengths({5, 0, 1, 2}));
    const std::vector<Segment> expected{
        {2, 2.0, false}, {0, 1.0, false}, {2, 2.0, true}, {2, 1.0, true}, {1, 2.0, true}};
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].state == expected[i].state);
        CHECK(found[i].duration == expected[i].duration);
        CHECK(found[i].cut_off == expected[i].cut_off);
    }
    const DurationState law = poisson({1.0, 2.0, 3.0});
    CHECK(log_density_of_segments(found, law) ==
          doctest::Approx(log_duration(law, 2, 2.0) + log_duration(law, 0, 1.0) + log_duration_survival(law, 2, 2.0) +
                          log_duration_survival(law, 1, 2.0))
              .epsilon(1e-13));
    const std::vector<DurationSums> sums = sum_durations(found, 3);
    CHECK(sums[2].n_segments == 3.0);
    CHECK(sums[2].excess == 2.0);
    CHECK((omega_law({2.0, 0.5}, sums[2]) == GammaPrior{4.0, 3.5}));
    CHECK((p_law({1.0, 2.0}, 4.0, sums[2]) == BetaPrior{13.0, 4.0}));
}

TEST_CASE("segments: the weight of r is the likelihood with p integrated out") {
    const NegativeBinomialDurations spec{{1.5, 2.5}, {0.5, 1.0, 3.0, 8.0}};
    const std::vector<Segment> segments{{0, 3.0, false}, {0, 1.0, false}, {0, 9.0, false}};
    const std::vector<double> found = r_log_weights(spec, sum_durations(segments, 1)[0]);
    std::vector<double> expected;
    for (const double r : spec.r) {  // the midpoint rule; the integrand vanishes smoothly at both ends
        constexpr int n_points = 200000;
        double sum = 0.0;
        for (int i = 0; i < n_points; ++i) {
            const double p = (i + 0.5) / n_points;
            double product = std::pow(p, 0.5) * std::pow(1.0 - p, 1.5);
            for (const Segment& segment : segments) product *= pmf(binomial(r, p), segment.duration);
            sum += product / n_points;
        }
        expected.push_back(std::log(sum));
    }
    for (std::size_t i = 1; i < expected.size(); ++i)
        CHECK(found[i] - found[0] == doctest::Approx(expected[i] - expected[0]).epsilon(1e-6));
}

TEST_CASE("segments: the weight of r keeps its digits for segments of 1e15 steps") {
    // p ~ Beta(1, 1) and one segment, X = dur - 1: P(r) is proportional to r / ((X + r) (X + r + 1))
    const NegativeBinomialDurations spec{{1.0, 1.0}, {0.5, 1.0, 2.0, 3.0, 16.0}};
    for (const double excess : {0.0, 1.0, 48.0, 49.0, 50.0, 1e4, 1e10, 1e15}) {
        CAPTURE(excess);
        const std::vector<Segment> one{{0, excess + 1.0, false}};
        const std::vector<double> found = r_log_weights(spec, sum_durations(one, 1)[0]);
        const auto exact = [&](double r) { return std::log(r) - std::log(excess + r) - std::log(excess + r + 1.0); };
        for (std::size_t i = 0; i < found.size(); ++i)
            CHECK(std::abs(found[i] - found[1] - (exact(spec.r[i]) - exact(1.0))) < 1e-11);
    }
    // many segments of one step: B(1 + r S, 1) = 1 / (1 + r S)
    const std::vector<double> many = r_log_weights(spec, {1e9, 0.0, {}});
    CHECK(std::abs(many[2] - many[1] - std::log((1.0 + 1e9) / (1.0 + 2e9))) < 1e-11);
}
