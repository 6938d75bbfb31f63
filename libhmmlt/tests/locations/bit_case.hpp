// What tests of bits share: cases to draw them in, and draws in blocks from a density written out in full.
#pragma once

#include <armadillo>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "hmmlt/locations/binary.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/poisson.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt::testing {

// Bits, and all that their law is conditional on.
struct BitCase {
    arma::umat theta;
    arma::vec mu;
    double lambda;
    arma::mat n, q, log_pi;
    LinearEvidence evidence;
};

inline BitCase make_bit_case(arma::uword n_dims, arma::uword n_states, std::uint64_t seed) {
    Stream rng({.seed = seed});
    BitCase c;
    c.theta.set_size(n_dims, n_states);
    c.theta.for_each([&](arma::uword& bit) { bit = draw_uniform(rng) < 0.5 ? 1 : 0; });
    c.mu.set_size(n_dims);
    c.mu.for_each([&](double& mu) { mu = 0.2 + 0.6 * draw_uniform(rng); });
    c.lambda = 0.7;
    c.n.set_size(n_states + 1, n_states);
    c.n.for_each([&](double& count) { count = draw_poisson(0.7, rng); });
    c.n.row(1).zeros();  // a state nobody leaves
    c.log_pi.set_size(n_states + 1, n_states);
    c.log_pi.for_each([&](double& value) { value = 2.0 * draw_standard_normal(rng); });
    const arma::mat distance = hamming_distances(c.theta);
    c.q.zeros(n_states, n_states);
    for (arma::uword cell = 0; cell < c.q.n_elem; ++cell)
        if (distance(cell) > 0.0) c.q(cell) = draw_poisson(1.0, rng);
    const arma::uword n_channels = 2;
    c.evidence.n_observed.set_size(n_channels, n_states);
    c.evidence.n_observed.for_each([&](double& count) { count = draw_poisson(1.0, rng); });
    c.evidence.sum_y.set_size(n_channels, n_states);
    c.evidence.sum_y.for_each([&](double& sum) { sum = draw_standard_normal(rng); });
    c.evidence.sum_y.elem(arma::find(c.evidence.n_observed == 0.0)).zeros();
    c.evidence.weights.set_size(n_dims + 1, n_channels);
    c.evidence.weights.for_each([&](double& w) { w = draw_standard_normal(rng); });
    c.evidence.h = {0.8, 1.7};
    return c;
}

inline double log_prior_and_evidence(const BitCase& c, const arma::umat& theta) {
    double f = 0.0;
    for (arma::uword j = 0; j < theta.n_cols; ++j) {
        for (arma::uword d = 0; d < theta.n_rows; ++d)
            f += theta(d, j) == 1 ? std::log(c.mu(d)) : std::log(1.0 - c.mu(d));
        for (arma::uword i = 0; i < c.evidence.h.n_elem; ++i) {
            double x = c.evidence.weights(0, i);
            for (arma::uword d = 0; d < theta.n_rows; ++d)
                x += c.evidence.weights(d + 1, i) * static_cast<double>(theta(d, j));
            // sum over the state's cells of -h/2 (y - x)^2, without the part that is free of x
            f += c.evidence.h(i) * (x * c.evidence.sum_y(i, j) - 0.5 * c.evidence.n_observed(i, j) * x * x);
        }
    }
    return f;
}

// Blocks of shuffled coordinates, state by state, every candidate by the density of all bits.
template <typename LogDensity>
arma::umat plain_block_draws(arma::umat theta, std::size_t block_size, const LogDensity& log_density,
                             const BlockStreams& rng) {
    const arma::uword n_dims = theta.n_rows;
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        std::vector<arma::uword> dims(n_dims);
        std::iota(dims.begin(), dims.end(), arma::uword{0});
        for (std::size_t i = n_dims; i > 1; --i)
            std::swap(dims[i - 1], dims[static_cast<std::size_t>(draw_uniform(stream) * static_cast<double>(i))]);
        for (std::size_t first = 0; first < n_dims; first += block_size) {
            const std::size_t size = std::min<std::size_t>(block_size, n_dims - first);
            const auto candidate = [&](std::size_t bits) {
                arma::umat changed = theta;
                for (std::size_t bit = 0; bit < size; ++bit) changed(dims[first + bit], state) = bits >> bit & 1;
                return changed;
            };
            std::vector<double> score;
            for (std::size_t bits = 0; bits < std::size_t{1} << size; ++bits)
                score.push_back(log_density(candidate(bits)));
            theta = candidate(draw_categorical_log(score, stream));
        }
    }
    return theta;
}

}  // namespace hmmlt::testing
