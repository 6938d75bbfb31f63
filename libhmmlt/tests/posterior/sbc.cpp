#include "posterior/sbc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

namespace {

// Chains of one seed: the truth and its data, the start, the sweeps, ties, the simulated band.
enum Chain : std::uint32_t { truth = 1, start = 2, sweeps = 3, ties = 4, uniform_ranks = 5 };

SbcModel binary_model(std::string name, Sweep sweep) {
    Model model;
    model.n_states = 5;
    model.gamma = GammaPrior{4.0, 1.0};
    model.c = GammaPrior{6.0, 1.0};
    model.rho = BetaPrior{2.0, 3.0};
    model.similarity = LaplacianSimilarity{ExponentialPrior{1.0}};
    model.locations = BinaryLocations{3, {2.0, 2.0}};
    LinearGaussianSpec linear;
    linear.h.assign(2, {3.0, 1.0});
    linear.weights = KnownWeights{arma::mat{{0.3, -0.2}, {1.2, 0.4}, {-0.6, 1.0}, {0.5, -1.4}}};
    model.emission = linear;
    return {std::move(name), model, Sequences::of_lengths({20, 10}), std::move(sweep), 300, 30};
}

SbcModel euclidean_model(std::string name, Sweep sweep) {
    Model model;
    model.n_states = 5;
    model.gamma = GammaPrior{4.0, 1.0};
    model.c = GammaPrior{6.0, 1.0};
    model.rho = BetaPrior{2.0, 3.0};
    model.similarity = GaussianSimilarity{ExponentialPrior{1.0}};
    model.locations = EuclideanLocations{.n_dims = 2, .n_leapfrog = 8, .initial_step_size = 0.2};
    model.emission = CategoricalSpec::symmetric(4, 0.5);
    return {std::move(name), model, Sequences::of_lengths({20, 10}), std::move(sweep), 300, 30};
}

// A path moves less in one sweep.
SbcModel in_beam(SbcModel model) {
    model.model.dynamics = BeamDynamics{};
    model.burn_in *= 2;
    model.thin *= 2;
    return model;
}

SbcModel with_durations(SbcModel model, const DurationSpec& durations) {
    model.model.rho = 0.0;
    model.model.dynamics = SemiMarkovDynamics{durations};
    model.sweep = with_dynamics(model.model.dynamics, model.sweep);
    return model;
}

SbcModel buffet_model(std::string name, Sweep sweep) {
    SbcModel model = binary_model(std::move(name), std::move(sweep));
    model.model.locations = IndianBuffetLocations{3, GammaPrior{3.0, 1.0}};
    return model;
}

SbcModel limit_model(std::string name, Sweep sweep) {
    SbcModel model = binary_model(std::move(name), std::move(sweep));
    model.model.similarity = FactorialLimitSimilarity{{2.0, 2.0}};
    return model;
}

// More states, which no move of a location exchanges: draws are less independent.
SbcModel at_corners(SbcModel model) {
    model.model.locations = CornerLocations{3};
    model.model.n_states = 8;
    model.burn_in *= 2;
    model.thin *= 2;
    return model;
}

// All that is asked of it is the same under any order of the features.
SbcModel with_shared_precision(SbcModel model) {
    std::get<LinearGaussianSpec>(model.model.emission).weights = SharedPrecisionWeights{3, 0.5, {4.0, 3.0}};
    return model;
}

std::vector<double> values(const std::vector<Functional>& functionals, const State& state, const Observations& data) {
    std::vector<double> result;
    for (const Functional& functional : functionals) result.push_back(functional.value(state, data));
    return result;
}

double lag_one(const std::vector<double>& x) {
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    double variance = 0.0;
    double covariance = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) variance += (x[i] - mean) * (x[i] - mean);
    for (std::size_t i = 1; i < x.size(); ++i) covariance += (x[i] - mean) * (x[i - 1] - mean);
    return variance == 0.0 ? 0.0 : covariance / variance;
}

using S = const State&;
using O = const Observations&;

void add_functionals_of_bits(const Model& model, std::vector<Functional>& list) {
    if (std::holds_alternative<FactorialLimitSimilarity>(model.similarity))
        for (arma::uword dim = 0; dim < n_bits_of(model.locations); ++dim)  // weights are known: bits have names
            for (const arma::uword v : {0u, 1u})
                list.push_back({fmt::format("A{}[{},1]", dim, v), [v, dim](S s, O) { return s.bit_logits(v, dim); }});
    if (std::holds_alternative<BinaryLocations>(model.locations))
        list.push_back({"mu", [](S s, O) {  // as a product, whatever the order of the features
                            return arma::accu(arma::log(std::get<BinaryLocationState>(s.locations).mu));
                        }});
    if (!std::holds_alternative<IndianBuffetLocations>(model.locations)) return;
    list.push_back({"mu", [](S s, O) { return arma::accu(std::get<IndianBuffetState>(s.locations).log_mu); }});
    list.push_back({"a_ibp", [](S s, O) { return std::get<IndianBuffetState>(s.locations).concentration; }});
}

void add_functionals_of_emission(const Model& model, std::vector<Functional>& list) {
    if (std::holds_alternative<CategoricalSpec>(model.emission))
        list.push_back({"P(symbol 0)", [](S s, O) {  // averaged over the steps
                            const arma::rowvec p = arma::exp(std::get<CategoricalState>(s.emission).log_theta.row(0));
                            return arma::mean(p(s.z));
                        }});
    const auto* linear = std::get_if<LinearGaussianSpec>(&model.emission);
    if (linear == nullptr) return;
    list.push_back({"h[0]", [](S s, O) { return std::get<LinearGaussianState>(s.emission).h[0]; }});
    if (!std::holds_alternative<SharedPrecisionWeights>(linear->weights)) return;
    list.push_back({"bias", [](S s, O) { return std::get<LinearGaussianState>(s.emission).weights(0, 0); }});
    list.push_back({"sum W^2", [](S s, O) {  // but for the bias
                        const arma::mat& weights = std::get<LinearGaussianState>(s.emission).weights;
                        return arma::accu(arma::square(weights.tail_rows(weights.n_rows - 1)));
                    }});
    list.push_back(
        {"precision of W", [](S s, O) { return std::get<LinearGaussianState>(s.emission).weight_precision.value(); }});
}

}  // namespace

const std::vector<SbcModel>& sbc_models() {
    static const std::vector<SbcModel> models{
        binary_model("LT-binary single", single_sweep(Precision::float64)),
        binary_model("LT-binary blocked", blocked_sweep()),
        euclidean_model("LT-Euclidean single", single_sweep()),
        euclidean_model("LT-Euclidean blocked", blocked_sweep()),
        in_beam(binary_model("LT-binary single beam", single_sweep())),
        with_durations(binary_model("LT-binary Poisson", blocked_sweep()), PoissonDurations{{4.0, 1.0}}),
        with_durations(euclidean_model("LT-Euclidean negative binomial", blocked_sweep()),
                       NegativeBinomialDurations{{4.0, 6.0}, {0.5, 1.0, 3.0}}),
        buffet_model("Indian buffet blocked", blocked_sweep()),
        limit_model("factorial limit blocked", blocked_sweep()),
        with_shared_precision(binary_model("precision of W blocked", blocked_sweep())),
        with_shared_precision(buffet_model("Indian buffet, precision of W", blocked_sweep())),
        with_durations(limit_model("factorial limit Poisson", blocked_sweep()), PoissonDurations{{4.0, 1.0}}),
        with_durations(buffet_model("Indian buffet negative binomial", blocked_sweep()),
                       NegativeBinomialDurations{{4.0, 6.0}, {0.5, 1.0, 3.0}}),
        in_beam(at_corners(limit_model("factorial limit at corners, beam", single_sweep()))),
    };
    return models;
}

std::vector<Functional> sbc_functionals(const Model& model) {
    std::vector<Functional> list{
        {"gamma", [](S s, O) { return s.gamma; }},
        {"c", [](S s, O) { return s.c; }},
        {"rho", [](S s, O) { return s.rho; }},
        {"sum beta^2", [](S s, O) { return arma::accu(arma::exp(2.0 * s.log_beta)); }},
        {"states used", [](S s, O) { return static_cast<double>(count_used_states(s.z, s.log_pi.n_cols)); }},
        {"self-transitions",  // of A, averaged over the steps
         [](S s, O) {
             TransitionMatrix transition;
             normalise_rates(s.log_pi, log_similarities(s), transition);
             const arma::vec diagonal = transition.from_to.diag();
             return arma::mean(diagonal(s.z));
         }},
        {"distances", [](S s, O) { return arma::accu(distances(s.locations, s.log_pi.n_cols)); }},
        {"log joint", [model](S s, O o) { return log_joint(model, s, o); }},
    };
    if (!is_fixed(lambda_prior(model.similarity)))
        list.insert(list.begin() + 3, {"lambda", [](S s, O) { return s.lambda; }});
    if (std::holds_alternative<CornerLocations>(model.locations))  // whose distances are what they are
        std::erase_if(list, [](const Functional& any) { return any.name == "distances"; });
    add_functionals_of_bits(model, list);
    add_functionals_of_emission(model, list);
    if (durations_of(model.dynamics) == nullptr) return list;
    std::erase_if(list, [](const Functional& any) { return any.name == "rho" || any.name == "self-transitions"; });
    if (std::holds_alternative<NegativeBinomialDurations>(*durations_of(model.dynamics)))
        list.push_back({"r", [](S s, O) {  // averaged over the steps
                            return arma::mean(std::get<NegativeBinomialDurationState>(s.durations).r(s.z));
                        }});
    list.push_back({"segments", [](S s, O o) { return static_cast<double>(segments_of(s.z, o.sequences).size()); }});
    list.push_back({"P(dur >= 4)", [](S s, O) {  // averaged over the steps
                        double sum = 0.0;
                        for (const arma::uword j : s.z) sum += std::exp(log_duration_survival(s.durations, j, 4.0));
                        return sum;
                    }});
    return list;
}

SbcSimulation simulate(const SbcModel& model, std::uint64_t seed, std::uint32_t simulation) {
    const std::vector<Functional> functionals = sbc_functionals(model.model);
    const PriorAddress address{.seed = seed, .chain = truth, .draw = simulation};
    State state = draw_parameters(model.model, address);
    draw_states(model.sequences, state, address);
    Observations data{model.sequences, {}, {}};
    draw_data(state, data, address);
    const std::vector<double> true_values = values(functionals, state, data);

    // a start that knows nothing of the truth
    state = draw_parameters(model.model, {.seed = seed, .chain = start, .draw = simulation});
    state.z.zeros(model.sequences.n_steps());
    Scratch scratch;
    std::uint32_t sweep = 0;
    // every simulation is a chain of its own
    const auto advance = [&] {
        return run_sweep(model.sweep, model.model, data, state, scratch, {seed, 1000 + simulation, ++sweep});
    };
    for (std::uint32_t i = 0; i < model.burn_in; ++i) {
        const SweepInfo info = advance();
        if (auto* euclidean = std::get_if<EuclideanLocationState>(&state.locations))
            adapt_step_size(std::get<EuclideanLocations>(model.model.locations).target_acceptance, info.hmc_acceptance,
                            euclidean->step_size);
    }
    std::vector<std::vector<double>> draws(functionals.size());
    for (std::uint32_t draw = 0; draw < n_sbc_draws; ++draw) {
        for (std::uint32_t i = 0; i < model.thin; ++i) advance();
        const std::vector<double> now = values(functionals, state, data);
        for (std::size_t f = 0; f < now.size(); ++f) draws[f].push_back(now[f]);
    }

    Stream rng({.seed = seed, .chain = ties, .sweep = simulation});
    SbcSimulation result;
    for (std::size_t f = 0; f < functionals.size(); ++f) {
        const auto below =
            std::count_if(draws[f].begin(), draws[f].end(), [&](double x) { return x < true_values[f]; });
        const auto equal = std::count(draws[f].begin(), draws[f].end(), true_values[f]);
        result.ranks.push_back(static_cast<std::uint32_t>(
            below + static_cast<std::ptrdiff_t>(draw_uniform(rng) * static_cast<double>(equal + 1))));
        result.autocorrelation.push_back(lag_one(draws[f]));
    }
    return result;
}

EcdfBand::EcdfBand(std::uint32_t n_simulations, std::uint32_t n_draws)
    : n_simulations_(n_simulations), n_draws_(n_draws) {
    check_not_empty("EcdfBand", "n_simulations", n_simulations);
    for (std::uint32_t rank = 0; rank < n_draws; ++rank) {
        const boost::math::binomial law(n_simulations, (rank + 1.0) / (n_draws + 1.0));
        for (std::uint32_t count = 0; count <= n_simulations; ++count) {
            const double at_most = boost::math::cdf(law, count);
            const double at_least = count == 0 ? 1.0 : boost::math::cdf(boost::math::complement(law, count - 1));
            p_.push_back(std::min(1.0, 2.0 * std::min(at_most, at_least)));
        }
    }
}

double EcdfBand::smallest_p(const std::vector<std::uint32_t>& counts) const {
    double smallest = 1.0;
    std::size_t below = 0;
    for (std::uint32_t rank = 0; rank < n_draws_; ++rank) {
        below += counts[rank];
        smallest = std::min(smallest, p_[rank * (std::size_t{n_simulations_} + 1) + below]);
    }
    return smallest;
}

double EcdfBand::smallest_pointwise_p(const std::vector<std::uint32_t>& ranks) const {
    check_size("EcdfBand", "ranks", ranks.size(), n_simulations_);
    std::vector<std::uint32_t> counts(n_draws_ + 1, 0);
    for (const std::uint32_t rank : ranks) ++counts.at(rank);
    return smallest_p(counts);
}

double EcdfBand::bound(double false_alarms, std::uint32_t n_trials, std::uint64_t seed) const {
    const std::uint32_t n_ranks = n_draws_ + 1;
    if ((n_ranks & n_draws_) != 0) throw std::domain_error("EcdfBand: n_draws + 1 must be a power of two");
    const auto n_below = static_cast<std::size_t>(false_alarms * n_trials);
    if (n_below < 20) throw std::domain_error("EcdfBand: too few trials for this level");
    // one random number holds several ranks
    const auto bits = static_cast<std::uint32_t>(std::lround(std::log2(n_ranks)));
    std::vector<double> smallest;
    std::vector<std::uint32_t> counts(n_ranks);
    for (std::uint32_t trial = 0; trial < n_trials; ++trial) {
        Stream rng({.seed = seed, .chain = uniform_ranks, .sweep = trial});
        std::fill(counts.begin(), counts.end(), 0);
        std::uint64_t word = 0;
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < n_simulations_; ++i, --left, word >>= bits) {
            if (left == 0) {
                word = rng();
                left = 64 / bits;
            }
            ++counts[word & n_draws_];
        }
        smallest.push_back(smallest_p(counts));
    }
    std::nth_element(smallest.begin(), smallest.begin() + static_cast<std::ptrdiff_t>(n_below), smallest.end());
    return smallest[n_below];
}

double chi_square_of_ranks(const std::vector<std::uint32_t>& ranks, std::uint32_t n_draws) {
    std::vector<double> observed(n_draws + 1, 0.0);
    for (const std::uint32_t rank : ranks) observed.at(rank) += 1.0;
    const double expected = static_cast<double>(ranks.size()) / (n_draws + 1.0);
    return chi_square(observed, std::vector<double>(n_draws + 1, expected));
}

}  // namespace hmmlt::testing
