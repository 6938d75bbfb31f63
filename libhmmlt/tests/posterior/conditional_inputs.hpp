// What a sweep hands to the conditionals of the transition variables, computed by the library.
#pragma once

#include <cmath>

#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/model/similarities.hpp"
#include "posterior/augmented_joint.hpp"

namespace hmmlt::testing {

struct ConditionalInputs {
    arma::mat n, distance, log_phi, a;
    arma::mat log_pi_of_jumps;  // as a sweep hands it to the moves of locations and lambda
    arma::vec log_u;
    arma::mat scratch;

    explicit ConditionalInputs(const AugmentedPoint& point)
        : distance(distances(point.state.locations, point.model.n_states)),
          log_phi(point.fixed_phi.is_empty() ? log_similarities(point.state) : arma::mat(arma::log(point.fixed_phi))),
          log_u(arma::log(point.u)) {
        count_jumps(point.state, point.observations.sequences, n);
        log_pi_of_jumps = hmmlt::log_pi_of_jumps(point.state, scratch);
        rate_shapes(point.state.log_beta, point.state.c, point.state.rho, a);
    }
};

inline double log_poisson(double count, double log_mean) {
    return (count == 0.0 ? 0.0 : count * log_mean) - std::exp(log_mean) - std::lgamma(count + 1.0);
}

}  // namespace hmmlt::testing
