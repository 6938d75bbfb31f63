// A model from its TOML description: the sections [model] and [priors] of a model file, docs/formats.md.
#pragma once

#include <armadillo>
#include <optional>

#include "hmmlt/io/config.hpp"
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

// Throws DataError (UsageError for a value from --set) with file, line, key, expected and found. Does not call
// reject_unknown: other sections belong to other readers.
Model read_model(const Config& config, const DataShape& shape);

}  // namespace hmmlt
