// The state of a chain: every variable that the next sweep starts from, as one value that can be copied and compared.
// What a sweep draws and uses up again (u, Q, m, w, r, eta) is not here.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/durations.hpp"
#include "hmmlt/emission/emission.hpp"
#include "hmmlt/locations/locations.hpp"

namespace hmmlt {

struct State {
    double gamma = 1.0;
    double c = 1.0;
    double rho = 0.0;
    double lambda = 0.0;
    arma::vec log_beta;  // n_states
    arma::mat log_pi;    // (n_states + 1) x n_states, the start row last; -infinity is an exact zero
    LocationState locations;
    EmissionState emission;
    arma::mat bit_logits;                     // logit A^(d)[v, 1], 2 x n_dims; empty where phi is exp(-lambda delta)
    arma::uvec z;                             // n_steps, all sequences one after the other
    DurationState durations = NoDurations{};  // of semi-Markov states
};

bool operator==(const State& a, const State& b);

}  // namespace hmmlt
