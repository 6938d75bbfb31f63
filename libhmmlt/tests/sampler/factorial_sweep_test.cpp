// The whole sweep of the factorial model under the joint-distribution test of Geweke: prior draws against a chain that
// alternates the sweep with fresh data. Each score is tested at the level of tests/statistics.hpp.
#include "hmmlt/sampler/factorial_sweep.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "statistics.hpp"

using namespace hmmlt;

namespace {

FactorialModel tiny_model(bool learned) {
    FactorialModel model;
    model.gamma = GammaPrior{2.0, 1.0};
    model.c = GammaPrior{2.0, 1.0};
    model.emission.h.assign(2, {3.0, 2.0});
    if (learned)
        model.emission.weights = LearnedWeights::isotropic(2, 1.0);
    else
        model.emission.weights = KnownWeights{arma::mat{{0.3, -0.2}, {1.1, 0.4}, {-0.6, 0.9}}};
    return model;
}

std::vector<double> values(const FactorialModel& model, const FactorialState& s, const Observations& o) {
    const auto probability = [&](std::size_t chain, arma::uword from) {
        return 1.0 / (1.0 + std::exp(s.chains[chain].log_pi(from, 0) - s.chains[chain].log_pi(from, 1)));
    };
    return {s.chains[0].gamma,
            std::log(s.chains[1].gamma),
            s.chains[0].c,
            std::log(s.chains[1].c),
            std::exp(s.chains[0].log_beta(0)),
            probability(0, 0),
            probability(1, 1),
            probability(0, 2),
            static_cast<double>(arma::accu(s.theta)),
            static_cast<double>(s.theta(0, 0) == s.theta(1, 0)),
            s.emission.h(0),
            s.emission.weights(1, 0),
            o.y(1, 1) / (1.0 + std::abs(o.y(1, 1))),
            log_joint(model, s, o)};
}

struct Batches {
    std::vector<std::vector<double>> means;
    void add(std::size_t batch, double weight, const std::vector<double>& row) {
        if (means.empty()) means.assign(row.size(), std::vector<double>(100, 0.0));
        for (std::size_t f = 0; f < row.size(); ++f) means[f][batch] += weight * row[f];
    }
};

std::pair<double, double> mean_and_variance(const std::vector<double>& batches) {
    const auto n = static_cast<double>(batches.size());
    double mean = 0.0;
    double variance = 0.0;
    for (const double x : batches) mean += x / n;
    for (const double x : batches) variance += (x - mean) * (x - mean) / (n * (n - 1.0));
    return {mean, variance};
}

}  // namespace

TEST_CASE("factorial sweep: agrees with the generative process, known and learned weights, ragged and missing") {
    constexpr std::uint32_t n_draws = 40000;
    for (const bool learned : {false, true}) {
        const FactorialModel model = tiny_model(learned);
        const Sequences sequences = Sequences::of_lengths({3, 1, 2});
        Observations observations{sequences, {}, {}};
        FactorialState state;
        const auto redraw_data = [&](const PriorAddress& address) {
            draw_data(state, observations, address);
            observations.y(0, 0) = observations.y(0, 2) = observations.y(1, 2) = arma::datum::nan;
        };
        const auto draw_everything = [&](std::uint32_t draw) {
            const PriorAddress address{.seed = 1, .chain = 1, .draw = draw};
            state = draw_parameters(model, address);
            draw_states(sequences, state, address);
            redraw_data(address);
        };
        Batches prior;
        Batches chain;
        for (std::uint32_t draw = 0; draw < n_draws; ++draw) {
            draw_everything(draw);
            prior.add(draw / (n_draws / 100), 100.0 / n_draws, values(model, state, observations));
        }
        for (std::uint32_t sweep = 0; sweep < n_draws; ++sweep) {
            run_factorial_sweep(model, observations, state, {1, 2, sweep});
            redraw_data({.seed = 1, .chain = 3, .draw = sweep});
            chain.add(sweep / (n_draws / 100), 100.0 / n_draws, values(model, state, observations));
        }
        for (std::size_t f = 0; f < prior.means.size(); ++f) {
            CAPTURE(learned);
            CAPTURE(f);
            const auto [a, va] = mean_and_variance(prior.means[f]);
            const auto [b, vb] = mean_and_variance(chain.means[f]);
            if (va + vb == 0.0) {  // W known
                CHECK(a == doctest::Approx(b));
                continue;
            }
            const double z = (a - b) / std::sqrt(va + vb);
            CAPTURE(z);
            const boost::math::students_t law(99.0);
            CHECK(2.0 * boost::math::cdf(boost::math::complement(law, std::abs(z))) > testing::level);
        }
    }
}

TEST_CASE("factorial sweep: the same address gives the same state") {
    const FactorialModel model = tiny_model(true);
    Observations observations{Sequences::of_lengths({20}), {}, {}};
    FactorialState a = draw_parameters(model, {.seed = 3});
    draw_states(observations.sequences, a, {.seed = 3});
    draw_data(a, observations, {.seed = 3});
    FactorialState b = a;
    for (std::uint32_t sweep = 1; sweep <= 10; ++sweep) {
        run_factorial_sweep(model, observations, a, {4, 0, sweep});
        run_factorial_sweep(model, observations, b, {4, 0, sweep});
    }
    CHECK(a == b);
}
