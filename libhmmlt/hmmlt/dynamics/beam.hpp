// Beam sampling of the hidden states: a slice under each transition of the path that is there leaves few transitions
// for the next path, and messages are sums over these. The law of z is that of the full pass.
// docs/model.md, section 18
#pragma once

#include <armadillo>
#include <cstdint>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// log s_t, s_t | z, A ~ Uniform(0, A_{z_t-1 z_t}), from the start row where a sequence begins      docs/model.md (91)
// z, log_slice: n_steps. rng.item(s) draws sequence s. Throws std::domain_error if A has no room for a step of z.
void sample_log_slices(const arma::mat& log_a, const arma::uvec& z, const Sequences& sequences, arma::vec& log_slice,
                       const BlockStreams& rng);

// What the slices leave of A, and what a draw fills on its way; kept from sweep to sweep, it allocates nothing.
struct Beam {
    struct Transition {
        double log_a;
        std::uint32_t to;
    };
    arma::uvec states;                          // that a path can visit at all; below, states are places in it
    std::vector<std::vector<Transition>> from;  // from each of them, then from the start: the likeliest first

    std::vector<std::vector<Transition>> rows;  // scratch: the same by the numbers of states, while it is made
    std::vector<std::uint32_t> place;           // scratch: of each state
    // The messages: step t has those of the states active[first[t]] .. active[first[t + 1] - 1], f and log_f beside
    // them.
    std::vector<std::size_t> first;
    std::vector<std::uint32_t> active;
    std::vector<double> log_f;  // the largest of a step is 0
    std::vector<double> f;
    std::vector<double> sum;          // scratch: of each state
    std::vector<std::uint32_t> seen;  // scratch: the step at which a state was reached last
    std::vector<char> faint;          // scratch: whether the sum of a state is too small to be trusted
    std::vector<double> weight;       // scratch
};

// Transitions below all slices are left out, and states that the others do not reach from the start.
void cut_beam(const arma::mat& log_a, const arma::vec& log_slice, Beam& beam);

// z | s, y: paths whose transitions all lie above their slices, weighed by their likelihood alone.  docs/model.md (92)
// log_lik: beam.states x n_steps. Messages are plain sums and, where these would lose digits, logarithms: no possible
// path is lost. rng.item(s) draws sequence s. Throws std::runtime_error, naming sequence and step, if no path is
// possible.
void sample_states(const arma::mat& log_a, const arma::vec& log_slice, const arma::mat& log_lik,
                   const Sequences& sequences, Beam& beam, arma::uvec& z, const BlockStreams& rng);

}  // namespace hmmlt
