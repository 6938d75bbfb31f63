// A draw that went to cells and back scores new data as the state itself does, but for transitions that are left out.
#include "hmmlt/io/draws.hpp"

#include <doctest/doctest.h>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/schema.hpp"
#include "hmmlt/model/generative.hpp"
#include "hmmlt/sampler/heldout.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "model/small_models.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

Table table_of(const std::vector<DrawArray>& arrays, std::int32_t sweep) {
    Ints chain, sweeps, i, j;
    Texts variable;
    Reals value;
    for (const DrawArray& array : arrays)
        for (const DrawCell& cell : array.cells) {
            chain.push_back(2);
            sweeps.push_back(sweep);
            variable.push_back(array.variable);
            i.push_back(cell.i);
            j.push_back(cell.j);
            value.push_back(cell.value);
        }
    Table table("draws");
    table.add_column("chain", chain).add_column("sweep", sweeps).add_column("variable", variable);
    table.add_column("i", i).add_column("j", j).add_column("value", value);
    return table;
}

template <typename ModelType>
void check_scores(const ModelType& model) {
    const PriorAddress address{.seed = 4};
    Observations training{Sequences::of_lengths({30, 1}), {}, {}};
    auto state = draw_parameters(model, address);
    draw_states(training.sequences, state, address);
    draw_data(state, training, address);
    const Table table = table_of(draw_arrays(model, training, state), 70);
    const std::vector<StoredDraw> draws = stored_draws(model, table, "f");
    REQUIRE(draws.size() == 1);
    CHECK(draws[0].chain == 2);
    CHECK(draws[0].sweep == 70);
    const auto score = [&](const auto& stored) {
        return std::visit([&](const auto& any) { return heldout_log_likelihood(any, training); }, stored);
    };
    const auto close = [](const arma::vec& a, const arma::vec& b) {
        return arma::approx_equal(a, b, "both", 1e-6, 1e-7);
    };
    CHECK(close(score(draws[0].state), heldout_log_likelihood(state, training)));
    CHECK(close(score(draws[0].expected),
                heldout_log_likelihood(with_expected_emission(model, training, state), training)));
}

}  // namespace

TEST_CASE("draws: scores survive, for every emission and for the factorial model") {
    for (const Model& model : testing::small_models()) check_scores(model);
    check_scores(testing::small_factorial_model());
}

TEST_CASE("draws: the sizes of the data a chain was trained on") {
    const auto shape_of = [](const Model& model) {
        Observations training{Sequences::of_lengths({30}), {}, {}};
        State state = draw_parameters(model, {.seed = 4});
        draw_states(training.sequences, state, {.seed = 4});
        draw_data(state, training, {.seed = 4});
        return trained_shape(table_of(draw_arrays(model, training, state), 7), "f");
    };
    const DataShape linear = shape_of(testing::small_models()[0]);
    CHECK(linear.n_channels == 2u);
    REQUIRE(linear.weights);
    CHECK(arma::size(*linear.weights) == arma::SizeMat(4, 2));
    CHECK(shape_of(testing::small_models()[1]).n_symbols == 6u);
    CHECK(shape_of(testing::small_models()[2]).n_channels == 2u);
    CHECK_FALSE(shape_of(testing::small_models()[2]).weights);
    CHECK(failure<DataError>([] { trained_shape(table_of({}, 1), "f"); }) ==
          "f: holds no draws: the chain has not gone beyond run.burn_in by run.draws_every");
    CHECK(failure<DataError>([] {
              trained_shape(table_of({{"start", {{0, 0, 1.0F}}}}, 1), "f");
          }) == "f: expected the variable weights, found none");
}

TEST_CASE("draws: states that nothing reaches are left out, the others keep their numbers") {
    Model model;
    model.n_states = 4;
    model.emission = CategoricalSpec::symmetric(2, 1.0);
    State state = draw_parameters(model, {.seed = 1});
    const double never = std::log(1e-12);
    //             to 0   1      2    3
    state.log_pi = {{0.0, never, 0.0, never},    // state 2 is reached from 0,
                    {0.0, 0.0, 0.0, 0.0},        // 1 from nowhere,
                    {never, never, never, 0.0},  // 3 from 2
                    {0.0, never, 0.0, 0.0},
                    {0.0, never, never, never}};  // the start row
    state.z = {0, 0};
    const Observations training{Sequences::of_lengths({2}), {}, arma::ivec{0, 1}};
    const auto draws = stored_draws(model, table_of(draw_arrays(model, training, state), 1), "f");
    CHECK(arma::accu(draws[0].state_numbers != arma::uvec{0, 2, 3}) == 0);
    CHECK(std::get<State>(draws[0].state).log_pi.n_cols == 3);
}

TEST_CASE("draws: a variable that is missing or speaks of an unknown state") {
    const Model model = testing::small_models()[2];
    Observations training{Sequences::of_lengths({3}), {}, {}};
    State state = draw_parameters(model, {.seed = 1});
    draw_states(training.sequences, state, {.seed = 1});
    draw_data(state, training, {.seed = 1});
    std::vector<DrawArray> arrays = draw_arrays(model, training, state);
    std::erase_if(arrays, [](const DrawArray& array) { return array.variable == "mean"; });
    CHECK(failure<DataError>([&] { stored_draws(model, table_of(arrays, 9), "f"); }) ==
          "f: sweep 9: expected the variable mean, found none");
    arrays = draw_arrays(model, training, state);
    for (DrawArray& array : arrays)
        if (array.variable == "mean") array.cells.push_back({0, 77, 1.0});
    CHECK(failure<DataError>([&] { stored_draws(model, table_of(arrays, 9), "f"); }) ==
          "f: sweep 9: mean speaks of state 77, which has no n_steps");
}
