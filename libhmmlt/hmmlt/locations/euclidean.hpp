// Euclidean locations: points in R^D, moved all together by Hamiltonian Monte Carlo because one jump count ties two of
// them, and every state is tied to many. The emission does not depend on them. docs/model.md, section 10
#pragma once

#include <armadillo>

#include "hmmlt/locations/hmc.hpp"

namespace hmmlt {

struct EuclideanLocations {
    static constexpr const char* kind = "euclidean";
    arma::uword n_dims = 2;           // D
    double location_precision = 1.0;  // h_l
    arma::uword n_leapfrog = 10;
    double initial_step_size = 0.1;
    double target_acceptance = 0.8;

    bool operator==(const EuclideanLocations&) const = default;
};

struct EuclideanLocationState {
    arma::mat location;  // n_dims x n_states
    HmcStepSize step_size;
};
bool operator==(const EuclideanLocationState& a, const EuclideanLocationState& b);

// l_jd ~ N(0, 1/h_l), and the initial step size.
EuclideanLocationState draw_euclidean_locations(const EuclideanLocations& spec, arma::uword n_states, Stream& rng);
// Its density, normalised: a term of docs/model.md (72).
double location_log_prior(const arma::mat& location, double location_precision);

// delta_jk = |l_j - l_k|^2, n_states x n_states                                                    docs/model.md (38)
arma::mat squared_distances(const arma::mat& location);
void squared_distances(const arma::mat& location, arma::mat& distance);

// Shapes below: n, log_pi (n_states + 1) x n_states, the last row being the start row, which has no location; q
// n_states x n_states, its diagonal without influence.

// log p(l | z, Q) up to a constant, and its gradient (n_dims x n_states)                      docs/model.md (56), (57)
// Minus infinity where two locations coincide that have failed jumps between them.
double location_log_density_given_failed_jumps(const arma::mat& location, const arma::mat& n, const arma::mat& q,
                                               double lambda, double location_precision);
arma::mat location_gradient_given_failed_jumps(const arma::mat& location, const arma::mat& n, const arma::mat& q,
                                               double lambda, double location_precision);

// log p(l | z, pi) up to a constant (u and Q integrated out), and its gradient                docs/model.md (58), (59)
double location_log_density(const arma::mat& location, const arma::mat& n, const arma::mat& log_pi, double lambda,
                            double location_precision);
arma::mat location_gradient(const arma::mat& location, const arma::mat& n, const arma::mat& log_pi, double lambda,
                            double location_precision);

// l | z, Q and l | z, pi: one path by (60) with the current step size, which stays as it is. With lambda = 0 nothing
// but the prior is left, and the locations are drawn from it.
HmcInfo sample_locations_given_failed_jumps(const EuclideanLocations& spec, const arma::mat& n, const arma::mat& q,
                                            double lambda, EuclideanLocationState& state, Stream& rng);
HmcInfo sample_locations(const EuclideanLocations& spec, const arma::mat& n, const arma::mat& log_pi, double lambda,
                         EuclideanLocationState& state, Stream& rng);

}  // namespace hmmlt
