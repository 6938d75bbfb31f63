// Priors of scalar hyperparameters, and the choice between sampling one and holding it fixed.
#pragma once

#include <variant>

namespace hmmlt {

struct GammaPrior {
    double shape = 1.0;
    double rate = 1.0;

    bool operator==(const GammaPrior&) const = default;
};

struct BetaPrior {
    double a = 1.0;
    double b = 1.0;

    bool operator==(const BetaPrior&) const = default;
};

struct ExponentialPrior {
    double rate = 1.0;

    bool operator==(const ExponentialPrior&) const = default;
};

// A hyperparameter is either fixed at a value or has a prior and is sampled.
template <typename Prior>
using Hyperparameter = std::variant<double, Prior>;

template <typename Prior>
bool is_fixed(const Hyperparameter<Prior>& hyperparameter) {
    return std::holds_alternative<double>(hyperparameter);
}

}  // namespace hmmlt
