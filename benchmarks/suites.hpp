// What can be measured: each function registers some benchmarks, a suite chooses among them.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/problems.hpp"
#include "hmmlt/sampler/chain.hpp"

namespace hmmlt::bench {

inline const std::vector<std::string> all_models{"lt", "sticky_lt", "hdp_hmm", "sticky"};
inline const std::vector<Sampler> all_samplers{Sampler::single, Sampler::blocked};

// The machine's own limits: limit/bare_float and limit/bare_double for a length and a number of states, as plain loops
// that take one or four rows at a time; products of matrices; memory.
void add_bare_loops(arma::uword n_steps, arma::uword n_states);
// limit/bare_butterflies: the same recursion where all of n_dims binary chains move at once.
void add_bare_butterflies(arma::uword n_steps, arma::uword n_dims);
void add_sgemm(arma::uword n, arma::uword m);
void add_batched_products(const Shape& shape);
void add_memory_bandwidth();

// Whole sweeps, sweep/<sampler>/<model>; counters block/<name> hold the seconds of each block, whatever blocks there
// are. n_times > 0: exactly so often, and once (for a simulator that counts instructions).
void add_sweep(Sampler sampler, const std::string& model, const Shape& shape, int n_times = 0);

// sweep/<sampler>/factorial on a party of all 16 chains, from the truth; counters as above.
void add_factorial_sweep(Sampler sampler, arma::uword n_steps);

// forward/<model>, forward_double/<model> and backward/<model>: the filter and the backward draw alone.
void add_forward_and_backward(const std::string& model, const Shape& shape);

// One and two chains at a time, on as many cores; the bare loop likewise.
void add_two_at_a_time(const Shape& shape);

const std::vector<std::string>& suite_names();
void add_suite(const std::string& name);

}  // namespace hmmlt::bench
