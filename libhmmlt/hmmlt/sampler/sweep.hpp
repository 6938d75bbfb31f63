// One sweep of the sampler: a list of blocks, each the full conditional of one variable, in an order that is not free
// (docs/model.md, section 7). A sweep is data: it can be read, and a test can put another block in a block's place.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "hmmlt/dynamics/precision.hpp"
#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"
#include "hmmlt/model/stream_blocks.hpp"
#include "hmmlt/sampler/state_draw.hpp"

namespace hmmlt {

// What a sweep draws and uses up again, and what it computes on the way. Nothing here outlives a sweep.
struct Scratch {
    arma::mat n;        // transitions of z
    arma::mat log_phi;  // n_states x n_states
    arma::mat distance;
    arma::mat log_pi_of_jumps;  // without jumps of a state to itself, where there are none
    arma::vec log_u;
    arma::mat q;
    arma::mat a;  // shapes of the rates
    arma::mat m;
    arma::vec w;
    arma::vec base;  // mbar_.k
    double r = 0.0;
    double log_eta = 0.0;
    StateDrawScratch states;
};

// What a human wants to know about a sweep.
struct SweepInfo {
    double log_likelihood = 0.0;  // of the data before z was drawn, z summed out; NaN if the draw did without
    arma::uword n_used = 0;       // states visited
    arma::uword n_saturated = 0;  // cells of Q beyond what a double can count
    double hmc_acceptance = 1.0;  // probability, of the locations' path
    std::vector<double> seconds;  // that each block took, in the order of the sweep
};

// Everything a block may touch. Only blocks unpack the state.
struct SweepContext {
    const Model& model;
    const Observations& observations;
    State& state;
    Scratch& scratch;
    SweepInfo& info;
};

struct Block {
    StreamBlock id;
    std::string_view name;
    std::function<void(SweepContext&, const BlockStreams&)> run;
};

using Sweep = std::vector<Block>;

// `precision` is that of the filter that draws z.
// The paper's moves: one bit at a time, locations and lambda given Q.
Sweep single_sweep(Precision precision = Precision::float32);
// u and Q integrated out for locations and lambda, bits in blocks of 4 and whole features, Q never drawn. Where phi =
// 1, `n_splits_and_merges` are proposed.
inline constexpr std::uint32_t default_splits_and_merges = 10;
Sweep blocked_sweep(Precision precision = Precision::float32,
                    std::uint32_t n_splits_and_merges = default_splits_and_merges);

// The same with the blocks that the dynamics of the model add: parameters of durations.
Sweep with_dynamics(const Dynamics& dynamics, Sweep sweep);

// Addresses of what a start draws: no sweep has them, sweeps count from 1.
inline constexpr std::uint32_t before_the_first_sweep = 0;
inline constexpr std::uint32_t first_transitions = std::numeric_limits<std::uint32_t>::max();

struct SweepAddress {
    std::uint64_t seed = 0;
    std::uint32_t chain = 0;
    std::uint32_t sweep = 0;
};

// Runs the blocks in order. An error, or a value that is not a number, is reported with block and sweep.
SweepInfo run_sweep(const Sweep& sweep, const Model& model, const Observations& observations, State& state,
                    Scratch& scratch, const SweepAddress& address);

}  // namespace hmmlt
