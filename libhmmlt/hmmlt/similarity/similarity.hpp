// The similarities phi a model can have. Most are exp(-lambda delta), docs/model.md (36)-(38); what differs is the
// distance delta, which belongs to the locations, and whether there is a lambda at all.
#pragma once

#include <variant>

#include "hmmlt/math/priors.hpp"

namespace hmmlt {

// phi = 1: the ordinary HDP-HMM, whatever the locations.
struct ConstantSimilarity {
    static constexpr const char* kind = "constant";
    bool operator==(const ConstantSimilarity&) const = default;
};

// phi = exp(-lambda delta), delta the Hamming distance of two vectors of bits.
struct LaplacianSimilarity {
    static constexpr const char* kind = "laplacian";
    Hyperparameter<ExponentialPrior> lambda = ExponentialPrior{};
    bool operator==(const LaplacianSimilarity&) const = default;
};

// phi = exp(-lambda delta), delta the squared Euclidean distance of two points.
struct GaussianSimilarity {
    static constexpr const char* kind = "gaussian";
    Hyperparameter<ExponentialPrior> lambda = ExponentialPrior{};
    bool operator==(const GaussianSimilarity&) const = default;
};

// phi = the product of two-state transitions of the bits, docs/model.md (89): neither symmetric nor 1 on the diagonal.
struct FactorialLimitSimilarity {
    static constexpr const char* kind = "factorial_limit";
    BetaPrior transitions;  // of A^(d)[v, 1], the same for all d and v
    bool operator==(const FactorialLimitSimilarity&) const = default;
};

using Similarity = std::variant<ConstantSimilarity, LaplacianSimilarity, GaussianSimilarity, FactorialLimitSimilarity>;

// lambda as a hyperparameter: fixed at 0 where there is none.
inline Hyperparameter<ExponentialPrior> lambda_prior(const Similarity& similarity) {
    return std::visit(
        [](const auto& part) -> Hyperparameter<ExponentialPrior> {
            if constexpr (requires { part.lambda; })
                return part.lambda;
            else
                return 0.0;
        },
        similarity);
}

}  // namespace hmmlt
