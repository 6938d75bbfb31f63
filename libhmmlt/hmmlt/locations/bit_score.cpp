#include "hmmlt/locations/bit_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hmmlt/random/below.hpp"

namespace hmmlt {

BitBlock shuffled_dims(arma::uword n_dims, Stream& rng) {
    BitBlock dims(n_dims);
    std::iota(dims.begin(), dims.end(), arma::uword{0});
    for (std::size_t i = n_dims; i > 1; --i) std::swap(dims[i - 1], dims[draw_below(i, rng)]);
    return dims;
}

BitBlock bit_block(const BitBlock& dims, arma::uword first, arma::uword size) {
    const arma::uword last = std::min<arma::uword>(first + size, dims.size());
    return {dims.begin() + static_cast<std::ptrdiff_t>(first), dims.begin() + static_cast<std::ptrdiff_t>(last)};
}

BitScore::BitScore(const arma::vec& mu, const LinearEvidence& evidence)
    : log_one_(arma::log(mu)), log_zero_(mu), evidence_(evidence) {
    log_zero_.transform([](double p) { return std::log1p(-p); });
}

void BitScore::add(arma::uword state, const BitBlock& block, const arma::umat& theta,
                   std::vector<double>& score) const {
    for (std::size_t candidate = 0; candidate < score.size(); ++candidate)
        for (std::size_t bit = 0; bit < block.size(); ++bit)
            score[candidate] += ((candidate >> bit & 1) == 1 ? log_one_ : log_zero_)[block[bit]];
    for (arma::uword channel = 0; channel < evidence_.h.n_elem; ++channel)
        if (evidence_.n_observed.at(channel, state) > 0.0) add_channel(channel, state, block, theta, score);
}

void BitScore::add_channel(arma::uword channel, arma::uword state, const BitBlock& block, const arma::umat& theta,
                           std::vector<double>& score) const {
    const double* weight = evidence_.weights.colptr(channel) + 1;
    double mean_without = evidence_.weights.at(0, channel);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
        if (theta.at(dim, state) == 1) mean_without += weight[dim];
    for (const arma::uword dim : block)
        if (theta.at(dim, state) == 1) mean_without -= weight[dim];
    const double n = evidence_.n_observed.at(channel, state);
    for (std::size_t candidate = 0; candidate < score.size(); ++candidate) {
        double mean = mean_without;
        for (std::size_t bit = 0; bit < block.size(); ++bit)
            if ((candidate >> bit & 1) == 1) mean += weight[block[bit]];
        score[candidate] += evidence_.h[channel] * mean * (evidence_.sum_y.at(channel, state) - 0.5 * n * mean);
    }
}

}  // namespace hmmlt
