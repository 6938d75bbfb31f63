// A^(d): how bits turn on and off where similarity is a product of two-state transitions, one for each bit. It has a
// direction, and no state is wholly similar to itself. docs/model.md, "Factorial limit"
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/adaptive_rejection.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Transitions are kept as logits, 2 x n_dims: logits(v, d) = logit A^(d)[v, 1]. Then log A^(d)[v, w] is
inline double log_bit_transition(const arma::mat& logits, arma::uword dim, arma::uword from, arma::uword to) {
    const double logit = logits.at(from, dim);
    return -log1p_exp(to == 1 ? -logit : logit);
}

// log phi_jk = sum_d log A^(d)[theta_jd, theta_kd], n_states x n_states                           docs/model.md (89)
arma::mat log_bit_similarities(const arma::umat& theta, const arma::mat& logits);

// A^(d)[v, 1] ~ Beta(a, b), and its normalised log density with respect to d logit
arma::mat draw_bit_transitions(const BetaPrior& prior, arma::uword n_dims, const BlockStreams& rng);
double log_density_of_bit_transitions(const BetaPrior& prior, const arma::mat& logits);

// x = logit A^(d)[v, 1] given z, pi and the other bits' transitions, u and Q integrated out       docs/model.md (90)
struct BitTransitionGivenRates {
    // A state with bit v that z leaves.
    struct Row {
        double departures;
        double log_off;  // log S_j0, up to the scale of the row
        double log_on;   // log S_j1
    };
    BetaPrior prior;
    double n_on = 0.0;  // N_1
    std::vector<Row> rows;

    LogDensity operator()(double x) const;
};

// The law of one transition. n, log_pi: (n_states + 1) x n_states.
BitTransitionGivenRates bit_transition_law(const BetaPrior& prior, arma::uword dim, arma::uword from,
                                           const arma::umat& theta, const arma::mat& logits, const arma::mat& n,
                                           const arma::mat& log_pi);

// All of them, one bit after the other: rng.item(2 d + v) draws A^(d)[v, 1].
void sample_bit_transitions(const BetaPrior& prior, const arma::umat& theta, const arma::mat& n,
                            const arma::mat& log_pi, arma::mat& logits, const BlockStreams& rng);

}  // namespace hmmlt
