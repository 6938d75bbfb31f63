#include "posterior/geweke.hpp"

#include <cmath>

#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/dynamics/segments.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/model/similarities.hpp"

namespace hmmlt::testing {

namespace {

arma::mat transition_probabilities(const State& state) {
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    return arma::join_cols(transition.from_to, transition.start.t());
}

// The similarity of the state at a step to the one `ahead` steps later, averaged over steps; 0 of a single step.
double mean_phi(const State& state, arma::uword ahead) {
    if (state.z.n_elem <= ahead) return 0.0;
    const arma::mat log_phi = log_similarities(state);
    double sum = 0.0;
    for (arma::uword t = ahead; t < state.z.n_elem; ++t) sum += std::exp(log_phi(state.z(t - ahead), state.z(t)));
    return sum / static_cast<double>(state.z.n_elem - ahead);
}

void hide(const GewekeDesign& design, Observations& observations) {
    for (const arma::uword cell : design.missing_cells) {
        if (observations.y.is_empty())
            observations.symbol(cell) = no_symbol;
        else
            observations.y(cell) = arma::datum::nan;
    }
}

double mean_observed(const Observations& observations, const std::function<double(double)>& f) {
    double sum = 0.0;
    double count = 0.0;
    if (observations.y.is_empty()) {
        for (const arma::sword symbol : observations.symbol)
            if (symbol != no_symbol) sum += f(static_cast<double>(symbol)), count += 1.0;
    } else {
        for (const double y : observations.y)
            if (!std::isnan(y)) sum += f(y), count += 1.0;
    }
    return sum / count;
}

}  // namespace

std::vector<Functional> functionals_of(const Model& model) {
    using S = const State&;
    using O = const Observations&;
    std::vector<Functional> list{
        {"gamma", [](S s, O) { return s.gamma; }},
        {"log gamma", [](S s, O) { return std::log(s.gamma); }},
        {"c", [](S s, O) { return s.c; }},
        {"log c", [](S s, O) { return std::log(s.c); }},
        {"sum beta^2", [](S s, O) { return arma::accu(arma::exp(2.0 * s.log_beta)); }},
        {"beta_0", [](S s, O) { return std::exp(s.log_beta(0)); }},
        {"A_00", [](S s, O) { return transition_probabilities(s)(0, 0); }},
        {"A_01", [](S s, O) { return transition_probabilities(s)(0, 1); }},
        {"A_start,0", [](S s, O) { return transition_probabilities(s)(s.log_pi.n_cols, 0); }},
        {"pi_11 / (1 + pi_11)", [](S s, O) { return 1.0 / (1.0 + std::exp(-s.log_pi(1, 1))); }},
        {"states used", [](S s, O) { return static_cast<double>(count_used_states(s.z, s.log_pi.n_cols)); }},
        {"z_0 = 0", [](S s, O) { return s.z(0) == 0 ? 1.0 : 0.0; }},
        {"mean y", [](S, O o) { return mean_observed(o, [](double y) { return y / (1.0 + std::abs(y)); }); }},
        {"mean y^2", [](S, O o) { return mean_observed(o, [](double y) { return y * y / (1.0 + y * y); }); }},
        {"log joint", [model](S s, O o) { return log_joint(model, s, o); }},
    };
    if (durations_of(model.dynamics) != nullptr) {
        std::erase_if(list, [](const Functional& functional) { return functional.name == "A_00"; });  // always 0
        list.push_back({"A_10", [](S s, O) { return transition_probabilities(s)(1, 0); }});
        list.push_back({"P(dur = 1)", [](S s, O) { return std::exp(log_duration(s.durations, 0, 1.0)); }});
        list.push_back({"P(dur >= 4)", [](S s, O) { return std::exp(log_duration_survival(s.durations, 0, 4.0)); }});
        list.push_back(
            {"segments", [](S s, O o) { return static_cast<double>(segments_of(s.z, o.sequences).size()); }});
        list.push_back({"duration of state 0", [](S s, O o) {
                            double steps = 0.0;
                            for (const Segment& segment : segments_of(s.z, o.sequences))
                                if (segment.state == 0) steps += segment.duration * segment.duration;
                            return steps;
                        }});
    }
    if (!is_fixed(model.rho)) {
        list.push_back({"rho", [](S s, O) { return s.rho; }});
        list.push_back({"rho^2", [](S s, O) { return s.rho * s.rho; }});
    }
    if (!is_fixed(lambda_prior(model.similarity))) {
        list.push_back({"lambda", [](S s, O) { return s.lambda; }});
        list.push_back({"lambda^2", [](S s, O) { return s.lambda * s.lambda; }});
    }
    if (const auto* buffet = std::get_if<IndianBuffetLocations>(&model.locations)) {
        const auto state = [](S s) -> const IndianBuffetState& { return std::get<IndianBuffetState>(s.locations); };
        list.push_back(
            {"bits of the buffet", [](S s, O) { return static_cast<double>(arma::accu(bits(s.locations))); }});
        list.push_back({"mu_0 of the buffet", [state](S s, O) { return std::exp(state(s).log_mu(0)); }});
        if (!is_fixed(buffet->concentration)) {
            list.push_back({"a_ibp", [state](S s, O) { return state(s).concentration; }});
            list.push_back({"log a_ibp", [state](S s, O) { return std::log(state(s).concentration); }});
        }
    }
    if (std::holds_alternative<FactorialLimitSimilarity>(model.similarity)) {
        const auto on = [](S s, arma::uword v) { return 1.0 / (1.0 + std::exp(-s.bit_logits(v, 0))); };
        list.push_back({"A^(0)[0,1]", [on](S s, O) { return on(s, 0); }});
        list.push_back({"A^(0)[1,1]", [on](S s, O) { return on(s, 1); }});
        list.push_back({"A^(0)[0,1] A^(0)[1,1]", [on](S s, O) { return on(s, 0) * on(s, 1); }});
        list.push_back({"phi_00", [](S s, O) { return std::exp(log_similarities(s)(0, 0)); }});
        list.push_back({"phi_01", [](S s, O) { return std::exp(log_similarities(s)(0, 1)); }});
        list.push_back({"phi of states", [](S s, O) { return mean_phi(s, 0); }});
    }
    if (!std::holds_alternative<ConstantSimilarity>(model.similarity))
        list.push_back({"phi of steps", [](S s, O) { return mean_phi(s, 1); }});
    if (std::holds_alternative<BinaryLocations>(model.locations)) {
        list.push_back({"bits", [](S s, O) { return static_cast<double>(arma::accu(bits(s.locations))); }});
        list.push_back({"mu_0", [](S s, O) { return std::get<BinaryLocationState>(s.locations).mu(0); }});
    }
    if (!std::holds_alternative<NoLocations>(model.locations))
        list.push_back({"distances", [](S s, O) { return arma::accu(distances(s.locations, s.log_pi.n_cols)); }});
    if (std::holds_alternative<EuclideanLocations>(model.locations))
        list.push_back(
            {"l_0^2", [](S s, O) { return std::pow(std::get<EuclideanLocationState>(s.locations).location(0), 2); }});
    if (const auto* linear = std::get_if<LinearGaussianSpec>(&model.emission)) {
        list.push_back({"h_0", [](S s, O) { return std::get<LinearGaussianState>(s.emission).h(0); }});
        list.push_back({"W_10", [](S s, O) { return std::get<LinearGaussianState>(s.emission).weights(1, 0); }});
        if (std::holds_alternative<SharedPrecisionWeights>(linear->weights)) {
            const auto tau = [](S s) { return std::get<LinearGaussianState>(s.emission).weight_precision.value(); };
            list.push_back({"precision of W", [tau](S s, O) { return tau(s); }});
            list.push_back({"log precision of W", [tau](S s, O) { return std::log(tau(s)); }});
            list.push_back({"W_00", [](S s, O) { return std::get<LinearGaussianState>(s.emission).weights(0, 0); }});
            list.push_back({"tau W_10^2", [tau](S s, O) {
                                return tau(s) * std::pow(std::get<LinearGaussianState>(s.emission).weights(1, 0), 2);
                            }});
        }
    }
    if (std::holds_alternative<GaussianSpec>(model.emission)) {
        list.push_back({"h_00", [](S s, O) { return std::get<GaussianState>(s.emission).h(0); }});
        list.push_back({"nu_00", [](S s, O) {
                            const double nu = std::get<GaussianState>(s.emission).mean(0);
                            return nu / (1.0 + std::abs(nu));
                        }});
    }
    if (std::holds_alternative<CategoricalSpec>(model.emission))
        list.push_back(
            {"theta_00", [](S s, O) { return std::exp(std::get<CategoricalState>(s.emission).log_theta(0)); }});
    return list;
}

std::vector<GewekeScore> geweke(const GewekeDesign& design, const GewekeOptions& options) {
    const std::vector<Functional> functionals = functionals_of(design.model);
    State state;
    Observations observations{design.sequences, {}, {}};
    const auto values = [&](std::vector<double>& row) {
        for (std::size_t f = 0; f < functionals.size(); ++f) row[f] = functionals[f].value(state, observations);
    };
    const auto draw_everything = [&](std::uint32_t draw) {
        const PriorAddress address{.seed = options.seed, .chain = 1, .draw = draw};
        state = draw_parameters(design.model, address);
        draw_states(design.sequences, state, address);
        draw_data(state, observations, address);
        hide(design, observations);
    };
    const BatchMeans prior = record_batches(functionals.size(), options.n_sweeps, draw_everything, values);

    draw_everything(0);
    Scratch scratch;
    const auto sweep_and_redraw = [&](std::uint32_t sweep) {
        run_sweep(design.sweep, design.model, observations, state, scratch, {options.seed, 2, sweep});
        draw_data(state, observations, {.seed = options.seed, .chain = 3, .draw = sweep});
        hide(design, observations);
    };
    const BatchMeans chain = record_batches(functionals.size(), options.n_sweeps, sweep_and_redraw, values);

    std::vector<std::string> names;
    for (const Functional& functional : functionals) names.push_back(functional.name);
    return compare_batches(names, prior, chain);
}

}  // namespace hmmlt::testing
