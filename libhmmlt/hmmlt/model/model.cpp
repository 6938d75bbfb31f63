#include "hmmlt/model/model.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "hmmlt/math/checks.hpp"

namespace hmmlt {

namespace {

[[noreturn]] void refuse(std::string_view part, std::string_view needs, std::string_view found) {
    throw std::domain_error(fmt::format("Model: {} needs {}, found {}", part, needs, found));
}

void check_prior(const char* name, const Hyperparameter<GammaPrior>& hyperparameter) {
    if (const auto* prior = std::get_if<GammaPrior>(&hyperparameter)) {
        check_positive_finite("Model", fmt::format("shape of {}", name), prior->shape);
        check_positive_finite("Model", fmt::format("rate of {}", name), prior->rate);
    } else {
        check_positive_finite("Model", name, std::get<double>(hyperparameter));
    }
}

void check_durations(const DurationSpec& spec) {
    if (const auto* poisson = std::get_if<PoissonDurations>(&spec)) {
        check_positive_finite("Model", "shape of omega", poisson->omega.shape);
        check_positive_finite("Model", "rate of omega", poisson->omega.rate);
    }
    if (const auto* binomial = std::get_if<NegativeBinomialDurations>(&spec)) {
        check_positive_finite("Model", "a of p", binomial->p.a);
        check_positive_finite("Model", "b of p", binomial->p.b);
        check_not_empty("Model", "the grid of r", binomial->r.size());
        for (const double r : binomial->r) check_positive_finite("Model", "r", r);
    }
}

}  // namespace

void check_model(const Model& model) {
    check_not_empty("Model", "n_states", model.n_states);
    check_prior("gamma", model.gamma);
    check_prior("c", model.c);
    if (const auto* rho = std::get_if<double>(&model.rho)) {
        check_probability("Model", "rho", *rho);
    } else {
        check_positive_finite("Model", "a of rho", std::get<BetaPrior>(model.rho).a);
        check_positive_finite("Model", "b of rho", std::get<BetaPrior>(model.rho).b);
    }
    if (const DurationSpec* durations = durations_of(model.dynamics)) {
        if (model.n_states < 2) refuse("semi_markov", "at least 2 states, since none follows itself", "1");
        if (!is_fixed(model.rho) || std::get<double>(model.rho) != 0.0)
            refuse("semi_markov", "rho = 0, since a state that lasts has a law of its own for it", "a sticky model");
        check_durations(*durations);
    }
    const bool nowhere = std::holds_alternative<NoLocations>(model.locations);
    const std::string found = fmt::format("{} locations", nowhere ? "no" : location_kind(model.locations));
    const arma::uword n_bits = n_bits_of(model.locations);
    if (std::holds_alternative<LaplacianSimilarity>(model.similarity) && n_bits == 0)
        refuse("the laplacian similarity", "locations with bits", found);
    if (const auto* limit = std::get_if<FactorialLimitSimilarity>(&model.similarity)) {
        if (n_bits == 0) refuse("the factorial_limit similarity", "locations with bits", found);
        check_positive_finite("Model", "a of the bit transitions", limit->transitions.a);
        check_positive_finite("Model", "b of the bit transitions", limit->transitions.b);
    }
    if (const auto* buffet = std::get_if<IndianBuffetLocations>(&model.locations))
        check_prior("the concentration of the indian buffet", buffet->concentration);
    if (std::holds_alternative<CornerLocations>(model.locations))
        check_size("Model", "n_states with locations at all corners", model.n_states, n_corners(n_bits));
    if (std::holds_alternative<GaussianSimilarity>(model.similarity) &&
        !std::holds_alternative<EuclideanLocations>(model.locations))
        refuse("the gaussian similarity", "euclidean locations", found);
    const auto lambda = lambda_prior(model.similarity);
    if (const auto* prior = std::get_if<ExponentialPrior>(&lambda))
        check_positive_finite("Model", "rate of lambda", prior->rate);
    else
        check_nonnegative_finite("Model", "lambda", std::get<double>(lambda));
    if (const auto* emission = std::get_if<LinearGaussianSpec>(&model.emission)) {
        if (n_bits == 0) refuse("the linear_gaussian emission", "locations with bits", found);
        check_size("Model", "n_dims of the linear_gaussian emission", emission->n_dims(), n_bits);
    }
}

}  // namespace hmmlt
