#include "hmmlt/io/model_config.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/model_keys.hpp"
#include "hmmlt/io/run_config.hpp"
#include "io/failure.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

// Every key of [model] and [priors] that the cocktail party needs, none at its default.
constexpr const char* complete = R"([model]
n_states = 600
similarity = { kind = "laplacian", lambda = { prior = "exponential", rate = 0.25 } }
locations = { kind = "binary", n_dims = 2, mu = { a = 2.0, b = 3.0 } }
emission = { kind = "linear_gaussian", weights = "known", n_channels = 3, precision = { shape = 0.5, rate = 0.75 } }
[priors]
gamma = { shape = 0.1, rate = 0.2 }
concentration = { shape = 0.3, rate = 0.4 }
rho = { a = 1.5, b = 2.5 }
)";

const arma::mat weights(3, 3, arma::fill::eye);

const DataShape no_data;
const DataShape three_channels{.n_channels = 3, .n_symbols = {}, .weights = {}};
const DataShape five_symbols{.n_channels = {}, .n_symbols = 5, .weights = {}};
const DataShape party{.n_channels = 3, .n_symbols = {}, .weights = weights};

// Reads the model, and checks that no key was overlooked.
Model read(const std::string& text, const DataShape& shape = no_data) {
    const Config config = Config::parse(text, "m.toml");
    const Model model = read_model(config, shape);
    config.reject_unknown();
    return model;
}

std::string complaint_about_model(const std::string& text, const DataShape& shape = no_data) {
    return failure<DataError>([&] { read(text, shape); });
}

// The complaint_about_model about a [model] whose emission is in order; line 3 is free.
std::string complaint_about(const std::string& line, const DataShape& shape = no_data) {
    return complaint_about_model("[model]\nemission = { kind = \"categorical\", n_symbols = 5 }\n" + line, shape);
}

std::string complaint_about_emission(const std::string& emission, const DataShape& shape) {
    return complaint_about_model("[model]\nlocations = { kind = \"binary\", n_dims = 2 }\nemission = " + emission,
                                 shape);
}

Model with_prior(const std::string& line) {
    return read("[model]\nemission = { kind = \"categorical\", n_symbols = 5 }\n[priors]\n" + line);
}

}  // namespace

TEST_CASE("model config: a complete file") {
    const Model expected{.n_states = 600,
                         .similarity = LaplacianSimilarity{ExponentialPrior{0.25}},
                         .locations = BinaryLocations{2, {2.0, 3.0}},
                         .emission = LinearGaussianSpec{{3, GammaPrior{0.5, 0.75}}, KnownWeights{weights}},
                         .gamma = GammaPrior{0.1, 0.2},
                         .c = GammaPrior{0.3, 0.4},
                         .rho = BetaPrior{1.5, 2.5}};
    CHECK(read(complete, party) == expected);
    Config changed = Config::parse(complete, "m.toml");
    changed.set("priors.rho=0.5");
    CHECK(read_model(changed, party).rho == Hyperparameter<BetaPrior>(0.5));
}

TEST_CASE("model config: sections of others are left to them") {
    const Config config = Config::parse(std::string(complete) + "[run]\nsampler = \"single\"\n", "m.toml");
    CHECK_NOTHROW(read_model(config, party));
    CHECK(failure<DataError>([&] { config.reject_unknown(); }) ==
          "m.toml:10: run: unknown key; known here: model, "
          "priors");
}

TEST_CASE("model config: the shortest file of each emission, and every default") {
    const Model categorical = read("model.emission.kind = \"categorical\"\n", five_symbols);
    CHECK(categorical == Model{.n_states = 200,
                               .similarity = ConstantSimilarity{},
                               .locations = NoLocations{},
                               .emission = CategoricalSpec::symmetric(5, 1.0),
                               .gamma = GammaPrior{1.0, 1.0},
                               .c = GammaPrior{1.0, 1.0},
                               .rho = 0.0});

    const Model gaussian = read("model.emission.kind = \"gaussian\"\n", three_channels);
    const NormalGammaLaw law{.m = 0.0, .k = 0.01, .a = 1.0, .b = 1.0};
    CHECK(gaussian.emission == EmissionSpec(GaussianSpec{{3, law}}));

    const Model linear = read("[model]\nlocations.kind = \"binary\"\nemission.kind = \"linear_gaussian\"\n", party);
    CHECK(linear.locations == LocationSpec(BinaryLocations{2, {1.0, 1.0}}));
    CHECK(linear.emission == EmissionSpec(LinearGaussianSpec{{3, GammaPrior{0.1, 0.1}}, KnownWeights{weights}}));

    const Model learned = read(
        "[model]\nlocations = { kind = \"binary\", n_dims = 4 }\n"
        "emission = { kind = \"linear_gaussian\", weights = {} }\n",
        three_channels);
    CHECK(learned.emission ==
          EmissionSpec(LinearGaussianSpec{{3, GammaPrior{0.1, 0.1}}, LearnedWeights::isotropic(4, 1.0)}));

    const Model euclidean = read(
        "[model]\nlocations.kind = \"euclidean\"\nsimilarity.kind = \"gaussian\"\n"
        "emission.kind = \"gaussian\"\n",
        three_channels);
    CHECK(euclidean.locations == LocationSpec(EuclideanLocations{.n_dims = 2,
                                                                 .location_precision = 1.0,
                                                                 .n_leapfrog = 10,
                                                                 .initial_step_size = 0.1,
                                                                 .target_acceptance = 0.8}));
    CHECK(euclidean.similarity == Similarity(GaussianSimilarity{ExponentialPrior{0.1}}));
}

TEST_CASE("model config: every key of the other parts") {
    const Model euclidean = read(R"([model]
similarity = { kind = "gaussian", lambda = { rate = 2.0 } }
locations = { kind = "euclidean", n_dims = 3, precision = 0.5, n_leapfrog = 7, step_size = 0.01, acceptance = 0.65 }
emission = { kind = "gaussian", n_channels = 2, mean = -1.0, mean_weight = 0.5, precision = { shape = 3.0, rate = 4.0 } }
)");
    CHECK(euclidean.similarity == Similarity(GaussianSimilarity{ExponentialPrior{2.0}}));
    CHECK(euclidean.locations == LocationSpec(EuclideanLocations{.n_dims = 3,
                                                                 .location_precision = 0.5,
                                                                 .n_leapfrog = 7,
                                                                 .initial_step_size = 0.01,
                                                                 .target_acceptance = 0.65}));
    const NormalGammaLaw law{.m = -1.0, .k = 0.5, .a = 3.0, .b = 4.0};
    CHECK(euclidean.emission == EmissionSpec(GaussianSpec{{2, law}}));

    const Model learned = read(R"([model]
locations = { kind = "binary", n_dims = 2 }
emission = { kind = "linear_gaussian", n_channels = 1, weights = { sd = 0.5 } }
)");
    CHECK(std::get<LinearGaussianSpec>(learned.emission).weights ==
          decltype(LinearGaussianSpec::weights)(LearnedWeights::isotropic(2, 4.0)));

    const auto weights = [](const std::string& keys) {
        const Model model = read(
            "[model]\nlocations = { kind = \"indian_buffet\", n_dims = 2 }\n"
            "emission = { kind = \"linear_gaussian\", n_channels = 1, weights = " +
            keys + " }\n");
        return std::get<LinearGaussianSpec>(model.emission).weights;
    };
    CHECK(weights("{ precision = { shape = 3.0, rate = 0.5 }, bias_sd = 2.0 }") ==
          WeightSpec(SharedPrecisionWeights{2, 0.25, {3.0, 0.5}}));
    CHECK(weights("{ precision = {} }") == WeightSpec(SharedPrecisionWeights{2, 1.0, {1.0, 1.0}}));
    CHECK(weights("{ precision = 4.0, bias_sd = 2.0 }") ==
          WeightSpec(LearnedWeights{{0.0, 0.0, 0.0}, arma::mat(arma::diagmat(arma::vec{0.25, 4.0, 4.0}))}));

    const auto categorical = [](const std::string& keys) {
        return read("model.emission = { kind = \"categorical\", n_symbols = 4, " + keys + " }\n").emission;
    };
    CHECK(categorical("concentration = 0.1") == EmissionSpec(CategoricalSpec::symmetric(4, 0.1)));
    CHECK(categorical("total_mass = 2") == EmissionSpec(CategoricalSpec::symmetric(4, 0.5)));
}

TEST_CASE("model config: a number fixes a hyperparameter, a table is its prior") {
    CHECK(with_prior("gamma = 3").gamma == Hyperparameter<GammaPrior>(3.0));
    CHECK(with_prior("gamma = { rate = 2.0 }").gamma == Hyperparameter<GammaPrior>(GammaPrior{1.0, 2.0}));
    CHECK(with_prior("concentration = 0.5").c == Hyperparameter<GammaPrior>(0.5));
    CHECK(with_prior("concentration = {}").c == Hyperparameter<GammaPrior>(GammaPrior{1.0, 1.0}));
    CHECK(with_prior("rho = 1").rho == Hyperparameter<BetaPrior>(1.0));
    CHECK(with_prior("rho = { b = 4.0 }").rho == Hyperparameter<BetaPrior>(BetaPrior{1.0, 4.0}));
    const auto lambda = [](const std::string& value) {
        return lambda_prior(read("[model]\nlocations = { kind = \"binary\", n_dims = 2 }\n"
                                 "similarity = { kind = \"laplacian\", lambda = " +
                                 value + " }\nemission = { kind = \"categorical\", n_symbols = 5 }\n")
                                .similarity);
    };
    CHECK(lambda("0.0") == Hyperparameter<ExponentialPrior>(0.0));
    CHECK(lambda("{}") == Hyperparameter<ExponentialPrior>(ExponentialPrior{0.1}));
}

TEST_CASE("model config: values that are wrong") {
    CHECK(complaint_about_model("") ==
          "m.toml: model.emission.kind: expected a string among \"linear_gaussian\", \"categorical\", "
          "\"gaussian\", found nothing");
    CHECK(complaint_about_model("[model]\nemission.kind = \"gausian\"\n") ==
          "m.toml:2: model.emission.kind: expected a string among \"linear_gaussian\", \"categorical\", "
          "\"gaussian\", found the string \"gausian\"; did you mean gaussian?");
    CHECK(complaint_about("n_states = 0") ==
          "m.toml:3: model.n_states: expected an integer in [1, 100000], found the integer 0");
    CHECK(complaint_about("similarity = \"laplacian\"") ==
          "m.toml:3: model.similarity: expected a table, found the string \"laplacian\"");
    CHECK(complaint_about("similarity.kind = \"cosine\"") ==
          "m.toml:3: model.similarity.kind: expected a string among \"constant\", \"laplacian\", \"gaussian\", "
          "\"factorial_limit\", found the string \"cosine\"");
    CHECK(complaint_about("locations = { kind = \"binary\", n_dims = 3, mu = { a = 0 } }") ==
          "m.toml:3: model.locations.mu.a: expected a number in [1e-09, 1000000000], found the integer 0");
    CHECK(complaint_about("locations = { kind = \"euclidean\", acceptance = 1.0 }") ==
          "m.toml:3: model.locations.acceptance: expected a number in (0, 1), found the number 1.0");
    CHECK(complaint_about("[priors]\ngamma = 0.0") ==
          "m.toml:4: priors.gamma: expected a number in [1e-09, 1000000000], found the number 0.0");
    CHECK(complaint_about("[priors]\nrho = 1.5") ==
          "m.toml:4: priors.rho: expected a number in [0, 1], found the number 1.5");
    CHECK(complaint_about("[priors]\nconcentration = { shape = \"big\" }") ==
          "m.toml:4: priors.concentration.shape: expected a number in [1e-09, 1000000000], found the string \"big\"");
    const std::string binary = "locations = { kind = \"binary\", n_dims = 2 }\n";
    CHECK(complaint_about(binary + "similarity = { kind = \"laplacian\", lambda = -1 }") ==
          "m.toml:4: model.similarity.lambda: expected a number in [0, 1000000000], found the integer -1");
    CHECK(complaint_about(binary + "similarity = { kind = \"laplacian\", lambda = { prior = \"gamma\" } }") ==
          "m.toml:4: model.similarity.lambda.prior: expected a string among \"exponential\", found the string "
          "\"gamma\"");
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\", weights = \"learned\" }", party) ==
          "m.toml:3: model.emission.weights: expected a string among \"known\", found the string \"learned\"");
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\", weights = { sd = 1e-200 } }", three_channels) ==
          "m.toml:3: model.emission.weights.sd: expected a number in [1e-06, 1000000], found the number 1e-200");
    const auto complaint_about_weights = [](const std::string& weights) {
        return complaint_about_emission("{ kind = \"linear_gaussian\", weights = " + weights + " }", three_channels);
    };
    CHECK(complaint_about_weights("{ sd = 1.0, precision = {} }") ==
          "m.toml:3: model.emission.weights.sd: expected either this or precision, not both (beside precision, "
          "bias_sd is of the bias)");
    CHECK(complaint_about_weights("{ precision = { shape = 0.1 } }") ==
          "m.toml:3: model.emission.weights.precision.shape: expected a number in [0.5, 1000000000], found the number "
          "0.1");
    CHECK(complaint_about_weights("{ precision = { rate = 0 } }") ==
          "m.toml:3: model.emission.weights.precision.rate: expected a number in [1e-09, 1000000000], found the "
          "integer 0");
    CHECK(complaint_about_weights("{ precision = 0.0 }") ==
          "m.toml:3: model.emission.weights.precision: expected a number in [1e-12, 1000000000000], found the number "
          "0.0");
    CHECK(
        complaint_about_weights("{ precision = 1.0, bias_sd = 1e7 }") ==
        "m.toml:3: model.emission.weights.bias_sd: expected a number in [1e-06, 1000000], found the number 10000000.0");
    CHECK(complaint_about_emission("{ kind = \"categorical\", total_mass = 1, concentration = 1 }", five_symbols) ==
          "m.toml:3: model.emission.total_mass: expected either this or concentration, not both");
}

TEST_CASE("model config: values at the edge of doubles are refused where they stand") {
    const std::string gaussian = "model.emission.kind = \"gaussian\"\n";
    for (const char* value : {"1e-320", "1e-10", "2e9", "1e300"}) {
        CHECK(complaint_about_model(gaussian + "priors.gamma = " + value, three_channels)
                  .starts_with("m.toml:2: priors.gamma: expected a number in [1e-09, 1000000000], found the number"));
        CHECK(complaint_about_model(gaussian + "priors.concentration.rate = " + value, three_channels)
                  .starts_with("m.toml:2: priors.concentration.rate: expected a number in"));
    }
    CHECK(complaint_about_emission("{ kind = \"gaussian\", precision = { shape = 0.01 } }", three_channels)
              .starts_with("m.toml:3: model.emission.precision.shape: expected a number in [0.05, 1000000000]"));
    CHECK(complaint_about_emission("{ kind = \"gaussian\", precision = { rate = 1e-320 } }", three_channels)
              .starts_with("m.toml:3: model.emission.precision.rate: expected a number in [1e-100, 1e+100]"));
    CHECK(complaint_about_emission("{ kind = \"gaussian\", mean = 1e200 }", three_channels)
              .starts_with("m.toml:3: model.emission.mean: expected a number in [-1e+100, 1e+100]"));
}

TEST_CASE("model config: a misspelt key goes before what is missing for it") {
    CHECK(complaint_about_model("[model]\nemmission = { kind = \"gaussian\" }\n", three_channels) ==
          "m.toml:2: model.emmission: unknown key; did you mean emission?");
    CHECK(complaint_about_model("[modle]\nemission = { kind = \"gaussian\" }\n", three_channels) ==
          "m.toml:1: modle: unknown key; did you mean model?");
    CHECK(complaint_about_model("[model]\nemission = { kidn = \"gaussian\" }\n", three_channels) ==
          "m.toml:2: model.emission.kidn: unknown key; did you mean kind?");
    CHECK(complaint_about_model("[model]\nemission = { kind = \"categorical\", n_symbol = 5 }\n") ==
          "m.toml:2: model.emission.n_symbol: unknown key; did you mean n_symbols?");
    // what it was to say would have been needed by a part that is right
    CHECK(complaint_about_model("[model]\nlocation.kind = \"binary\"\nemission.kind = \"linear_gaussian\"\n", party) ==
          "m.toml:2: model.location: unknown key; did you mean locations?");
    CHECK(complaint_about("locations = { kind = \"binary\", ndims = 2 }") ==
          "m.toml:3: model.locations.ndims: unknown key; did you mean n_dims?");
    CHECK(complaint_about("similarity = { kind = \"laplacian\", lambda = { raet = 1.0 } }") ==
          "m.toml:3: model.similarity.lambda.raet: unknown key; did you mean rate?");
    CHECK(complaint_about("durations = { omega = { shap = 1.0 } }") ==
          "m.toml:3: model.durations.omega.shap: unknown key; did you mean shape?");
    CHECK(complaint_about_model("[model]\n[prior]\nrho = 0.5\n") ==
          "m.toml:2: prior: unknown key; did you mean priors?");
    CHECK(complaint_about_model("[model]\n[priors]\nrho = { c = 0.5 }\n") ==
          "m.toml:3: priors.rho.c: unknown key; did you mean a?");
    CHECK(complaint_about_model("[model]\n[run]\nburnin = 5\n") ==
          "m.toml:3: run.burnin: unknown key; did you mean burn_in?");
    CHECK(complaint_about_model("[model]\n[generate]\nnsteps = 5\n") ==
          "m.toml:3: generate.nsteps: unknown key; did you mean n_steps?");
    CHECK(complaint_about_model("[model]\ncolour = 1\n") ==
          "m.toml:2: model.colour: unknown key; known here: durations, dynamics, emission, locations, n_states, "
          "similarity");
    CHECK(failure<DataError>([] {
              read_any_model(Config::parse("model.dynamics = \"factorial\"\nmodel.emmission = {}\n", "m.toml"), party);
          }) == "m.toml:2: model.emmission: unknown key; did you mean emission?");
}

// A key that a reader asks for and that is not listed is refused in the tests of that reader.
TEST_CASE("model config: every key of the list is read by somebody") {
    const std::string gamma = "{ shape = 1.0, rate = 1.0 }";
    const std::string priors =
        "[priors]\ngamma = " + gamma + "\nconcentration = " + gamma + "\nrho = { a = 1.0, b = 1.0 }\n";
    const std::string run =
        "[run]\nsampler = \"single\"\nstart = \"iid\"\nburn_in = 1\nrecord_every = 1\nheldout_every = 1\n"
        "draws_every = 1\nstate_marginals = true\nprecision = \"double\"\nsplits_and_merges = 5\n";
    const std::string generate = "[generate]\nn_steps = 1\nn_sequences = 1\n";
    const std::string categorical = "emission = { kind = \"categorical\", n_symbols = 5, concentration = 1.0 }\n";
    const std::string files[]{
        "[model]\ndynamics = \"markov\"\nn_states = 4\nlocations = { kind = \"binary\", n_dims = 2, mu = { a = 1.0, b "
        "= 1.0 } }\nsimilarity = { kind = \"laplacian\", lambda = { prior = \"exponential\", rate = 0.1 } }\n" +
            categorical + priors + run + generate,
        "[model]\nlocations = { kind = \"indian_buffet\", n_dims = 2, concentration = " + gamma +
            " }\nsimilarity = { kind = \"factorial_limit\", transitions = { a = 1.0, b = 1.0 } }\n"
            "emission = { kind = \"linear_gaussian\", n_channels = 1, precision = " +
            gamma + ", weights = { bias_sd = 1.0, precision = " + gamma + " } }\n",
        "[model]\nlocations = { kind = \"binary\", n_dims = 2 }\n"
        "emission = { kind = \"linear_gaussian\", n_channels = 1, weights = { sd = 1.0 } }\n",
        "[model]\nlocations = { kind = \"euclidean\", precision = 1.0, n_leapfrog = 5, step_size = 0.1, acceptance = "
        "0.8 }\nemission = { kind = \"gaussian\", n_channels = 1, mean = 0.0, mean_weight = 1.0 }\n",
        "[model]\nemission = { kind = \"categorical\", n_symbols = 5, total_mass = 1.0 }\n",
        "[model]\ndynamics = \"semi_markov\"\ndurations = { kind = \"poisson\", omega = " + gamma + " }\n" +
            categorical,
        "[model]\ndynamics = \"semi_markov\"\ndurations = { kind = \"negative_binomial\", p = { a = 1.0, b = 1.0 }, r "
        "= "
        "[1.0] }\n" +
            categorical};
    std::set<std::string, std::less<>> read_by_somebody;
    for (const std::string& file : files) {
        const Config config = Config::parse(file, "m.toml");
        read_run(config, read_any_model(config, {}));
        config.section("generate").integer("n_steps", {}, 1);
        config.section("generate").integer("n_sequences", {}, 1);
        CHECK_NOTHROW(config.reject_unknown());
        std::istringstream lines(config.canonical_text());
        for (std::string line; std::getline(lines, line);) read_by_somebody.insert(line.substr(0, line.find(" = ")));
    }
    for (const std::string_view key : model_keys) {
        CAPTURE(key);
        CHECK(read_by_somebody.contains(key));
    }
}

TEST_CASE("model config: keys that belong to another choice are unknown") {
    CHECK(complaint_about("similarity = { kind = \"constant\", lambda = 1.0 }") ==
          "m.toml:3: model.similarity.lambda: unknown key; known here: kind");
    CHECK(complaint_about("locations = { n_dims = 2 }") ==
          "m.toml:3: model.locations.n_dims: unknown key; known here: kind");
    CHECK(complaint_about_model("model.emission = { kind = \"categorical\", precision = {} }", five_symbols) ==
          "m.toml:1: model.emission.precision: unknown key; known here: concentration, kind, n_symbols, total_mass");
}

TEST_CASE("model config: parts that do not fit together") {
    CHECK(
        complaint_about("similarity.kind = \"laplacian\"") ==
        "m.toml:3: model.similarity.kind: \"laplacian\" needs model.locations.kind = \"binary\", \"indian_buffet\" or "
        "\"corners\", found \"none\"");
    CHECK(complaint_about("locations = { kind = \"binary\", n_dims = 2 }\nsimilarity.kind = \"gaussian\"") ==
          "m.toml:4: model.similarity.kind: \"gaussian\" needs model.locations.kind = \"euclidean\", found "
          "\"binary\"");
    CHECK(complaint_about_model("[model]\nlocations.kind = \"euclidean\"\nemission.kind = \"linear_gaussian\"\n",
                                party) ==
          "m.toml:3: model.emission.kind: \"linear_gaussian\" needs model.locations.kind = \"binary\", "
          "\"indian_buffet\" or \"corners\", found \"euclidean\"");
    CHECK(complaint_about_model("model.emission.kind = \"categorical\"", three_channels) ==
          "m.toml:1: model.emission.kind: \"categorical\" needs symbols, the data have 3 channels");
    CHECK(complaint_about_model("model.emission.kind = \"gaussian\"", five_symbols) ==
          "m.toml:1: model.emission.kind: \"gaussian\" needs channels, the data have 5 symbols");
}

TEST_CASE("model config: the Indian buffet") {
    const Model model = read(
        "[model]\nlocations = { kind = \"indian_buffet\", n_dims = 12, concentration = { shape = 2.0, rate = 0.5 } }\n"
        "similarity.kind = \"laplacian\"\nemission = { kind = \"linear_gaussian\", weights = {} }\n",
        three_channels);
    CHECK(model.locations == LocationSpec(IndianBuffetLocations{12, GammaPrior{2.0, 0.5}}));
    CHECK(model.emission ==
          EmissionSpec(LinearGaussianSpec{{3, GammaPrior{0.1, 0.1}}, LearnedWeights::isotropic(12, 1.0)}));
    const auto symbols_at = [](const std::string& locations) {
        return read("[model]\nemission = { kind = \"categorical\", n_symbols = 5 }\nlocations = " + locations)
            .locations;
    };
    CHECK(symbols_at("{ kind = \"indian_buffet\", n_dims = 3 }") ==
          LocationSpec(IndianBuffetLocations{3, GammaPrior{1.0, 1.0}}));
    CHECK(symbols_at("{ kind = \"indian_buffet\", n_dims = 3, concentration = 4.0 }") ==
          LocationSpec(IndianBuffetLocations{3, 4.0}));
    CHECK(complaint_about("locations = { kind = \"indian_buffet\", n_dims = 3, concentration = 0.0 }") ==
          "m.toml:3: model.locations.concentration: expected a number in [1e-09, 1000000000], found the number 0.0");
    CHECK(complaint_about("locations = { kind = \"indian_buffet\", n_dims = 3, mu = { a = 1.0 } }")
              .find("model.locations.mu: unknown key") != std::string::npos);
}

TEST_CASE("model config: the factorial limit, and a state at every corner") {
    const Model model = read(
        "[model]\nlocations.kind = \"corners\"\nsimilarity = { kind = \"factorial_limit\", transitions = { a = 2.0 } "
        "}\n"
        "emission.kind = \"linear_gaussian\"\n",
        party);
    CHECK(model.n_states == 4);
    CHECK(model.locations == LocationSpec(CornerLocations{2}));
    CHECK(model.similarity == Similarity(FactorialLimitSimilarity{{2.0, 1.0}}));
    const Model moving = read(
        "[model]\nlocations = { kind = \"binary\", n_dims = 3 }\nsimilarity.kind = \"factorial_limit\"\n"
        "emission = { kind = \"categorical\", n_symbols = 5 }\n");
    CHECK(moving.similarity == Similarity(FactorialLimitSimilarity{{1.0, 1.0}}));
    CHECK(moving.n_states == 200);
    CHECK(complaint_about("locations = { kind = \"corners\", n_dims = 3 }\nn_states = 9") ==
          "m.toml:4: model.n_states: expected 2^n_dims = 8 with model.locations.kind = \"corners\", found 9");
    CHECK(
        complaint_about("locations = { kind = \"corners\", n_dims = 17 }") ==
        "m.toml:3: model.locations.n_dims: expected at most 16, for a state at each of the 2^n_dims corners, found 17");
    CHECK(complaint_about("similarity.kind = \"factorial_limit\"") ==
          "m.toml:3: model.similarity.kind: \"factorial_limit\" needs model.locations.kind = \"binary\", "
          "\"indian_buffet\" or \"corners\", found \"none\"");
    CHECK(complaint_about("locations = { kind = \"corners\", n_dims = 3 }\nsimilarity.kind = \"gaussian\"")
              .find("needs model.locations.kind = \"euclidean\"") != std::string::npos);
}

TEST_CASE("model config: sizes that are nowhere, or disagree with the data") {
    CHECK(complaint_about_model("model.emission.kind = \"categorical\"") ==
          "m.toml:1: model.emission.n_symbols: expected an integer in [1, 1000000], since no data tell it, found "
          "nothing");
    CHECK(complaint_about_model("model.emission.kind = \"gaussian\"") ==
          "m.toml:1: model.emission.n_channels: expected an integer in [1, 1000000], since no data tell it, found "
          "nothing");
    CHECK(
        complaint_about("locations.kind = \"binary\"") ==
        "m.toml:3: model.locations.n_dims: expected an integer in [1, 1000000], since no data tell it, found nothing");
    CHECK(complaint_about_model("model.emission = { kind = \"categorical\", n_symbols = 6 }", five_symbols) ==
          "m.toml:1: model.emission.n_symbols: expected 5 as in the data, found 6");
    CHECK(complaint_about_model("model.emission = { kind = \"gaussian\", n_channels = 2 }", three_channels) ==
          "m.toml:1: model.emission.n_channels: expected 3 as in the data, found 2");
    CHECK(complaint_about_model("model.emission.kind = \"categorical\"",
                                {.n_channels = {}, .n_symbols = 0, .weights = {}}) ==
          "m.toml:1: model.emission.n_symbols: expected at least 1, found none in the data");
    CHECK(complaint_about_model(
              "[model]\nlocations = { kind = \"binary\", n_dims = 3 }\nemission.kind = \"linear_gaussian\"\n", party) ==
          "m.toml:2: model.locations.n_dims: expected 2 as in the data, found 3");
}

TEST_CASE("model config: known weights must be there, and of the right size") {
    const std::string unknown =
        "m.toml:3: model.emission.weights: \"known\" needs weights in the data; { sd = 1.0 } would learn them";
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\", weights = \"known\" }", three_channels) == unknown);
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\" }", three_channels) == unknown);
    const auto with_weights = [](arma::uword n_rows, arma::uword n_cols) {
        return DataShape{.n_channels = 3, .n_symbols = {}, .weights = arma::mat(n_rows, n_cols, arma::fill::zeros)};
    };
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\" }", with_weights(3, 4)) ==
          "m.toml:3: model.emission.weights: expected weights of 3 channels as in the data, found 4");
    for (const arma::uword n_rows : {0u, 1u})
        CHECK(complaint_about_emission("{ kind = \"linear_gaussian\" }", with_weights(n_rows, 3)) ==
              "m.toml:2: model.locations.n_dims: expected at least 1, found none in the data");
    // Sizes that the weights would have given are not asked for first.
    CHECK(complaint_about_model("[model]\nlocations.kind = \"binary\"\nemission.kind = \"linear_gaussian\"\n",
                                three_channels) == unknown);
    const auto factorial = [](const DataShape& shape) {
        return failure<DataError>([&] {
            const std::string text = "[model]\ndynamics = \"factorial\"\nemission.kind = \"linear_gaussian\"\n";
            read_any_model(Config::parse(text, "m.toml"), shape);
        });
    };
    CHECK(factorial(three_channels) == unknown);
    CHECK(factorial(five_symbols) ==
          "m.toml:3: model.emission.kind: \"linear_gaussian\" needs channels, the data have 5 symbols");
    // Without data, the weights have all the sizes.
    const DataShape only_weights{.n_channels = {}, .n_symbols = {}, .weights = weights};
    CHECK(complaint_about_emission("{ kind = \"linear_gaussian\", n_channels = 4 }", only_weights) ==
          "m.toml:3: model.emission.n_channels: expected 3 as in the data, found 4");
}

TEST_CASE("model config: weights of the data that the model does not use fix no size") {
    const Model model = read(
        "[model]\nlocations = { kind = \"binary\", n_dims = 7 }\n"
        "emission = { kind = \"linear_gaussian\", weights = { sd = 1.0 } }\n",
        party);
    CHECK(std::get<BinaryLocations>(model.locations).n_dims == 7);
    CHECK(std::get<LinearGaussianSpec>(model.emission).n_dims() == 7);
}

TEST_CASE("model config: the precision of the filter") {
    const auto precision = [](const std::string& text) {
        return read_run(Config::parse(text, "m.toml"), Model{}).precision;
    };
    CHECK(precision("") == Precision::float32);
    CHECK(precision("run.precision = \"float\"") == Precision::float32);
    CHECK(precision("run.precision = \"double\"") == Precision::float64);
    CHECK(failure<DataError>([&] { precision("run.precision = \"half\""); }) ==
          "m.toml:1: run.precision: expected a string among \"float\", \"double\", found the string \"half\"");
}

TEST_CASE("model config: the splits and merges of a sweep") {
    const auto proposals = [](const std::string& text) {
        return read_run(Config::parse(text, "m.toml"), Model{}).splits_and_merges;
    };
    CHECK(proposals("") == default_splits_and_merges);
    CHECK(proposals("run.splits_and_merges = 0") == 0);
    CHECK(failure<DataError>([&] { proposals("run.splits_and_merges = -1"); }) ==
          "m.toml:1: run.splits_and_merges: expected an integer in [0, 1000000], found the integer -1");
}

TEST_CASE("model config: what --set did wrong is a usage error") {
    const auto set = [](const std::string& assignment) {
        Config config = Config::parse(complete, "m.toml");
        config.set(assignment);
        return failure<UsageError>([&] { read_model(config, party); });
    };
    CHECK(set("model.n_states=0") ==
          "--set model.n_states=0: model.n_states: expected an integer in [1, 100000], found the integer 0");
    CHECK(set("model.locations.n_dims=3") ==
          "--set model.locations.n_dims=3: model.locations.n_dims: expected 2 as in the data, found 3");
    CHECK(set("model.emission={n_channels=3}") ==
          "--set model.emission={n_channels=3}: model.emission.kind: expected a string among \"linear_gaussian\", "
          "\"categorical\", \"gaussian\", found nothing");
}

TEST_CASE("model config: how states follow each other") {
    const std::string text = "[model]\nemission.kind = \"gaussian\"\nemission.n_channels = 2\n";
    CHECK((read(text, {}).dynamics == Dynamics{MarkovDynamics{}}));
    CHECK((read(text + "dynamics = \"markov\"\n", {}) == read(text, {})));
    Model beam = read(text, {});
    beam.dynamics = BeamDynamics{};
    CHECK((read(text + "dynamics = \"beam\"\n", {}) == beam));

    const std::string segments = text + "dynamics = \"semi_markov\"\n";
    Model semi = read(text, {});
    semi.dynamics = SemiMarkovDynamics{PoissonDurations{{1.0, 0.1}}};
    CHECK((read(segments, {}) == semi));
    semi.dynamics = SemiMarkovDynamics{PoissonDurations{{2.0, 0.1}}};
    CHECK((read(segments + "durations = { omega = { shape = 2.0 } }\n", {}) == semi));
    semi.dynamics = SemiMarkovDynamics{NegativeBinomialDurations{{1.0, 3.0}, {1.0, 2.5}}};
    CHECK(
        (read(segments + "durations = { kind = \"negative_binomial\", p = { b = 3.0 }, r = [1, 2.5] }\n", {}) == semi));
    CHECK(failure<DataError>([&] { read(segments + "n_states = 1\n", {}); }) ==
          "m.toml:4: model.dynamics: \"semi_markov\" needs at least 2 states, since none follows itself, found 1");
    CHECK(failure<DataError>([&] { read(segments + "[priors]\nrho = { a = 1.0 }\n", {}); }) ==
          "m.toml:6: priors.rho: expected 0 with model.dynamics = \"semi_markov\", whose states last by a law of their "
          "own");
    CHECK(failure<DataError>([&] { read(text + "durations = { kind = \"poisson\" }\n", {}); }) ==
          "m.toml:4: model.durations: expected only with model.dynamics = \"semi_markov\", found it with \"markov\"");
    CHECK(failure<DataError>([&] { read(segments + "durations = { omega = { shape = 100.0, rate = 1e-9 } }\n", {}); })
              .starts_with(
                  "m.toml:5: model.durations.omega: expected a mean, shape / rate, of at most 1e+06, found 1e+11"));
    const std::string binomial = segments + "durations = { kind = \"negative_binomial\", ";
    CHECK(failure<DataError>([&] {
              read(binomial + "p = { a = 0.001 } }\n", {});
          }).starts_with("m.toml:5: model.durations.p.a: expected"));
    CHECK(failure<DataError>([&] {
              read(binomial + "r = [1, 2, 1.0] }\n", {});
          }).starts_with("m.toml:5: model.durations.r: expected numbers that differ"));
    CHECK(failure<DataError>([&] {
              read(segments + "durations = { kind = \"negative_binomial\", r = [] }\n", {});
          }).find("model.durations.r") != std::string::npos);
    const auto sampler = [&](const std::string& run) {
        const Config config = Config::parse(segments + run, "m.toml");
        return read_run(config, read_any_model(config, {})).sampler;
    };
    CHECK(sampler("") == Sampler::blocked);
    CHECK(failure<DataError>([&] { sampler("[run]\nsampler = \"single\"\n"); }) ==
          "m.toml:6: run.sampler: expected \"blocked\" with model.dynamics = \"semi_markov\", found \"single\", which "
          "would have to count jumps that always fail");
}

TEST_CASE("model config: the factorial model, whose states are its bits") {
    const auto read_any = [](const std::string& text, const DataShape& shape) {
        const Config config = Config::parse(text, "m.toml");
        AnyModel model = read_any_model(config, shape);
        config.reject_unknown();
        return model;
    };
    const std::string text = "[model]\ndynamics = \"factorial\"\n[priors]\ngamma = { shape = 0.1, rate = 0.2 }\n";
    const auto model = std::get<FactorialModel>(read_any(text, party));
    CHECK(model.emission.n_dims() == 2);
    CHECK(model.emission.n_channels() == 3);
    CHECK(std::get<GammaPrior>(model.gamma) == GammaPrior{0.1, 0.2});
    CHECK(std::holds_alternative<Model>(read_any(complete, party)));
    CHECK(failure<DataError>([&] {
              read_any("[model]\ndynamics = \"factorial\"\nn_states = 4\n", party);
          }).starts_with("m.toml:3: model.n_states: unknown key"));
    CHECK(failure<DataError>([&] {
              read_any("[model]\ndynamics = \"forward_backward\"\n", party);
          }).starts_with("m.toml:2: model.dynamics: expected"));
    CHECK(failure<DataError>([&] { read(text, party); }).find("model.dynamics") != std::string::npos);
}
