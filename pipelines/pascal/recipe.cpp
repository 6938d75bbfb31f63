#include "pipelines/pascal/recipe.hpp"

#include <fmt/format.h>

#include <string_view>

namespace hmmlt::pascal {

namespace {

constexpr std::string_view recipe_keys[]{
    "corpus.sample_rate", "party.n_conversations", "party.n_speakers",   "party.turn_concentration",
    "party.duration",     "party.initial_silence", "party.silence_mean", "party.silence_sd",
    "signal.step",        "signal.n_steps",        "signal.value",       "signal.mean",
    "signal.sd",          "mix.n_channels",        "mix.weight_low",     "mix.weight_high",
    "mix.noise_sd",
};

arma::uword whole(const Section& section, const char* key, std::int64_t min, std::int64_t max) {
    return static_cast<arma::uword>(section.integer(key, {.min = min, .max = max}));
}

}  // namespace

Recipe read_recipe(const Config& config) {
    config.reject_all_but(recipe_keys);
    const Section corpus = config.section("corpus");
    const Section party = config.section("party");
    const Section signal = config.section("signal");
    const Section mix = config.section("mix");
    Recipe recipe{
        .sample_rate = static_cast<int>(corpus.integer("sample_rate", {.min = 1, .max = 1000000})),
        .n_conversations = whole(party, "n_conversations", 1, 1000),
        .n_speakers = whole(party, "n_speakers", 1, 1000),
        .turn_concentration = party.real("turn_concentration", RealRange::closed(1e-3, 1e6)),
        .duration = party.real("duration", RealRange::closed(0.01, 3600.0)),
        .initial_silence = whole(party, "initial_silence", 1, 100000000),
        .silence_mean = party.real("silence_mean", RealRange::closed(0.0, 3600.0)),  // else few draws are >= 0
        .silence_sd = party.real("silence_sd", RealRange::closed(0.0, 3600.0)),
        .step = whole(signal, "step", 1, 100000000),
        .n_steps = {},
        .absolute = signal.text("value", {"absolute", "signed"}) == "absolute",
        .signal_mean = signal.real("mean", RealRange::closed(-1e6, 1e6)),
        .signal_sd = signal.real("sd", RealRange::closed(0.0, 1e6)),
        .n_channels = whole(mix, "n_channels", 1, 10000),
        .weight_low = mix.real("weight_low", RealRange::closed(-1e6, 1e6)),
        .weight_high = mix.real("weight_high", RealRange::closed(-1e6, 1e6)),
        .noise_sd = mix.real("noise_sd", RealRange::closed(0.0, 1e6)),
    };
    if (recipe.weight_high < recipe.weight_low)
        mix.fail("weight_high",
                 fmt::format("expected at least weight_low = {}, found {}", recipe.weight_low, recipe.weight_high));
    if (recipe.n_samples() <= recipe.step / 2)
        signal.fail("step", fmt::format("expected a step below twice the {} samples of party.duration, found {}",
                                        recipe.n_samples(), recipe.step));
    const arma::uword n_certain = (recipe.n_samples() - recipe.step / 2 + recipe.step - 1) / recipe.step;
    if (signal.has("n_steps")) recipe.n_steps = whole(signal, "n_steps", 1, static_cast<std::int64_t>(n_certain));
    return recipe;
}

}  // namespace hmmlt::pascal
