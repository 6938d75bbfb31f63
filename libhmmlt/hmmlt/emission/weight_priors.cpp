#include "hmmlt/emission/weight_priors.hpp"

#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/equality.hpp"

namespace hmmlt {

LearnedWeights LearnedWeights::isotropic(arma::uword n_dims, double precision) {
    check_positive_finite("LearnedWeights::isotropic", "precision", precision);
    return {arma::vec(n_dims + 1, arma::fill::zeros), precision * arma::mat(n_dims + 1, n_dims + 1, arma::fill::eye)};
}

LearnedWeights SharedPrecisionWeights::given(double tau) const {
    LearnedWeights prior = LearnedWeights::isotropic(n_dims, tau);
    prior.precision(0, 0) = bias_precision;
    return prior;
}

bool operator==(const KnownWeights& a, const KnownWeights& b) {
    return same_values(a.weights, b.weights);
}

bool operator==(const LearnedWeights& a, const LearnedWeights& b) {
    return same_values(a.mean, b.mean) && same_values(a.precision, b.precision);
}

arma::uword n_rows(const WeightSpec& spec) {
    if (const auto* known = std::get_if<KnownWeights>(&spec)) return known->weights.n_rows;
    if (const auto* learned = std::get_if<LearnedWeights>(&spec)) return learned->mean.n_elem;
    return std::get<SharedPrecisionWeights>(spec).n_dims + 1;
}

void check_weight_spec(std::string_view function, const WeightSpec& spec, arma::uword n_channels) {
    if (const auto* known = std::get_if<KnownWeights>(&spec)) {
        check_not_empty(function, "the rows of spec.weights", known->weights.n_rows);
        check_size(function, "the columns of spec.weights", known->weights.n_cols, n_channels);
        for (const double weight : known->weights) check_finite(function, "spec.weights", weight);
    } else if (const auto* learned = std::get_if<LearnedWeights>(&spec)) {
        check_not_empty(function, "spec.weights.mean", learned->mean.n_elem);
        check_size(function, "the rows of spec.weights.precision", learned->precision.n_rows, learned->mean.n_elem);
        check_size(function, "the columns of spec.weights.precision", learned->precision.n_cols, learned->mean.n_elem);
    } else {
        const auto& shared = std::get<SharedPrecisionWeights>(spec);
        check_positive_finite(function, "spec.weights.bias_precision", shared.bias_precision);
        check_positive_finite(function, "spec.weights.precision.shape", shared.precision.shape);
        check_positive_finite(function, "spec.weights.precision.rate", shared.precision.rate);
    }
}

std::optional<LearnedWeights> column_prior(const WeightSpec& spec, const std::optional<double>& tau) {
    if (std::holds_alternative<KnownWeights>(spec)) return std::nullopt;
    if (const auto* learned = std::get_if<LearnedWeights>(&spec)) return *learned;
    if (!tau) throw std::domain_error("column_prior: the precision of the weights is learnt, but the state has none");
    return std::get<SharedPrecisionWeights>(spec).given(*tau);
}

GammaPrior weight_precision_law(const SharedPrecisionWeights& prior, const arma::mat& weights) {
    check_size("weight_precision_law", "the rows of weights", weights.n_rows, prior.n_dims + 1);
    const arma::mat features = weights.tail_rows(prior.n_dims);
    return {prior.precision.shape + 0.5 * static_cast<double>(features.n_elem),
            prior.precision.rate + 0.5 * arma::accu(arma::square(features))};
}

}  // namespace hmmlt
