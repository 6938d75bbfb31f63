#include "hmmlt/conditionals/concentrations.hpp"

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

GammaPrior concentration_law(const GammaPrior& prior, const arma::mat& m, const arma::vec& log_u) {
    double sum = 0.0;
    for (const double value : log_u) sum += log1p_exp(value);
    return {prior.shape + arma::accu(m), prior.rate + sum};
}

double sample_concentration(const GammaPrior& prior, const arma::mat& m, const arma::vec& log_u, Stream& rng) {
    const GammaPrior law = concentration_law(prior, m, log_u);
    return draw_gamma(law.shape, law.rate, rng);
}

BetaPrior stickiness_law(const BetaPrior& prior, const arma::mat& m, const arma::vec& w) {
    const double sticky = arma::accu(w);
    const double tables = arma::accu(m.head_rows(m.n_cols));
    return {prior.a + sticky, prior.b + tables - sticky};
}

double sample_stickiness(const BetaPrior& prior, const arma::mat& m, const arma::vec& w, Stream& rng) {
    const BetaPrior law = stickiness_law(prior, m, w);
    return draw_beta(law.a, law.b, rng);
}

GammaPrior top_concentration_law(const GammaPrior& prior, double r, double log_eta) {
    return {prior.shape + r, prior.rate - log_eta};
}

double sample_gamma(const GammaPrior& prior, double r, double log_eta, Stream& rng) {
    const GammaPrior law = top_concentration_law(prior, r, log_eta);
    return draw_gamma(law.shape, law.rate, rng);
}

}  // namespace hmmlt
