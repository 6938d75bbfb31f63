// What is known beforehand of the weights W of a linear-Gaussian emission: all of them, their law, or its family.
#pragma once

#include <armadillo>
#include <optional>
#include <string_view>
#include <variant>

#include "hmmlt/math/priors.hpp"

namespace hmmlt {

// W is (n_dims + 1) x n_channels, row 0 the bias.
struct KnownWeights {
    arma::mat weights;
};
bool operator==(const KnownWeights& a, const KnownWeights& b);

struct LearnedWeights {   // every column of W ~ N(m_0, P_0^-1)
    arma::vec mean;       // m_0: n_dims + 1
    arma::mat precision;  // P_0: (n_dims + 1) x (n_dims + 1), symmetric and positive definite

    // Mean 0, independent weights of the same precision.
    static LearnedWeights isotropic(arma::uword n_dims, double precision);
};
bool operator==(const LearnedWeights& a, const LearnedWeights& b);

// W_0i ~ N(0, 1 / bias_precision); all other weights ~ N(0, 1 / tau), where tau is learnt          docs/model.md (114)
struct SharedPrecisionWeights {
    arma::uword n_dims = 0;
    double bias_precision = 1.0;
    GammaPrior precision;  // of tau

    LearnedWeights given(double tau) const;
    bool operator==(const SharedPrecisionWeights&) const = default;
};

using WeightSpec = std::variant<KnownWeights, LearnedWeights, SharedPrecisionWeights>;

arma::uword n_rows(const WeightSpec& spec);  // of W
void check_weight_spec(std::string_view function, const WeightSpec& spec, arma::uword n_channels);

// The prior of a column given tau, which must be there if it is learnt; none of weights that are known.
std::optional<LearnedWeights> column_prior(const WeightSpec& spec, const std::optional<double>& tau);

// tau | W: the bias says nothing about it                                                         docs/model.md (115)
GammaPrior weight_precision_law(const SharedPrecisionWeights& prior, const arma::mat& weights);

}  // namespace hmmlt
