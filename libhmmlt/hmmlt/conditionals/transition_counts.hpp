// How often the state sequence jumped from each state to each other one.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt {

// docs/model.md (9). n is (n_states + 1) x n_states; its LAST row counts the first states of the sequences (the page's
// row 0), as does the last row of every matrix of transition quantities.
void count_transitions(const arma::uvec& z, const Sequences& sequences, arma::uword n_states, arma::mat& n);

// n_j. for every row, the start row last: departures from a state, and the number of (non-empty) sequences.
arma::vec count_departures(const arma::mat& n);

// States that at least one step visits.
arma::uword count_used_states(const arma::uvec& z, arma::uword n_states);

}  // namespace hmmlt
