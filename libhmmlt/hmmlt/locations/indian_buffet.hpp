// Binary locations under the finite limit of the Indian buffet: more features than are needed, most of them off
// everywhere. docs/model.md, "Indian buffet limit"
#pragma once

#include <armadillo>

#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

struct IndianBuffetLocations {
    static constexpr const char* kind = "indian_buffet";
    arma::uword n_dims = 1;                                       // D, larger than needed
    Hyperparameter<GammaPrior> concentration = GammaPrior{1, 1};  // a_ibp

    bool operator==(const IndianBuffetLocations&) const = default;
};

struct IndianBuffetState {
    arma::umat theta;            // n_dims x n_states, 0 or 1
    arma::vec log_mu;            // n_dims: that of a feature nobody has is often below the smallest double
    double concentration = 1.0;  // a_ibp
};
bool operator==(const IndianBuffetState& a, const IndianBuffetState& b);

// a_ibp, then mu_d ~ Beta(a_ibp / D, 1), then the bits: rng.item(d) draws feature d, rng.item(D) a_ibp.
//                                                                                             docs/model.md (43), (86)
IndianBuffetState draw_indian_buffet(const IndianBuffetLocations& spec, arma::uword n_states, const BlockStreams& rng);
// Its normalised log density, mu with respect to d log mu: a term of docs/model.md (72).
double buffet_log_prior(const IndianBuffetLocations& spec, const IndianBuffetState& state);

// mu_d | theta, a_ibp ~ Beta(a_ibp / D + sum_j theta_jd, 1 + J - sum_j theta_jd)                  docs/model.md (87)
BetaPrior buffet_probability_law(double concentration, const arma::umat& theta, arma::uword dim);
void sample_buffet_probabilities(double concentration, const arma::umat& theta, arma::vec& log_mu,
                                 const BlockStreams& rng);

// a_ibp | mu ~ Gamma(a_0 + D, b_0 - sum_d log(mu_d) / D)                                          docs/model.md (88)
GammaPrior buffet_concentration_law(const GammaPrior& prior, const arma::vec& log_mu);
double sample_buffet_concentration(const GammaPrior& prior, const arma::vec& log_mu, Stream& rng);

}  // namespace hmmlt
