// Parameters, states and data from the prior; then the auxiliary variables.
#include "posterior/augmented_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/poisson.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt::testing {

namespace {

constexpr arma::uword n_dims = 3;

double whole_number_up_to(double largest, Stream& rng) {
    return std::floor(draw_uniform(rng) * (largest + 1.0));
}

// At least one table where there are customers, at most one per customer.
double possible_tables(double customers, Stream& rng) {
    return customers == 0.0 ? 0.0 : 1.0 + whole_number_up_to(std::min(customers, 4.0) - 1.0, rng);
}

void draw_auxiliaries(AugmentedPoint& point, Stream& rng) {
    const arma::uword n_states = point.model.n_states;
    const arma::mat n = transition_counts(point);
    const arma::mat phi = similarities(point);
    point.u.zeros(n_states + 1);
    for (arma::uword j = 0; j <= n_states; ++j)
        if (arma::accu(n.row(j)) > 0.0) point.u(j) = std::exp(draw_standard_normal(rng));
    point.q.zeros(n_states, n_states);
    for (arma::uword j = 0; j < n_states; ++j)
        for (arma::uword k = 0; k < n_states; ++k)
            if (point.u(j) > 0.0 && phi(j, k) < 1.0) point.q(j, k) = draw_poisson(1.5, rng);
    point.m.set_size(n_states + 1, n_states);
    for (arma::uword j = 0; j <= n_states; ++j)
        for (arma::uword k = 0; k < n_states; ++k)
            point.m(j, k) = possible_tables(n(j, k) + (j < n_states ? point.q(j, k) : 0.0), rng);
    point.w.zeros(n_states);
    if (point.state.rho > 0.0)
        for (arma::uword j = 0; j < n_states; ++j) point.w(j) = whole_number_up_to(point.m(j, j), rng);
    point.r.zeros(n_states);
    const arma::vec base = tables_of_base_weights(point);
    for (arma::uword k = 0; k < n_states; ++k) point.r(k) = possible_tables(base(k), rng);
    point.eta = draw_uniform(rng);
}

Model model_of(arma::uword n_states, bool sticky, const Similarity& similarity, const LocationSpec& locations,
               const EmissionSpec& emission) {
    Model model;
    model.n_states = n_states;
    model.gamma = GammaPrior{30.0, 2.0};
    model.c = GammaPrior{9.0, 0.8};
    if (sticky) model.rho = BetaPrior{1.7, 2.4};
    model.similarity = similarity;
    model.locations = locations;
    model.emission = emission;
    return model;
}

Model with_durations(Model model, const DurationSpec& durations) {
    model.dynamics = SemiMarkovDynamics{durations};
    return model;
}

void hide_some(Observations& observations) {
    const arma::uword n_steps = observations.sequences.n_steps();
    if (observations.y.is_empty()) {
        observations.symbol(1) = observations.symbol(n_steps - 1) = no_symbol;
        return;
    }
    observations.y(0, 0) = arma::datum::nan;
    observations.y.col(2).fill(arma::datum::nan);
    observations.y.col(n_steps - 1).fill(arma::datum::nan);  // all of the last sequence, where it has one step
}

AugmentedPoint point_of(const char* name, const Model& model, const Sequences& sequences, const PriorAddress& address) {
    AugmentedPoint point;
    point.name = name;
    point.model = model;
    point.observations.sequences = sequences;
    point.state = draw_parameters(model, address);
    if (!is_fixed(lambda_prior(model.similarity))) point.state.lambda += 0.1;
    draw_states(sequences, point.state, address);
    draw_data(point.state, point.observations, address);
    if (sequences.count() > 1) hide_some(point.observations);
    point.bits = bits(point.state.locations);
    point.emitter = point.state.z;
    point.log_joint = [model, observations = point.observations](const State& state) {
        return log_joint(model, state, observations);
    };
    return point;
}

// A model with similarities that belong to no location: any phi will do, neither symmetric nor 1 on its diagonal.
AugmentedPoint point_of_any_phi(const char* name, const Model& model, const Sequences& sequences,
                                const PriorAddress& address) {
    AugmentedPoint point = point_of(name, model, sequences, address);
    Stream rng({.seed = address.seed, .chain = 3});
    point.fixed_phi.set_size(model.n_states, model.n_states);
    point.fixed_phi.for_each([&rng](double& phi) { phi = 0.05 + 0.9 * draw_uniform(rng); });
    point.log_joint = [of_states = point](const State& state) {
        AugmentedPoint moved = of_states;
        moved.state = state;
        const arma::mat n = transition_counts(moved);
        return log_joint(moved.model, state, moved.observations) - log_density_of_states(n, state.log_pi, {}) +
               log_density_of_states(n, state.log_pi, arma::log(moved.fixed_phi));
    };
    return point;
}

// Both chains of a factorial model of two.
std::vector<AugmentedPoint> factorial_points(const std::array<const char*, 2>& names, const WeightSpec& weights,
                                             const Sequences& sequences, const PriorAddress& address) {
    FactorialModel model;
    model.gamma = GammaPrior{30.0, 2.0};
    model.c = GammaPrior{9.0, 0.8};
    model.emission.h.assign(2, {3.0, 2.0});
    model.emission.weights = weights;
    FactorialState whole = draw_parameters(model, address);
    draw_states(sequences, whole, address);
    AugmentedPoint point;
    point.observations.sequences = sequences;
    draw_data(whole, point.observations, address);
    hide_some(point.observations);
    point.model = model_of(2, false, ConstantSimilarity{}, NoLocations{}, model.emission);
    point.bits = whole.theta;
    point.emitter = steps_as_states(sequences.n_steps());
    std::vector<AugmentedPoint> points;
    for (const int chain : {0, 1}) {
        const auto dim = static_cast<arma::uword>(chain);
        const BinaryChainState& own = whole.chains[dim];
        point.name = names[dim];
        point.factorial_chain = chain;
        point.state = State{own.gamma,
                            own.c,
                            0.0,
                            0.0,
                            own.log_beta,
                            own.log_pi,
                            NoLocationState{},
                            whole.emission,
                            {},
                            whole.theta.row(dim).t()};
        point.log_joint = [model, whole, dim, observations = point.observations](const State& state) {
            FactorialState moved = whole;
            moved.chains[dim] = {state.gamma, state.c, state.log_beta, state.log_pi};
            moved.theta.row(dim) = state.z.t();
            moved.emission = std::get<LinearGaussianState>(state.emission);
            return log_joint(model, moved, observations);
        };
        points.push_back(point);
    }
    return points;
}

}  // namespace

std::vector<AugmentedPoint> augmented_points(std::uint64_t seed) {
    const Similarity constant = ConstantSimilarity{};
    const Similarity laplacian = LaplacianSimilarity{ExponentialPrior{1.5}};
    const Similarity gaussian = GaussianSimilarity{ExponentialPrior{1.5}};
    const Similarity limit = FactorialLimitSimilarity{{1.5, 2.0}};
    const LocationSpec corners = BinaryLocations{n_dims, {1.5, 1.2}};
    const LocationSpec all_corners = CornerLocations{2};
    const LocationSpec buffet = IndianBuffetLocations{n_dims, GammaPrior{3.0, 1.0}};
    const LocationSpec points_in_space = EuclideanLocations{.n_dims = 2, .location_precision = 0.8};
    const EmissionSpec learned = LinearGaussianSpec{{{3.0, 2.0}, {2.0, 3.0}}, LearnedWeights::isotropic(n_dims, 1.3)};
    const EmissionSpec shared =
        LinearGaussianSpec{{{3.0, 2.0}, {2.0, 3.0}}, SharedPrecisionWeights{n_dims, 0.4, {2.5, 1.5}}};
    const EmissionSpec known = LinearGaussianSpec{
        {{3.0, 2.0}, {2.0, 3.0}}, KnownWeights{arma::mat{{0.3, -0.2}, {1.1, 0.4}, {-0.6, 0.9}, {0.2, 0.8}}}};
    const EmissionSpec symbols = CategoricalSpec{arma::vec{0.7, 1.2, 2.0}};
    const EmissionSpec normal = GaussianSpec{{{.m = 0.5, .k = 0.8, .a = 3.0, .b = 2.0}, {.m = -1.0, .k = 2.0}}};
    const DurationSpec binomial = NegativeBinomialDurations{{2.5, 2.0}, {0.5, 1.0, 4.0}};
    const Sequences one = Sequences::of_lengths({9});
    const Sequences ragged = Sequences::of_lengths({5, 1, 0, 4, 1});

    const PriorAddress address{.seed = seed};
    std::vector<AugmentedPoint> points{
        point_of("bits, sticky, W learned, ragged", model_of(4, true, laplacian, corners, learned), ragged, address),
        point_of("bits, W known, one sequence", model_of(4, false, laplacian, corners, known), one, address),
        point_of("bits, sticky, symbols, ragged", model_of(3, true, laplacian, corners, symbols), ragged, address),
        point_of("points, sticky, normal, ragged", model_of(4, true, gaussian, points_in_space, normal), ragged,
                 address),
        point_of("points, symbols, one sequence", model_of(3, false, gaussian, points_in_space, symbols), one, address),
        point_of("constant, sticky, normal, one sequence", model_of(3, true, constant, NoLocations{}, normal), one,
                 address),
        point_of("constant, bits, W learned, ragged", model_of(3, false, constant, corners, learned), ragged, address),
        point_of("buffet, sticky, W learned, ragged", model_of(4, true, laplacian, buffet, learned), ragged, address),
        point_of("buffet, symbols, one sequence", model_of(3, false, laplacian, buffet, symbols), one, address),
        point_of("factorial limit, bits, sticky, W learned, ragged", model_of(4, true, limit, corners, learned), ragged,
                 address),
        point_of("factorial limit, bits, symbols, one sequence", model_of(3, false, limit, corners, symbols), one,
                 address),
        point_of("factorial limit, all corners, normal, ragged", model_of(4, true, limit, all_corners, normal), ragged,
                 address),
        point_of("factorial limit, buffet, W known, one sequence", model_of(4, false, limit, buffet, known), one,
                 address),
        point_of_any_phi("any phi, sticky, symbols, ragged", model_of(4, true, constant, NoLocations{}, symbols),
                         ragged, address),
        point_of_any_phi("any phi, normal, one sequence", model_of(3, false, constant, NoLocations{}, normal), one,
                         address),
        point_of("one state, sticky, ragged", model_of(1, true, laplacian, corners, learned), ragged, address),
        point_of("bits, Poisson, ragged",
                 with_durations(model_of(4, false, laplacian, corners, learned), PoissonDurations{{3.0, 2.0}}), ragged,
                 address),
        point_of("points, Poisson, one sequence",
                 with_durations(model_of(3, false, gaussian, points_in_space, symbols), PoissonDurations{{3.0, 2.0}}),
                 one, address),
        point_of("constant, negative binomial, one sequence",
                 with_durations(model_of(3, false, constant, NoLocations{}, normal), binomial), one, address),
        point_of("bits, negative binomial, ragged",
                 with_durations(model_of(3, false, laplacian, corners, symbols), binomial), ragged, address)};
    for (const AugmentedPoint& point : factorial_points({"factorial, chain 0", "factorial, chain 1"},
                                                        LearnedWeights::isotropic(2, 1.0), ragged, address))
        points.push_back(point);
    points.push_back(point_of("bits, precision of W learnt, one sequence",
                              model_of(4, false, laplacian, corners, shared), one, address));
    points.push_back(point_of("buffet, sticky, precision of W learnt, ragged",
                              model_of(4, true, laplacian, buffet, shared), ragged, address));
    for (const AugmentedPoint& point :
         factorial_points({"factorial, precision of W learnt, chain 0", "factorial, precision of W learnt, chain 1"},
                          SharedPrecisionWeights{2, 0.4, {2.5, 1.5}}, ragged, address))
        points.push_back(point);
    points.push_back(point_of("factorial limit, bits, W learned, Poisson, ragged",
                              with_durations(model_of(4, false, limit, corners, learned), PoissonDurations{{3.0, 2.0}}),
                              ragged, address));
    points.push_back(point_of("factorial limit, all corners, negative binomial, one sequence",
                              with_durations(model_of(4, false, limit, all_corners, normal), binomial), one, address));
    points.push_back(point_of("buffet, precision of W learnt, negative binomial, ragged",
                              with_durations(model_of(3, false, laplacian, buffet, shared), binomial), ragged,
                              address));
    points.push_back(
        point_of("constant, symbols, ragged", model_of(4, false, constant, NoLocations{}, symbols), ragged, address));
    Stream rng({.seed = seed, .chain = 1});
    for (AugmentedPoint& point : points) draw_auxiliaries(point, rng);
    return points;
}

}  // namespace hmmlt::testing
