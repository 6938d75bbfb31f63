// A name and how to get its number stand on one line, so that the two lists cannot drift apart.
#include "hmmlt/sampler/trace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "hmmlt/model/log_joint.hpp"

namespace hmmlt {

namespace {

template <typename StateType>
struct Entry {
    std::string name;
    std::function<double(const Observations&, const StateType&, const SweepInfo&)> value;
};

template <typename StateType>
using Entries = std::vector<Entry<StateType>>;

// Features that are on at some step.
arma::uword count_used_features(const State& state) {
    const arma::umat& theta = bits(state.locations);
    const arma::uvec states = arma::unique(state.z);
    return arma::accu(arma::any(theta.cols(states), 1));
}

// How often bits change, averaged over them and over on and off: the same in whatever order they come, and either way
// round.
double mean_bit_changes(const arma::mat& bit_logits) {
    const arma::mat on = 1.0 / (1.0 + arma::exp(-bit_logits));
    return arma::mean(0.5 * (on.row(0) + 1.0 - on.row(1)));
}

Entries<State> entries(const Model& model) {
    using O = const Observations&;
    using S = const State&;
    using I = const SweepInfo&;
    Entries<State> list{
        {"log_joint", [&model](O o, S s, I) { return log_joint(model, s, o); }},
        {"log_likelihood", [](O, S, I i) { return i.log_likelihood; }},
        {"states_used", [](O, S, I i) { return static_cast<double>(i.n_used); }},
    };
    if (!is_fixed(model.gamma)) list.push_back({"gamma", [](O, S s, I) { return s.gamma; }});
    if (!is_fixed(model.c) || !is_fixed(model.rho))
        list.push_back({"alpha", [](O, S s, I) { return s.c * (1.0 - s.rho); }});
    if (!is_fixed(model.rho)) {
        list.push_back({"kappa", [](O, S s, I) { return s.c * s.rho; }});
        list.push_back({"rho", [](O, S s, I) { return s.rho; }});
    }
    if (!is_fixed(lambda_prior(model.similarity))) list.push_back({"lambda", [](O, S s, I) { return s.lambda; }});
    if (std::holds_alternative<FactorialLimitSimilarity>(model.similarity) && !names_bits(model.emission))
        list.push_back({"bit_changes", [](O, S s, I) { return mean_bit_changes(s.bit_logits); }});
    if (std::holds_alternative<FactorialLimitSimilarity>(model.similarity) && names_bits(model.emission))
        for (arma::uword d = 0; d < n_bits_of(model.locations); ++d)
            for (const auto& [name, from] : {std::pair{"turns_on", 0u}, std::pair{"stays_on", 1u}})
                list.push_back({fmt::format("{}_{}", name, d), [d, from = from](O, S s, I) {
                                    return 1.0 / (1.0 + std::exp(-s.bit_logits(from, d)));
                                }});
    if (const auto* buffet = std::get_if<IndianBuffetLocations>(&model.locations)) {
        if (!is_fixed(buffet->concentration))
            list.push_back({"a_ibp", [](O, S s, I) { return std::get<IndianBuffetState>(s.locations).concentration; }});
        list.push_back({"features_used", [](O, S s, I) { return static_cast<double>(count_used_features(s)); }});
    }
    if (std::holds_alternative<EuclideanLocations>(model.locations)) {
        list.push_back({"hmc_acceptance", [](O, S, I i) { return i.hmc_acceptance; }});
        list.push_back({"hmc_step_size", [](O, S s, I) {
                            return std::exp(std::get<EuclideanLocationState>(s.locations).step_size.log_step_size);
                        }});
    }
    if (const auto* linear = std::get_if<LinearGaussianSpec>(&model.emission)) {
        for (arma::uword i = 0; i < linear->n_channels(); ++i)
            list.push_back(
                {fmt::format("h_{}", i), [i](O, S s, I) { return std::get<LinearGaussianState>(s.emission).h(i); }});
        if (std::holds_alternative<SharedPrecisionWeights>(linear->weights))
            list.push_back({"weight_precision", [](O, S s, I) {
                                return std::get<LinearGaussianState>(s.emission).weight_precision.value();
                            }});
    }
    return list;
}

Entries<FactorialState> entries(const FactorialModel& model) {
    using O = const Observations&;
    using S = const FactorialState&;
    using I = const SweepInfo&;
    Entries<FactorialState> list{
        {"log_joint", [&model](O o, S s, I) { return log_joint(model, s, o); }},
        {"log_likelihood", [](O, S, I i) { return i.log_likelihood; }},
        {"states_used", [](O, S, I i) { return static_cast<double>(i.n_used); }},
    };
    for (arma::uword d = 0; d < model.emission.n_dims(); ++d) {
        if (!is_fixed(model.gamma))
            list.push_back({fmt::format("gamma_{}", d), [d](O, S s, I) { return s.chains[d].gamma; }});
        if (!is_fixed(model.c)) list.push_back({fmt::format("alpha_{}", d), [d](O, S s, I) { return s.chains[d].c; }});
    }
    for (arma::uword i = 0; i < model.emission.n_channels(); ++i)
        list.push_back({fmt::format("h_{}", i), [i](O, S s, I) { return s.emission.h(i); }});
    if (std::holds_alternative<SharedPrecisionWeights>(model.emission.weights))
        list.push_back({"weight_precision", [](O, S s, I) { return s.emission.weight_precision.value(); }});
    return list;
}

template <typename ModelType>
std::vector<std::string> names(const ModelType& model) {
    std::vector<std::string> result;
    for (const auto& entry : entries(model)) result.push_back(entry.name);
    return result;
}

template <typename ModelType, typename StateType>
std::vector<double> values(const ModelType& model, const Observations& observations, const StateType& state,
                           const SweepInfo& info) {
    std::vector<double> result;
    for (const auto& entry : entries(model)) result.push_back(entry.value(observations, state, info));
    return result;
}

}  // namespace

std::vector<std::string> trace_names(const Model& model) {
    return names(model);
}

std::vector<std::string> trace_names(const FactorialModel& model) {
    return names(model);
}

std::vector<double> trace_values(const Model& model, const Observations& observations, const State& state,
                                 const SweepInfo& info) {
    return values(model, observations, state, info);
}

std::vector<double> trace_values(const FactorialModel& model, const Observations& observations,
                                 const FactorialState& state, const SweepInfo& info) {
    return values(model, observations, state, info);
}

arma::umat bits_over_time(const State& state) {
    const arma::umat& theta = bits(state.locations);
    return theta.is_empty() ? arma::umat() : arma::umat(theta.cols(state.z));
}

arma::umat bits_over_time(const FactorialState& state) {
    return state.theta;
}

}  // namespace hmmlt
