// Arrays out of states.
#include "hmmlt/io/draws.hpp"

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/model/similarities.hpp"
#include "hmmlt/sampler/heldout.hpp"

namespace hmmlt {

namespace {

std::int32_t int32(arma::uword value) {
    return static_cast<std::int32_t>(value);
}

DrawArray whole(std::string variable, const arma::mat& values) {
    DrawArray array{std::move(variable), {}};
    for (arma::uword j = 0; j < values.n_cols; ++j)
        for (arma::uword i = 0; i < values.n_rows; ++i) array.cells.push_back({int32(i), int32(j), values(i, j)});
    return array;
}

// Columns are states, of which the live ones are kept.
DrawArray columns(std::string variable, const arma::mat& values, const arma::uvec& states) {
    DrawArray array{std::move(variable), {}};
    for (const arma::uword j : states)
        for (arma::uword i = 0; i < values.n_rows; ++i) array.cells.push_back({int32(i), int32(j), values(i, j)});
    return array;
}

// z's states, and whatever a path from them or from the start can reach through transitions that are kept.
arma::uvec live_states(const TransitionMatrix& transition, const arma::uvec& z, double smallest) {
    std::vector<bool> live(transition.n_states(), false);
    std::vector<arma::uword> frontier;
    const auto add = [&](arma::uword state) {
        if (live[state]) return;
        live[state] = true;
        frontier.push_back(state);
    };
    for (const arma::uword state : z) add(state);
    for (arma::uword k = 0; k < live.size(); ++k)
        if (transition.start(k) >= smallest) add(k);
    while (!frontier.empty()) {
        const arma::uword from = frontier.back();
        frontier.pop_back();
        for (arma::uword k = 0; k < live.size(); ++k)
            if (transition.from_to(from, k) >= smallest) add(k);
    }
    std::vector<arma::uword> numbers;
    for (arma::uword k = 0; k < live.size(); ++k)
        if (live[k]) numbers.push_back(k);
    return arma::uvec(numbers);
}

// One overload for each emission.
void add_emission(std::vector<DrawArray>& arrays, const LinearGaussianState& state, const arma::uvec&,
                  const std::string& prefix) {
    arrays.push_back(whole(prefix + "weights", state.weights));
    arrays.push_back(whole(prefix + "h", state.h));
}

void add_emission(std::vector<DrawArray>& arrays, const GaussianState& state, const arma::uvec& live,
                  const std::string& prefix) {
    arrays.push_back(columns(prefix + "mean", state.mean, live));
    arrays.push_back(columns(prefix + "h", state.h, live));
}

void add_emission(std::vector<DrawArray>& arrays, const CategoricalState& state, const arma::uvec& live,
                  const std::string& prefix) {
    arrays.push_back(columns(prefix + "log_theta", state.log_theta, live));
}

void add_emission_of(std::vector<DrawArray>& arrays, const EmissionState& state, const arma::uvec& live,
                     const std::string& prefix) {
    std::visit([&](const auto& part) { add_emission(arrays, part, live, prefix); }, state);
}

// Of a symbol that a state never emitted, the expectation follows from the prior: only the counts are kept.
DrawArray symbol_counts(const CategoricalSpec& spec, const Observations& training, const arma::uvec& z,
                        const arma::uvec& live, arma::uword n_states) {
    const arma::mat with_prior = symbol_concentration(spec, training, z, n_states);
    DrawArray array{"symbol_count", {}};
    for (const arma::uword j : live)
        for (arma::uword i = 0; i < with_prior.n_rows; ++i)
            if (const double count = std::round(with_prior(i, j) - spec.concentration(i)); count > 0.0)
                array.cells.push_back({int32(i), int32(j), count});
    return array;
}

}  // namespace

std::vector<DrawArray> draw_arrays(const Model& model, const Observations& training, const State& state) {
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    const double smallest = has_durations(state.durations) ? smallest_kept_jump : smallest_kept_transition;
    const arma::uvec live = live_states(transition, state.z, smallest);
    DrawArray start{"start", {}};
    DrawArray from_to{"transition", {}};
    for (const arma::uword k : live) {
        if (transition.start(k) >= smallest) start.cells.push_back({0, int32(k), transition.start(k)});
        for (const arma::uword j : live)
            if (transition.from_to(j, k) >= smallest)
                from_to.cells.push_back({int32(j), int32(k), transition.from_to(j, k)});
    }
    std::vector<DrawArray> arrays{start, from_to};
    DrawArray used{"n_steps", {}};  // of each live state in the training data
    for (const arma::uword k : live) used.cells.push_back({0, int32(k), static_cast<double>(arma::accu(state.z == k))});
    arrays.push_back(used);
    if (!bits(state.locations).is_empty())
        arrays.push_back(columns("theta", arma::conv_to<arma::mat>::from(bits(state.locations)), live));
    if (!state.bit_logits.is_empty())  // A^(d)[i, 1]
        arrays.push_back(whole("bit_transition", 1.0 / (1.0 + arma::exp(-state.bit_logits))));
    if (const auto* euclidean = std::get_if<EuclideanLocationState>(&state.locations))
        arrays.push_back(columns("location", euclidean->location, live));
    if (const auto* poisson = std::get_if<PoissonDurationState>(&state.durations))
        arrays.push_back(columns("omega", poisson->omega.t(), live));
    if (const auto* binomial = std::get_if<NegativeBinomialDurationState>(&state.durations)) {
        arrays.push_back(columns("duration_r", binomial->r.t(), live));
        arrays.push_back(columns("duration_log_p", binomial->log_p.t(), live));
        arrays.push_back(columns("duration_log_1mp", binomial->log_1mp.t(), live));
    }
    add_emission_of(arrays, state.emission, live, "");
    if (const auto* categorical = std::get_if<CategoricalSpec>(&model.emission))
        arrays.push_back(symbol_counts(*categorical, training, state.z, live, model.n_states));
    else
        add_emission_of(arrays, with_expected_emission(model, training, state).emission, live, "expected_");
    return arrays;
}

std::vector<DrawArray> draw_arrays(const FactorialModel& model, const Observations& training,
                                   const FactorialState& state) {
    DrawArray transition{"chain_transition", {}};  // i = 3 chain + row, the start row last
    for (arma::uword dim = 0; dim < state.chains.size(); ++dim) {
        const arma::mat& log_pi = state.chains[dim].log_pi;
        for (arma::uword from = 0; from < 3; ++from) {
            const double one = 1.0 / (1.0 + std::exp(log_pi(from, 0) - log_pi(from, 1)));
            transition.cells.push_back({int32(3 * dim + from), 0, 1.0 - one});
            transition.cells.push_back({int32(3 * dim + from), 1, one});
        }
    }
    std::vector<DrawArray> arrays{transition};
    add_emission(arrays, state.emission, {}, "");
    add_emission(arrays, with_expected_emission(model, training, state).emission, {}, "expected_");
    return arrays;
}

}  // namespace hmmlt
