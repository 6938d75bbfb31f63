// What this machine can do at best, measured in the same run as everything else: each figure of the sampler is a ratio
// to one of these, so that machines can be compared.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"

namespace hmmlt::bench {

// f <- (f A) * lik, normalised, n_steps times: the forward recursion and nothing else, as plain loops that the compiler
// vectorises. `Rows` rows of A are taken in one pass over the message; which number is fastest depends on the machine.
template <typename Real, int Rows>
void run_bare_loop(const Real* a, const Real* lik, arma::uword n_states, arma::uword n_steps, Real* f, Real* next);

// f <- (f A) * lik, normalised, n_steps times, where A is the Kronecker product of n_dims 2 x 2 matrices a (2 x 2 x
// n_dims, row by row): one plain loop for each of them, and nothing else.
template <typename Real>
void run_bare_butterflies(const Real* a, const Real* lik, arma::uword n_dims, arma::uword n_steps, Real* f);

// C = A B with OpenBLAS: n x n times n x m.
void run_sgemm(const arma::fmat& a, const arma::fmat& b, arma::fmat& c);

// The products of a forward pass over many sequences and no more: step after step, all sequences that are that long.
void run_batched_products(const arma::fmat& a, const std::vector<arma::uword>& n_active, const arma::fmat& messages,
                          arma::fmat& product);
std::vector<arma::uword> active_sequences(const Sequences& sequences);  // per step

// x <- y + s z: three streams of doubles.
void run_triad(const std::vector<double>& y, const std::vector<double>& z, double s, std::vector<double>& x);

}  // namespace hmmlt::bench
