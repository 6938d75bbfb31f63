// The loops below are kept naive on purpose: they are the yardstick, not a contestant.
#include "benchmarks/limits.hpp"

#include <algorithm>

namespace hmmlt::bench {

template <typename Real, int Rows>
void run_bare_loop(const Real* __restrict a, const Real* __restrict lik, arma::uword n_states, arma::uword n_steps,
                   Real* __restrict f, Real* __restrict next) {
    for (arma::uword step = 0; step < n_steps; ++step) {
        std::fill(next, next + n_states, Real{0});
        arma::uword j = 0;
        for (; j + Rows <= n_states; j += Rows) {
            const Real* row = a + j * n_states;
            for (arma::uword k = 0; k < n_states; ++k) {
                Real sum = next[k];
                for (arma::uword r = 0; r < Rows; ++r) sum += f[j + r] * row[r * n_states + k];
                next[k] = sum;
            }
        }
        for (; j < n_states; ++j)
            for (arma::uword k = 0; k < n_states; ++k) next[k] += f[j] * a[j * n_states + k];
        Real total = 0;
        for (arma::uword k = 0; k < n_states; ++k) {
            next[k] *= lik[step * n_states + k];
            total += next[k];
        }
        for (arma::uword k = 0; k < n_states; ++k) f[k] = next[k] / total;
    }
}

template void run_bare_loop<float, 1>(const float*, const float*, arma::uword, arma::uword, float*, float*);
template void run_bare_loop<float, 4>(const float*, const float*, arma::uword, arma::uword, float*, float*);
template void run_bare_loop<double, 1>(const double*, const double*, arma::uword, arma::uword, double*, double*);
template void run_bare_loop<double, 4>(const double*, const double*, arma::uword, arma::uword, double*, double*);

template <typename Real>
void run_bare_butterflies(const Real* __restrict a, const Real* __restrict lik, arma::uword n_dims, arma::uword n_steps,
                          Real* __restrict f) {
    const arma::uword n = arma::uword{1} << n_dims;
    for (arma::uword step = 0; step < n_steps; ++step) {
        for (arma::uword d = 0; d < n_dims; ++d) {
            const Real* const rows = a + 4 * d;
            const Real a00 = rows[0], a01 = rows[1], a10 = rows[2], a11 = rows[3];
            const arma::uword stride = arma::uword{1} << d;
            for (arma::uword block = 0; block < n; block += 2 * stride) {
                Real* __restrict const zero = f + block;
                Real* __restrict const one = zero + stride;
                for (arma::uword s = 0; s < stride; ++s) {
                    const Real before = zero[s];
                    zero[s] = before * a00 + one[s] * a10;
                    one[s] = before * a01 + one[s] * a11;
                }
            }
        }
        // in as many sums as fill a register: one alone would be most of the time
        constexpr arma::uword n_lanes = 16;
        Real lane[n_lanes] = {};
        for (arma::uword s = 0; s < n; ++s) f[s] *= lik[s];
        for (arma::uword s = 0; s + n_lanes <= n; s += n_lanes)
            for (arma::uword l = 0; l < n_lanes; ++l) lane[l] += f[s + l];
        Real total = 0;
        for (const Real part : lane) total += part;
        for (arma::uword s = n - n % n_lanes; s < n; ++s) total += f[s];
        for (arma::uword s = 0; s < n; ++s) f[s] /= total;
    }
}

template void run_bare_butterflies<float>(const float*, const float*, arma::uword, arma::uword, float*);

void run_sgemm(const arma::fmat& a, const arma::fmat& b, arma::fmat& c) {
    c = a * b;
}

std::vector<arma::uword> active_sequences(const Sequences& sequences) {
    std::vector<arma::uword> n_active;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        if (n_active.size() < sequences.length(s)) n_active.resize(sequences.length(s), 0);
        for (arma::uword step = 0; step < sequences.length(s); ++step) ++n_active[step];
    }
    return n_active;
}

void run_batched_products(const arma::fmat& a, const std::vector<arma::uword>& n_active, const arma::fmat& messages,
                          arma::fmat& product) {
    for (const arma::uword n : n_active) product = a * messages.head_cols(n);
}

void run_triad(const std::vector<double>& y, const std::vector<double>& z, double s, std::vector<double>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] + s * z[i];
}

}  // namespace hmmlt::bench
