// The joint log density with the auxiliary variables u, Q, m, w, r, eta that log_joint leaves out, for the referee of
// the conditionals. Every auxiliary variable enters by its definition in docs/model.md, written out here and not taken
// from the library. pi and beta are integrated out by Bayes' rule, p(x) = p(x, pi) / p(pi | x): right for any one pi
// if p(pi | x) is, and that law is itself a row of the referee.
#pragma once

#include <functional>
#include <string>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt::testing {

// One value of every variable. A chain of a factorial model is a point too: two states and no locations, its bits in z,
// and a log_joint that puts them back among the other chains.
struct AugmentedPoint {
    std::string name;
    Model model;
    Observations observations;
    State state;
    std::function<double(const State&)> log_joint;
    arma::umat bits;           // what the emission sees: the bits of its states, n_dims x n
    arma::uvec emitter;        // and which of them each step is in
    int factorial_chain = -1;  // the row of `bits` that is z, where the point is a chain of a factorial model
    arma::mat fixed_phi;       // n_states x n_states, in the place of the model's similarities; empty: those

    arma::vec u;  // n_states + 1, the start row last; 0 where nobody leaves
    arma::mat q;  // n_states x n_states
    arma::mat m;  // (n_states + 1) x n_states
    arma::vec w;  // n_states
    arma::vec r;  // n_states
    double eta = 0.5;
};

// Semi-Markov: no state follows itself.
inline bool has_durations(const AugmentedPoint& point) {
    return has_durations(point.state.durations);
}

// Whether the failed jumps Q are there or summed out.
enum class FailedJumps { kept, summed_out };

arma::mat transition_counts(const AugmentedPoint& point);       // (9)
arma::mat similarities(const AugmentedPoint& point);            // phi with a start row of ones, (6), (36)-(38), (89)
arma::mat prior_shapes(const AugmentedPoint& point);            // (4)
arma::vec tables_of_base_weights(const AugmentedPoint& point);  // mbar_.k, (17)

// p(z, u, Q | pi, phi) in one piece, from the jump process: (13).
double log_jump_process(const AugmentedPoint& point);

// The laws of the auxiliary variables.
double log_law_of_holding_times(const AugmentedPoint& point);                     // u, (11)
double log_law_of_failed_jumps(const AugmentedPoint& point);                      // Q, (12)
double log_law_of_tables(const AugmentedPoint& point, FailedJumps failed_jumps);  // m, (26), or averaged over Q
double log_law_of_sticky_tables(const AugmentedPoint& point);                     // w, (17)
double log_law_of_top_tables(const AugmentedPoint& point);                        // r, (22)
double log_law_of_eta(const AugmentedPoint& point);                               // (23)

// Joint log densities of everything that is not integrated out.
double log_joint_without_u_q(const AugmentedPoint& point);  // log_joint itself
double log_joint_with_u(const AugmentedPoint& point);
double log_joint_with_u_q(const AugmentedPoint& point);
double log_joint_without_pi(const AugmentedPoint& point, FailedJumps failed_jumps);
double log_joint_with_tables(const AugmentedPoint& point, FailedJumps failed_jumps);      // without pi; with m, w
double log_joint_with_top_tables(const AugmentedPoint& point, FailedJumps failed_jumps);  // without pi, beta; r, eta

}  // namespace hmmlt::testing
