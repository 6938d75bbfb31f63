// A model from its TOML description: the sections [model] and [priors] of a model file, docs/formats.md.
#pragma once

#include <armadillo>
#include <optional>
#include <variant>

#include "hmmlt/io/config.hpp"
#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/model.hpp"

namespace hmmlt {

// What the data say about the sizes of a model. A size that is also in the file must agree; one that is nowhere is an
// error naming the key that would give it. Nothing at all: there are no data yet.
struct DataShape {
    std::optional<arma::uword> n_channels;
    std::optional<arma::uword> n_symbols;
    // (n_dims + 1) x n_channels; read, and its sizes those of the model, only where emission.weights = "known"
    std::optional<arma::mat> weights;
};

// What a model file can describe: [model] dynamics = "markov" (the default), "beam", "semi_markov"
// or "factorial".
using AnyModel = std::variant<Model, FactorialModel>;

// Throws DataError (UsageError for a value from --set) with file, line, key, expected and found; first of all for a key
// that no model file has. Does not call reject_unknown: other sections belong to other readers.
AnyModel read_any_model(const Config& config, const DataShape& shape);

// The same where only an HMM will do.
Model read_model(const Config& config, const DataShape& shape);

}  // namespace hmmlt
