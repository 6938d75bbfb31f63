// Two states out of many, or one that is to be two: their steps, their transitions, and what of p(z, beta | gamma, c,
// rho) depends on how the steps are shared out, pi integrated out. phi = 1.
#pragma once

#include <armadillo>
#include <array>
#include <cstdint>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt {

// Which of the two states a step has: 0 or 1.
using Labels = std::vector<std::uint8_t>;

// All steps of both states, in order. before[i] and after[i] are the states of the steps before and after t[i]:
// n_states (the start row) before the first step of a sequence, n_states after the last, among_steps where they are
// steps here.
struct PairSteps {
    static constexpr arma::uword among_steps = ~arma::uword{0};

    std::vector<arma::uword> t;
    std::vector<arma::uword> before;
    std::vector<arma::uword> after;
    arma::uword n_states = 0;
};
// j and k may be equal.
void collect_steps(const arma::uvec& z, const Sequences& sequences, arma::uword n_states, arma::uword j, arma::uword k,
                   PairSteps& steps);

// Transitions by label, which no other step has.
struct PairCounts {
    arma::mat into;            // (n_states + 1) x 2, from other states and the start row
    arma::mat from;            // n_states x 2, to other states
    double within[2][2] = {};  // from label, to label

    double departures(arma::uword label) const;
    // Rows that enter the state, itself not among them.
    double rows_into(arma::uword label) const;
};
void count_pair(const PairSteps& steps, const Labels& labels, PairCounts& counts);
// The same with label 0 everywhere.
PairCounts joined(const PairCounts& counts);

// gamma / J, c, rho, and the weights of all states, those of the pair apart.
struct PairConditions {
    double g = 1.0;
    double c = 1.0;
    double rho = 0.0;
    const arma::vec& log_beta;
};

// log p(transitions of the pair | beta, c, rho) with these weights of the two; a state without transitions has no term.
//                                                                                                docs/model.md (133)
double log_density_of_transitions(const PairCounts& counts, const PairConditions& given,
                                  const std::array<double, 2>& log_beta);

// The weights of a pair, or of a single state, and all that is left to the n_empty states that nobody visits, beside
// the weights of other states: log of Dirichlet (2), the division of what is left integrated out.    docs/model.md
// (134)
double log_density_of_weights(double g, arma::uword n_empty, const std::vector<double>& log_beta, double log_left);

}  // namespace hmmlt
