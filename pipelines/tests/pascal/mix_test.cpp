#include "pipelines/pascal/mix.hpp"

#include <doctest/doctest.h>

#include "hmmlt/io/errors.hpp"
#include "pipelines/pascal/joint_states.hpp"
#include "pipelines/pascal/statistics.hpp"
#include "pipelines/tests/pascal/recipes.hpp"
#include "statistics.hpp"

using namespace hmmlt;
using namespace hmmlt::pascal;
using namespace hmmlt::testing;

TEST_CASE("weights are uniform, one row per speaker and one for the background") {
    Recipe recipe = small_recipe();
    recipe.n_channels = 2000;
    recipe.weight_low = -1.0;
    recipe.weight_high = 3.0;
    Stream rng({.seed = 4});
    const arma::mat weights = draw_weights(recipe, rng);
    CHECK(weights.n_rows == 5);
    CHECK(weights.n_cols == 2000);
    CHECK(kolmogorov_smirnov({weights.begin(), weights.end()}, [](double x) { return (x + 1.0) / 4.0; }) > level);
}

TEST_CASE("a mixture adds up background, speakers and noise") {
    const arma::mat weights{{1.0, 0.5}, {2.0, 0.0}, {0.0, 4.0}};
    const arma::mat signal{{0.0, 1.0, 2.0}, {0.0, 0.0, -1.0}};
    Stream rng({.seed = 5});
    const arma::mat y = draw_mixture(signal, weights, 0.0, rng);
    CHECK(arma::approx_equal(y, arma::mat{{1.0, 3.0, 5.0}, {0.5, 0.5, -3.5}}, "absdiff", 1e-15));

    const arma::mat silence(2, 2000, arma::fill::zeros);
    arma::mat noise = draw_mixture(silence, weights, 0.3, rng);
    noise.each_col() -= weights.row(0).t();
    CHECK(kolmogorov_smirnov({noise.begin(), noise.end()}, [](double x) { return normal_cdf(x / 0.3); }) > level);
}

TEST_CASE("joint states are numbered as they appear, over train and test") {
    JointStates states;
    using Numbers = std::vector<arma::uword>;
    const auto list = [](const arma::umat& matrix) { return Numbers(matrix.begin(), matrix.end()); };
    CHECK(list(states.number({{0, 1, 0, 1}, {0, 0, 0, 1}})) == Numbers{0, 1, 0, 2});
    CHECK(list(states.number({{0, 1}, {1, 1}})) == Numbers{3, 2});
    CHECK(list(states.columns()) == Numbers{0, 0, 1, 0, 1, 1, 0, 1});  // column by column
}

TEST_CASE("statistics of a party") {
    const std::vector<std::vector<Segment>> conversations = {
        {{.n_samples = 20, .speaker = {}}, {.n_samples = 30, .speaker = 1}, {.n_samples = 50, .speaker = 0}},
        {{.n_samples = 10, .speaker = {}}, {.n_samples = 40, .speaker = 0}}};
    const Recipe recipe = small_recipe();
    const Scene scene = record(conversations, recipe, [](auto, auto, auto) { return 1.0; });
    const PartyStatistics found = describe(conversations, scene, recipe);
    CHECK(found.n_steps == 5);
    CHECK(found.n_turns == 2);  // the third begins after the cut
    CHECK(found.mean_sentence == doctest::Approx(0.035));
    CHECK(found.shortest_sentence == doctest::Approx(0.03));
    CHECK(found.longest_sentence == doctest::Approx(0.04));
    CHECK(found.on_fraction == doctest::Approx(7.0 / 20.0));
    CHECK(found.n_joint_states == 3);  // nobody, one, two
    CHECK(found.on_by_speaker == std::vector<double>{0.0, 0.6, 0.8, 0.0});
    CHECK(statistics_json("a \xff corpus", {"a", "b", "c", "d"}, recipe, found, found).find("a \xef\xbf\xbd corpus") !=
          std::string::npos);
}

TEST_CASE("a recipe is read strictly") {
    const std::string text = R"(
corpus = { sample_rate = 25000 }
party = { n_conversations = 4, n_speakers = 4, turn_concentration = 2.0, duration = 40.0, initial_silence = 46000,
          silence_mean = 0.25, silence_sd = 0.25 }
signal = { step = 500, value = "absolute", mean = 1.0, sd = 0.5 }
mix = { n_channels = 12, weight_low = 0.0, weight_high = 1.0, noise_sd = 0.3 }
)";
    std::string joined = text;  // an inline table is one line of TOML
    joined.replace(joined.find("46000,\n"), 7, "46000,");
    const auto read = [&](const std::string& assignment) {
        Config config = Config::parse(joined, "recipe.toml");
        if (!assignment.empty()) config.set(assignment);
        const Recipe recipe = read_recipe(config);
        config.reject_unknown();
        return recipe;
    };
    CHECK(read("").n_samples() == 1000000);
    CHECK(read("").n_dims() == 16);
    CHECK_FALSE(read("").n_steps.has_value());
    CHECK(read("").absolute);
    CHECK(*read("signal.n_steps=2000").n_steps == 2000);
    CHECK_THROWS_WITH_AS(read("signal.n_steps=2001"), doctest::Contains("[1, 2000]"), UsageError);
    CHECK_THROWS_WITH_AS(read("signal.value=squared"), doctest::Contains("absolute"), UsageError);
    CHECK_THROWS_WITH_AS(read("signal.step=2000000"), doctest::Contains("signal.step"), UsageError);
    CHECK_THROWS_WITH_AS(read("mix.weight_high=-1"), doctest::Contains("weight_low"), UsageError);
    CHECK_THROWS_WITH_AS(read("party.silence_mean=-1"), doctest::Contains("silence_mean"), UsageError);
    CHECK_THROWS_WITH_AS(read("party.silence=1"), doctest::Contains("party.silence"), UsageError);
    joined.replace(joined.find("noise_sd"), 8, "niose_sd");
    CHECK_THROWS_WITH_AS(read(""), doctest::Contains("mix.niose_sd: unknown key; did you mean noise_sd?"), DataError);
}
