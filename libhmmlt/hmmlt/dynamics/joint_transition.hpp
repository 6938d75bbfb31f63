// The transition of binary chains that move by themselves, on the product of their states: a Kronecker product, applied
// one chain after the other (a "butterfly"), so that a step costs O(n_dims 2^n_dims). Bit d of a joint state is chain
// d.
#pragma once

#include <algorithm>
#include <armadillo>
#include <type_traits>

namespace hmmlt {

template <typename Real>
class JointTransition {
  public:
    // a: 3 x 2 x n_dims, the transition probabilities of each chain, the start row last
    explicit JointTransition(const arma::cube& a) : n_dims_(a.n_slices), a_(arma::conv_to<arma::Cube<Real>>::from(a)) {
        for (arma::uword k = 0; k < low_size && n_dims_ >= n_low; ++k)
            for (arma::uword j = 0; j < low_size; ++j) {
                double product = 1.0;
                for (arma::uword d = 0; d < n_low; ++d) product *= a(k >> d & 1, j >> d & 1, d);
                low_a_[k][j] = static_cast<Real>(product);
            }
    }

    arma::uword n_states() const { return arma::uword{1} << n_dims_; }

    // message becomes scale times the prediction from previous; they do not overlap. A pass over the vector costs more
    // than its arithmetic. So the lowest chains, which share a vector register, move together, all others two by two,
    // and as many as possible before a piece leaves the cache.
    void predict(const Real* previous, Real scale, Real* message) const {
        const arma::uword n_inside = std::min(n_dims_, n_cached);
        const arma::uword piece = arma::uword{1} << n_inside;
        for (arma::uword first = 0; first < n_states(); first += piece) {
            if (n_dims_ >= n_low)
                predict_low(previous + first, scale, piece, message + first);
            else
                for (arma::uword s = 0; s < piece; ++s) message[s] = previous[s] * scale;
            predict_chains(n_dims_ >= n_low ? n_low : 0, n_inside, piece, message + first);
        }
        predict_chains(n_inside, n_dims_, n_states(), message);
    }

  private:
    // Chains d .. d_end - 1, in `size` joint states. The first stride is a constant: loops of its length have no ends.
    void predict_chains(arma::uword d, arma::uword d_end, arma::uword size, Real* message) const {
        if (d == n_low && d + 1 < d_end) {
            predict_two(d, std::integral_constant<arma::uword, low_size>{}, size, message);
            d += 2;
        }
        for (; d + 1 < d_end; d += 2) predict_two(d, arma::uword{1} << d, size, message);
        if (d < d_end) predict_one(d, size, message);
    }

    // The sum over k is written out: only so does GCC make one vector of j.
    void predict_low(const Real* __restrict previous, Real scale, arma::uword size, Real* __restrict message) const {
        for (arma::uword block = 0; block < size; block += low_size) {
            const Real* const f = previous + block;
            const Real f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5], f6 = f[6], f7 = f[7];
            for (arma::uword j = 0; j < low_size; ++j) {
                const Real sum = f0 * low_a_[0][j] + f1 * low_a_[1][j] + f2 * low_a_[2][j] + f3 * low_a_[3][j] +
                                 f4 * low_a_[4][j] + f5 * low_a_[5][j] + f6 * low_a_[6][j] + f7 * low_a_[7][j];
                message[block + j] = sum * scale;
            }
        }
    }

    void predict_one(arma::uword d, arma::uword size, Real* message) const {
        const Real a00 = a_(0, 0, d), a01 = a_(0, 1, d), a10 = a_(1, 0, d), a11 = a_(1, 1, d);
        const arma::uword stride = arma::uword{1} << d;
        for (arma::uword block = 0; block < size; block += 2 * stride) {
            Real* __restrict const zero = message + block;
            Real* __restrict const one = zero + stride;
            for (arma::uword s = 0; s < stride; ++s) {
                const Real before = zero[s];
                zero[s] = before * a00 + one[s] * a10;
                one[s] = before * a01 + one[s] * a11;
            }
        }
    }

    template <typename Stride>
    void predict_two(arma::uword d, Stride stride, arma::uword size, Real* message) const {
        const Real a00 = a_(0, 0, d), a01 = a_(0, 1, d), a10 = a_(1, 0, d), a11 = a_(1, 1, d);
        const Real b00 = a_(0, 0, d + 1), b01 = a_(0, 1, d + 1), b10 = a_(1, 0, d + 1), b11 = a_(1, 1, d + 1);
        for (arma::uword block = 0; block < size; block += 4 * stride) {
            Real* __restrict const at_00 = message + block;  // bit d + 1, bit d
            Real* __restrict const at_01 = at_00 + stride;
            Real* __restrict const at_10 = at_01 + stride;
            Real* __restrict const at_11 = at_10 + stride;
            for (arma::uword s = 0; s < stride; ++s) {
                const Real x00 = at_00[s] * a00 + at_01[s] * a10, x01 = at_00[s] * a01 + at_01[s] * a11;
                const Real x10 = at_10[s] * a00 + at_11[s] * a10, x11 = at_10[s] * a01 + at_11[s] * a11;
                at_00[s] = x00 * b00 + x10 * b10;
                at_01[s] = x01 * b00 + x11 * b10;
                at_10[s] = x00 * b01 + x10 * b11;
                at_11[s] = x01 * b01 + x11 * b11;
            }
        }
    }

    static constexpr arma::uword n_low = 3;
    static constexpr arma::uword n_cached = 11;  // 2^11 numbers fit into the smallest cache
    static constexpr arma::uword low_size = arma::uword{1} << n_low;

    arma::uword n_dims_;
    arma::Cube<Real> a_;
    Real low_a_[low_size][low_size];  // of the lowest n_low chains together
};

}  // namespace hmmlt
