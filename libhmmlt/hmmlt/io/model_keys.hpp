// Every key of a model file, whoever reads it, so that one that nobody knows is found before the first is read. A key
// that a reader asks for and that is not here is refused in every file.
#pragma once

#include <string_view>

namespace hmmlt {

inline constexpr std::string_view model_keys[]{
    "model.dynamics",
    "model.n_states",
    "model.durations.kind",
    "model.durations.omega.shape",
    "model.durations.omega.rate",
    "model.durations.p.a",
    "model.durations.p.b",
    "model.durations.r",
    "model.emission.kind",
    "model.emission.n_channels",
    "model.emission.n_symbols",
    "model.emission.concentration",
    "model.emission.total_mass",
    "model.emission.mean",
    "model.emission.mean_weight",
    "model.emission.precision.shape",
    "model.emission.precision.rate",
    "model.emission.weights.sd",
    "model.emission.weights.bias_sd",
    "model.emission.weights.precision.shape",
    "model.emission.weights.precision.rate",
    "model.locations.kind",
    "model.locations.n_dims",
    "model.locations.mu.a",
    "model.locations.mu.b",
    "model.locations.concentration.shape",
    "model.locations.concentration.rate",
    "model.locations.precision",
    "model.locations.n_leapfrog",
    "model.locations.step_size",
    "model.locations.acceptance",
    "model.similarity.kind",
    "model.similarity.lambda.prior",
    "model.similarity.lambda.rate",
    "model.similarity.transitions.a",
    "model.similarity.transitions.b",
    "priors.gamma.shape",
    "priors.gamma.rate",
    "priors.concentration.shape",
    "priors.concentration.rate",
    "priors.rho.a",
    "priors.rho.b",
    "run.sampler",
    "run.start",
    "run.burn_in",
    "run.record_every",
    "run.heldout_every",
    "run.draws_every",
    "run.state_marginals",
    "run.precision",
    "generate.n_steps",
    "generate.n_sequences",
};

}  // namespace hmmlt
