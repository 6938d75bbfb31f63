// Exponents are sums of large numbers that nearly cancel, so that they are in double also where messages are float.
#include "hmmlt/dynamics/joint_likelihood.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "hmmlt/math/vector_exp_float.hpp"
#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

namespace {

constexpr arma::uword n_low_bits = 8;
constexpr std::size_t n_weigh_lanes = 16;

// sums(s) is the sum of terms(d), first <= d < last, over the bits d - first that are 1 in s.
void fill_bit_sums(const arma::vec& terms, arma::uword first, arma::uword last, std::vector<double>& sums) {
    sums[0] = 0.0;
    for (arma::uword d = first, half = 1; d < last; ++d, half *= 2)
        for (arma::uword s = 0; s < half; ++s) sums[half + s] = sums[s] + terms[d];
}

double largest_difference(const double* a, const double* b, std::size_t n) {
    double lane[n_weigh_lanes];
    std::fill(lane, lane + n_weigh_lanes, -std::numeric_limits<double>::infinity());
    std::size_t i = 0;
    for (; i + n_weigh_lanes <= n; i += n_weigh_lanes)
        for (std::size_t l = 0; l < n_weigh_lanes; ++l) {
            const double difference = a[i + l] - b[i + l];
            lane[l] = difference > lane[l] ? difference : lane[l];
        }
    for (; i < n; ++i) lane[0] = std::max(lane[0], a[i] - b[i]);
    return *std::max_element(lane, lane + n_weigh_lanes);
}

template <typename Real>
Real exp_in(double x) {
    if constexpr (std::is_same_v<Real, float>)
        return vector_exp_float(x);
    else
        return vector_exp(x);
}

// Below this exp_in gives 0.
template <typename Real>
constexpr double smallest_log = std::is_same_v<Real, float> ? -88.0 : vector_math::smallest_exponent;

// Of one piece: low(i) - quadratic(i) + shift is the exponent.
template <typename Real>
double weigh_piece(const double* low, const double* quadratic, double shift, std::size_t n, Real* message) {
    Real lane[n_weigh_lanes] = {};
    std::size_t i = 0;
    for (; i + n_weigh_lanes <= n; i += n_weigh_lanes)
        for (std::size_t l = 0; l < n_weigh_lanes; ++l) {
            message[i + l] *= exp_in<Real>(low[i + l] - quadratic[i + l] + shift);
            lane[l] += message[i + l];
        }
    double sum = 0.0;
    for (; i < n; ++i) {
        message[i] *= exp_in<Real>(low[i] - quadratic[i] + shift);
        sum += static_cast<double>(message[i]);
    }
    for (const Real part : lane) sum += static_cast<double>(part);
    return sum;
}

}  // namespace

JointLikelihood::JointLikelihood(const arma::mat& y, const arma::mat& weights, const arma::vec& h)
    : y_(y), weights_(weights), h_(h), observed_(y.n_rows, arma::fill::zeros) {
    const arma::uword n_dims = weights.n_rows - 1;
    const arma::uword n_low = std::min(n_dims, n_low_bits);
    quadratic_.assign(std::size_t{1} << n_dims, 0.0);
    cross_.assign(quadratic_.size() / 2 + 1, 0.0);
    low_.resize(std::size_t{1} << n_low);
    high_.resize(std::size_t{1} << (n_dims - n_low));
    piece_largest_.resize(high_.size());
}

void JointLikelihood::set_step(arma::uword step) {
    observe_step(y_, weights_, h_, step, terms_);
    if (arma::any(terms_.observed != observed_)) {
        observed_ = terms_.observed;
        fill_quadratic();
    }
    const arma::uword n_dims = terms_.linear.n_elem;
    const arma::uword n_low = std::min(n_dims, n_low_bits);
    fill_bit_sums(terms_.linear, 0, n_low, low_);
    fill_bit_sums(terms_.linear, n_low, n_dims, high_);
    for (std::size_t piece = 0; piece < high_.size(); ++piece)
        piece_largest_[piece] =
            high_[piece] + largest_difference(low_.data(), quadratic_.data() + piece * low_.size(), low_.size());
    largest_ = *std::max_element(piece_largest_.begin(), piece_largest_.end());
}

// Doubling again: with bit d on, the form gains its own square and its products with the bits before it.
void JointLikelihood::fill_quadratic() {
    const arma::uword n_dims = weights_.n_rows - 1;
    const arma::mat w = weights_.tail_rows(n_dims);
    const arma::mat products = w * arma::diagmat(h_ % arma::conv_to<arma::vec>::from(observed_)) * w.t();
    quadratic_[0] = 0.0;
    for (arma::uword d = 0; d < n_dims; ++d) {
        const std::size_t half = std::size_t{1} << d;
        fill_bit_sums(products.col(d), 0, d, cross_);
        for (std::size_t s = 0; s < half; ++s)
            quadratic_[half + s] = quadratic_[s] + (0.5 * products(d, d) + cross_[s]);
    }
}

template <typename Real>
double JointLikelihood::weigh(Real* message) const {
    double sum = 0.0;
    for (std::size_t piece = 0; piece < high_.size(); ++piece) {
        Real* const first = message + piece * low_.size();
        if (piece_largest_[piece] - largest_ < smallest_log<Real>)
            std::fill(first, first + low_.size(), Real{0});
        else
            sum += weigh_piece(low_.data(), quadratic_.data() + piece * low_.size(), high_[piece] - largest_,
                               low_.size(), first);
    }
    return sum;
}

template double JointLikelihood::weigh(float*) const;
template double JointLikelihood::weigh(double*) const;

void JointLikelihood::weigh_log(double* log_message) const {
    for (std::size_t s = 0; s < n_states(); ++s)
        log_message[s] += low_[s % low_.size()] - quadratic_[s] + (high_[s / low_.size()] - largest_);
}

}  // namespace hmmlt
