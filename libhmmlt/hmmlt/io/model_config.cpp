// One function per part of a model. Sizes come from the file, from the data, or from both, which must then agree.
#include "hmmlt/io/model_config.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "hmmlt/io/model_keys.hpp"

namespace hmmlt {

namespace {

constexpr std::int64_t most_states = 100000;

// Beyond these, draws leave the range of doubles sooner or later.
const RealRange positive = RealRange::closed(1e-9, 1e9);
const RealRange in_units_of_data = RealRange::closed(1e-100, 1e100);   // or their squares
const RealRange precision_shape = RealRange::closed(0.05, 1e9);        // a vaguer prior draws precisions that are 0
const RealRange weight_sd = RealRange::closed(1e-6, 1e6);              // the precision of the weights stays invertible
const RealRange weight_precision = RealRange::closed(1e-12, 1e12);     // as above
const RealRange weight_precision_shape = RealRange::closed(0.5, 1e9);  // as above, of a start drawn from the prior
const RealRange shape_of_p = RealRange::closed(0.05, 1e9);             // below it, durations are beyond any double
constexpr double longest_mean_duration = 1e6;                          // beyond it, sums over durations have no end

// A number is a fixed value, a table a prior.
Hyperparameter<GammaPrior> read_gamma(const Section& section, const char* key) {
    if (section.has(key) && !section.is_table(key)) return section.real(key, positive);
    const Section prior = section.section(key);
    return GammaPrior{prior.real("shape", positive, 1.0), prior.real("rate", positive, 1.0)};
}

BetaPrior read_beta_prior(const Section& prior) {
    return {prior.real("a", positive, 1.0), prior.real("b", positive, 1.0)};
}

Hyperparameter<BetaPrior> read_rho(const Section& priors) {
    if (priors.is_table("rho")) return read_beta_prior(priors.section("rho"));
    return priors.real("rho", RealRange::closed(0.0, 1.0), 0.0);
}

Hyperparameter<ExponentialPrior> read_lambda(const Section& similarity) {
    if (similarity.has("lambda") && !similarity.is_table("lambda"))
        return similarity.real("lambda", RealRange::closed(0.0, 1e9));
    const Section prior = similarity.section("lambda");
    prior.text("prior", {"exponential"}, "exponential");
    return ExponentialPrior{prior.real("rate", positive, 0.1)};
}

// A part that needs other locations than there are. check_model has these rules too, but no line to name.
template <typename Needed>
void need_locations(const Section& part, std::string_view kind, const LocationSpec& found) {
    if (std::holds_alternative<Needed>(found)) return;
    part.fail("kind", fmt::format(R"("{}" needs model.locations.kind = "{}", found "{}")", kind, Needed::kind,
                                  location_kind(found)));
}

void need_bits(const Section& part, std::string_view kind, const LocationSpec& found) {
    if (n_bits_of(found) > 0) return;
    part.fail("kind", fmt::format(R"("{}" needs model.locations.kind = "{}", "{}" or "{}", found "{}")", kind,
                                  BinaryLocations::kind, IndianBuffetLocations::kind, CornerLocations::kind,
                                  location_kind(found)));
}

Similarity read_similarity(const Section& section, const LocationSpec& locations) {
    const std::string kind = section.text(
        "kind",
        {ConstantSimilarity::kind, LaplacianSimilarity::kind, GaussianSimilarity::kind, FactorialLimitSimilarity::kind},
        "constant");
    if (kind == LaplacianSimilarity::kind) {
        need_bits(section, kind, locations);
        return LaplacianSimilarity{read_lambda(section)};
    }
    if (kind == FactorialLimitSimilarity::kind) {
        need_bits(section, kind, locations);
        return FactorialLimitSimilarity{read_beta_prior(section.section("transitions"))};
    }
    if (kind == GaussianSimilarity::kind) {
        need_locations<EuclideanLocations>(section, kind, locations);
        return GaussianSimilarity{read_lambda(section)};
    }
    return ConstantSimilarity{};
}

arma::uword read_size(const Section& section, const char* key, std::optional<arma::uword> from_data) {
    const IntegerRange sizes{.min = 1, .max = 1000000};
    if (!from_data && !section.has(key))
        section.fail(key, fmt::format("expected an integer in [{}, {}], since no data tell it, found nothing",
                                      sizes.min, sizes.max));
    if (!from_data) return static_cast<arma::uword>(section.integer(key, sizes));
    if (*from_data == 0) section.fail(key, "expected at least 1, found none in the data");
    const auto size = section.integer(key, sizes, static_cast<std::int64_t>(*from_data));
    if (size != static_cast<std::int64_t>(*from_data))
        section.fail(key, fmt::format("expected {} as in the data, found {}", *from_data, size));
    return *from_data;
}

LocationSpec read_locations(const Section& section, const DataShape& shape) {
    const std::string kind = section.text("kind",
                                          {NoLocations::kind, BinaryLocations::kind, EuclideanLocations::kind,
                                           IndianBuffetLocations::kind, CornerLocations::kind},
                                          "none");
    std::optional<arma::uword> n_dims;
    if (shape.weights) n_dims = shape.weights->is_empty() ? 0 : shape.weights->n_rows - 1;
    if (kind == BinaryLocations::kind)
        return BinaryLocations{read_size(section, "n_dims", n_dims), read_beta_prior(section.section("mu"))};
    if (kind == IndianBuffetLocations::kind)
        return IndianBuffetLocations{read_size(section, "n_dims", n_dims), read_gamma(section, "concentration")};
    if (kind == CornerLocations::kind) {
        const arma::uword size = read_size(section, "n_dims", n_dims);
        if (size > most_corner_dims)
            section.fail("n_dims",
                         fmt::format("expected at most {}, for a state at each of the 2^n_dims corners, found {}",
                                     most_corner_dims, size));
        return CornerLocations{size};
    }
    if (kind == EuclideanLocations::kind) {
        EuclideanLocations spec;
        spec.n_dims = static_cast<arma::uword>(section.integer("n_dims", {.min = 1, .max = 100}, 2));
        spec.location_precision = section.real("precision", positive, spec.location_precision);
        spec.n_leapfrog = static_cast<arma::uword>(section.integer("n_leapfrog", {.min = 1, .max = 1000}, 10));
        spec.initial_step_size = section.real("step_size", positive, spec.initial_step_size);
        spec.target_acceptance = section.real("acceptance", RealRange::open(0.0, 1.0), spec.target_acceptance);
        return spec;
    }
    return NoLocations{};
}

// Weights are known unless a table says how to learn them. Told before sizes are asked for, which they would give.
void check_weights(const Section& emission, const DataShape& shape) {
    if (emission.is_table("weights")) return;
    emission.text("weights", {"known"}, "known");
    if (!shape.weights) emission.fail("weights", R"("known" needs weights in the data; { sd = 1.0 } would learn them)");
    if (shape.n_channels && shape.weights->n_cols != *shape.n_channels)
        emission.fail("weights", fmt::format("expected weights of {} channels as in the data, found {}",
                                             *shape.n_channels, shape.weights->n_cols));
}

// Either one sd of all weights, or the bias and the rest apart: the rest has a precision, fixed or learnt.
WeightSpec read_learned_weights(const Section& weights, arma::uword n_dims) {
    const auto precision_of = [&weights](const char* sd_key) {
        const double sd = weights.real(sd_key, weight_sd, 1.0);
        return 1.0 / (sd * sd);
    };
    if (!weights.has("precision")) return LearnedWeights::isotropic(n_dims, precision_of("sd"));
    if (weights.has("sd"))
        weights.fail("sd", "expected either this or precision, not both (beside precision, bias_sd is of the bias)");
    SharedPrecisionWeights spec{n_dims, precision_of("bias_sd"), {}};
    if (!weights.is_table("precision")) return spec.given(weights.real("precision", weight_precision));
    const Section prior = weights.section("precision");
    spec.precision = {prior.real("shape", weight_precision_shape, 1.0), prior.real("rate", positive, 1.0)};
    return spec;
}

GammaPrior read_precision(const Section& emission, double fallback) {
    const Section precision = emission.section("precision");
    return {precision.real("shape", precision_shape, fallback), precision.real("rate", in_units_of_data, fallback)};
}

LinearGaussianSpec read_linear_gaussian(const Section& section, const LocationSpec& locations, const DataShape& shape) {
    need_bits(section, LinearGaussianSpec::kind, locations);
    LinearGaussianSpec spec;
    std::optional<arma::uword> n_channels = shape.n_channels;
    if (section.is_table("weights")) {
        spec.weights = read_learned_weights(section.section("weights"), n_bits_of(locations));
    } else {
        n_channels = shape.weights->n_cols;
        spec.weights = KnownWeights{*shape.weights};
    }
    spec.h.assign(read_size(section, "n_channels", n_channels), read_precision(section, 0.1));
    return spec;
}

CategoricalSpec read_categorical(const Section& section, const DataShape& shape) {
    const arma::uword n_symbols = read_size(section, "n_symbols", shape.n_symbols);
    if (section.has("total_mass")) {
        if (section.has("concentration")) section.fail("total_mass", "expected either this or concentration, not both");
        const double mass = section.real("total_mass", positive);
        return CategoricalSpec::symmetric(n_symbols, mass / static_cast<double>(n_symbols));
    }
    return CategoricalSpec::symmetric(n_symbols, section.real("concentration", positive, 1.0));
}

GaussianSpec read_gaussian(const Section& section, const DataShape& shape) {
    const GammaPrior precision = read_precision(section, 1.0);
    const NormalGammaLaw law{.m = section.real("mean", RealRange::closed(-1e100, 1e100), 0.0),
                             .k = section.real("mean_weight", positive, 0.01),
                             .a = precision.shape,
                             .b = precision.rate};
    return {std::vector<NormalGammaLaw>(read_size(section, "n_channels", shape.n_channels), law)};
}

void need_data_of_kind(const Section& section, const std::string& kind, const DataShape& shape) {
    const bool is_categorical = kind == CategoricalSpec::kind;
    if (is_categorical && shape.n_channels && !shape.n_symbols)
        section.fail("kind", fmt::format(R"("{}" needs symbols, the data have {} channels)", kind, *shape.n_channels));
    if (!is_categorical && shape.n_symbols && !shape.n_channels)
        section.fail("kind", fmt::format(R"("{}" needs channels, the data have {} symbols)", kind, *shape.n_symbols));
}

EmissionSpec read_emission(const Section& section, const std::string& kind, const LocationSpec& locations,
                           const DataShape& shape) {
    if (kind == LinearGaussianSpec::kind) return read_linear_gaussian(section, locations, shape);
    if (kind == CategoricalSpec::kind) return read_categorical(section, shape);
    return read_gaussian(section, shape);
}

constexpr const char* factorial_dynamics = "factorial";

const Section::Texts& hmm_dynamics() {
    static const Section::Texts kinds{MarkovDynamics::kind, BeamDynamics::kind, SemiMarkovDynamics::kind};
    return kinds;
}

DurationSpec read_durations(const Section& section) {
    const std::string kind =
        section.text("kind", {PoissonDurations::kind, NegativeBinomialDurations::kind}, PoissonDurations::kind);
    if (kind == PoissonDurations::kind) {
        const Section omega = section.section("omega");
        const GammaPrior prior{omega.real("shape", positive, 1.0), omega.real("rate", positive, 0.1)};
        if (prior.shape > longest_mean_duration * prior.rate)
            section.fail("omega", fmt::format("expected a mean, shape / rate, of at most {:g}, found {:g}",
                                              longest_mean_duration, prior.shape / prior.rate));
        return PoissonDurations{prior};
    }
    const NegativeBinomialDurations fallback;
    const Section p = section.section("p");
    NegativeBinomialDurations spec{{p.real("a", shape_of_p, 1.0), p.real("b", shape_of_p, 1.0)},
                                   section.reals("r", positive, fallback.r)};
    if (spec.r.empty()) section.fail("r", "expected at least one number to choose from, found none");
    if (std::set<double>(spec.r.begin(), spec.r.end()).size() < spec.r.size())
        section.fail("r", "expected numbers that differ, each as likely as the others, found one twice");
    return spec;
}

Dynamics read_dynamics(const Section& section, const Section& priors, const std::string& kind, const Model& model) {
    if (kind != SemiMarkovDynamics::kind && section.has("durations"))
        section.fail("durations", fmt::format(R"(expected only with model.dynamics = "{}", found it with "{}")",
                                              SemiMarkovDynamics::kind, kind));
    if (kind == BeamDynamics::kind) return BeamDynamics{};
    if (kind != SemiMarkovDynamics::kind) return MarkovDynamics{};
    if (model.n_states < 2)
        section.fail("dynamics", R"("semi_markov" needs at least 2 states, since none follows itself, found 1)");
    if (!is_fixed(model.rho) || std::get<double>(model.rho) != 0.0)
        priors.fail("rho",
                    R"(expected 0 with model.dynamics = "semi_markov", whose states last by a law of their own)");
    return SemiMarkovDynamics{read_durations(section.section("durations"))};
}

// Weights that the model does not use say nothing about its sizes.
DataShape shape_for(const Section& emission, const std::string& kind, const DataShape& shape) {
    DataShape used = shape;
    if (kind != LinearGaussianSpec::kind || emission.is_table("weights")) used.weights.reset();
    return used;
}

// Corners have a state each.
arma::uword read_n_states(const Section& section, const LocationSpec& locations) {
    const bool corners = std::holds_alternative<CornerLocations>(locations);
    const arma::uword fallback = corners ? n_corners(n_bits_of(locations)) : 200;
    const auto n_states = static_cast<arma::uword>(
        section.integer("n_states", {.min = 1, .max = most_states}, static_cast<std::int64_t>(fallback)));
    if (corners && n_states != fallback)
        section.fail("n_states",
                     fmt::format(R"(expected 2^n_dims = {} with model.locations.kind = "corners", found {})", fallback,
                                 n_states));
    return n_states;
}

Model read_hmm(const Section& section, const Section& priors, const std::string& dynamics, const DataShape& shape) {
    const Section emission = section.section("emission");
    const std::string emission_kind =
        emission.text("kind", {LinearGaussianSpec::kind, CategoricalSpec::kind, GaussianSpec::kind});
    need_data_of_kind(emission, emission_kind, shape);
    const DataShape used = shape_for(emission, emission_kind, shape);
    if (emission_kind == LinearGaussianSpec::kind) check_weights(emission, used);
    Model model;
    model.locations = read_locations(section.section("locations"), used);
    model.n_states = read_n_states(section, model.locations);
    model.similarity = read_similarity(section.section("similarity"), model.locations);
    model.emission = read_emission(emission, emission_kind, model.locations, used);
    model.gamma = read_gamma(priors, "gamma");
    model.c = read_gamma(priors, "concentration");
    model.rho = read_rho(priors);
    model.dynamics = read_dynamics(section, priors, dynamics, model);
    check_model(model);
    return model;
}

// Its states are the bits themselves: no J, no similarity, no mu, no rho.
FactorialModel read_factorial(const Section& section, const Section& priors, const DataShape& shape) {
    const Section emission = section.section("emission");
    const std::string kind = emission.text("kind", {LinearGaussianSpec::kind}, LinearGaussianSpec::kind);
    need_data_of_kind(emission, kind, shape);
    const DataShape used = shape_for(emission, kind, shape);
    check_weights(emission, used);
    const Section locations = section.section("locations");
    locations.text("kind", {BinaryLocations::kind}, BinaryLocations::kind);
    std::optional<arma::uword> n_dims;
    if (used.weights) n_dims = used.weights->is_empty() ? 0 : used.weights->n_rows - 1;
    const BinaryLocations bits{read_size(locations, "n_dims", n_dims), {}};
    FactorialModel model;
    model.emission = read_linear_gaussian(emission, bits, used);
    model.gamma = read_gamma(priors, "gamma");
    model.c = read_gamma(priors, "concentration");
    return model;
}

}  // namespace

AnyModel read_any_model(const Config& config, const DataShape& shape) {
    config.reject_all_but(model_keys);
    const Section section = config.section("model");
    const Section priors = config.section("priors");
    Section::Texts kinds = hmm_dynamics();
    kinds.emplace_back(factorial_dynamics);
    const std::string dynamics = section.text("dynamics", kinds, MarkovDynamics::kind);
    if (dynamics == factorial_dynamics) return read_factorial(section, priors, shape);
    return read_hmm(section, priors, dynamics, shape);
}

Model read_model(const Config& config, const DataShape& shape) {
    config.reject_all_but(model_keys);
    const Section section = config.section("model");
    const std::string dynamics = section.text("dynamics", hmm_dynamics(), MarkovDynamics::kind);
    return read_hmm(section, config.section("priors"), dynamics, shape);
}

}  // namespace hmmlt
