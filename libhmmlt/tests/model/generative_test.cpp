// Synthetic data have the law they claim: path frequencies follow the rows, parameters follow their priors.
#include "hmmlt/model/generative.hpp"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "hmmlt/dynamics/forward_backward.hpp"
#include "hmmlt/model/similarities.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using testing::level;

namespace {

Model small_model() {
    Model model;
    model.n_states = 4;
    model.gamma = 40.0;  // all states and all transitions are likely
    model.c = 20.0;
    model.rho = 0.1;
    model.similarity = LaplacianSimilarity{0.3};
    model.locations = BinaryLocations{3, {1.0, 1.0}};
    model.emission = LinearGaussianSpec{std::vector<GammaPrior>(2, {3.0, 2.0}), LearnedWeights::isotropic(3, 4.0)};
    return model;
}

}  // namespace

TEST_CASE("generative: the first state follows the start row, the others the row of the state before") {
    State state = draw_parameters(small_model(), {.seed = 1});
    TransitionMatrix transition;
    normalise_rates(state.log_pi, log_similarities(state), transition);
    arma::mat counts(5, 4, arma::fill::zeros);
    const Sequences sequences = Sequences::of_lengths(std::vector<arma::uword>(20000, 5));
    draw_states(sequences, state, {.seed = 1});
    for (arma::uword step = 0; step < state.z.n_elem; ++step)
        counts(step % 5 == 0 ? 4 : state.z(step - 1), state.z(step)) += 1.0;
    for (arma::uword from = 0; from <= 4; ++from) {
        CAPTURE(from);
        const arma::rowvec row = from < 4 ? arma::rowvec(transition.from_to.row(from)) : transition.start.t();
        const arma::rowvec expected = arma::accu(counts.row(from)) * row;
        CHECK(testing::chi_square(arma::conv_to<std::vector<double>>::from(counts.row(from)),
                                  arma::conv_to<std::vector<double>>::from(expected)) > level);
    }
}

TEST_CASE("generative: a sequence depends on its own number, not on the others") {
    State alone = draw_parameters(small_model(), {.seed = 2});
    State among = alone;
    draw_states(Sequences::of_lengths({10, 30}), alone, {.seed = 2});
    draw_states(Sequences::of_lengths({10, 30, 50}), among, {.seed = 2});
    CHECK(arma::accu(alone.z != among.z.head(40)) == 0);
    draw_states(Sequences::of_lengths({10, 30}), among, {.seed = 2, .draw = 1});
    CHECK(arma::accu(alone.z != among.z) > 0);
}

TEST_CASE("generative: hyperparameters, precisions, weights and bits follow their priors") {
    Model model = small_model();
    model.gamma = GammaPrior{2.0, 1.0};
    model.c = GammaPrior{3.0, 0.5};
    model.rho = BetaPrior{1.0, 1.0};
    model.similarity = LaplacianSimilarity{ExponentialPrior{0.5}};
    std::vector<double> gamma, c, rho, lambda, precision, weight, bit;
    for (std::uint32_t draw = 0; draw < 20000; ++draw) {
        const State state = draw_parameters(model, {.seed = 3, .draw = draw});
        const auto& emission = std::get<LinearGaussianState>(state.emission);
        gamma.push_back(state.gamma);
        c.push_back(state.c);
        rho.push_back(state.rho);
        lambda.push_back(state.lambda);
        precision.push_back(emission.h(1));
        weight.push_back(emission.weights(2, 1) * 2.0);
        bit.push_back(static_cast<double>(bits(state.locations)(2, 3)));
    }
    CHECK(testing::kolmogorov_smirnov(gamma, [](double x) { return boost::math::gamma_p(2.0, x); }) > level);
    CHECK(testing::kolmogorov_smirnov(c, [](double x) { return boost::math::gamma_p(3.0, 0.5 * x); }) > level);
    CHECK(testing::kolmogorov_smirnov(rho, [](double x) { return x; }) > level);
    CHECK(testing::kolmogorov_smirnov(lambda, [](double x) { return -std::expm1(-0.5 * x); }) > level);
    CHECK(testing::kolmogorov_smirnov(precision, [](double x) { return boost::math::gamma_p(3.0, 2.0 * x); }) > level);
    CHECK(testing::kolmogorov_smirnov(weight, testing::normal_cdf) > level);
    CHECK(testing::z_test(bit, 0.5, 0.5) > level);
}

TEST_CASE("generative: parts that do not fit together are refused by name") {
    Model model = small_model();
    model.locations = NoLocations{};
    CHECK_THROWS_WITH_AS(draw_parameters(model, {}),
                         "Model: the laplacian similarity needs locations with bits, found no locations",
                         std::domain_error);
    model = small_model();
    model.similarity = GaussianSimilarity{1.0};
    CHECK_THROWS_WITH_AS(draw_parameters(model, {}),
                         "Model: the gaussian similarity needs euclidean locations, found binary locations",
                         std::domain_error);
    model = small_model();
    model.locations = BinaryLocations{2, {}};
    CHECK_THROWS_AS(draw_parameters(model, {}), std::domain_error);
    model = small_model();
    model.n_states = 0;
    CHECK_THROWS_AS(draw_parameters(model, {}), std::domain_error);
}
