// Bits drawn in blocks with u and Q integrated out, docs/model.md (49)-(51).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "hmmlt/locations/binary.hpp"
#include "hmmlt/locations/transition_score.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

using Dims = TransitionScore::Dims;
constexpr arma::uword largest_block = 8;

// All coordinates in random order.
Dims shuffled(arma::uword n_dims, Stream& rng) {
    Dims dims(n_dims);
    std::iota(dims.begin(), dims.end(), arma::uword{0});
    for (std::size_t i = n_dims; i > 1; --i)
        std::swap(dims[i - 1], dims[static_cast<std::size_t>(draw_uniform(rng) * static_cast<double>(i))]);
    return dims;
}

// The prior of the bits and the emission.
class BitScore {
  public:
    BitScore(const arma::vec& mu, const LinearEvidence& evidence)
        : log_one_(arma::log(mu)), log_zero_(mu), evidence_(evidence) {
        log_zero_.transform([](double p) { return std::log1p(-p); });
    }

    // Added to the score of every candidate for a block of bits of `state`.
    void add(arma::uword state, const Dims& block, const arma::umat& theta, std::vector<double>& score) const {
        for (std::size_t candidate = 0; candidate < score.size(); ++candidate)
            for (std::size_t bit = 0; bit < block.size(); ++bit)
                score[candidate] += ((candidate >> bit & 1) == 1 ? log_one_ : log_zero_)[block[bit]];
        for (arma::uword channel = 0; channel < evidence_.h.n_elem; ++channel)
            if (evidence_.n_observed.at(channel, state) > 0.0) add_channel(channel, state, block, theta, score);
    }

  private:
    void add_channel(arma::uword channel, arma::uword state, const Dims& block, const arma::umat& theta,
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

    arma::vec log_one_;
    arma::vec log_zero_;
    const LinearEvidence& evidence_;
};

}  // namespace

std::vector<double> bit_block_log_weights(arma::uword state, const std::vector<arma::uword>& dims,
                                          const arma::umat& theta, const arma::vec& mu, double lambda,
                                          const arma::mat& n, const arma::mat& log_pi, const LinearEvidence& evidence) {
    check_below("bit_block_log_weights", "the number of dims", dims.size(), largest_block + 1);
    std::vector<double> score(std::size_t{1} << dims.size(), 0.0);
    BitScore(mu, evidence).add(state, dims, theta, score);
    TransitionScore transitions(lambda, n, log_pi, theta);
    transitions.take_out(state);
    transitions.score(state, dims, score);
    return score;
}

void sample_bits_in_blocks(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& log_pi,
                           const LinearEvidence& evidence, arma::uword block_size, arma::umat& theta,
                           const BlockStreams& rng) {
    check_size("sample_bits_in_blocks", "mu", mu.n_elem, theta.n_rows);
    check_positive_finite("sample_bits_in_blocks", "block_size", static_cast<double>(block_size));
    check_below("sample_bits_in_blocks", "block_size", block_size, largest_block + 1);
    const BitScore prior_and_evidence(mu, evidence);
    TransitionScore transitions(lambda, n, log_pi, theta);
    const bool local = lambda > 0.0;  // otherwise transitions do not depend on the bits
    std::vector<double> score;
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        const Dims dims = shuffled(theta.n_rows, stream);
        if (local) transitions.take_out(state);
        for (arma::uword first = 0; first < dims.size(); first += block_size) {
            const arma::uword last = std::min<arma::uword>(first + block_size, dims.size());
            const Dims block(dims.begin() + static_cast<std::ptrdiff_t>(first),
                             dims.begin() + static_cast<std::ptrdiff_t>(last));
            score.assign(std::size_t{1} << block.size(), 0.0);
            prior_and_evidence.add(state, block, theta, score);
            if (local) transitions.score(state, block, score);
            const arma::uword chosen = draw_categorical_log(score, stream);
            for (std::size_t bit = 0; bit < block.size(); ++bit) theta.at(block[bit], state) = chosen >> bit & 1;
            if (local) transitions.move(state, block, chosen);
        }
        if (local) transitions.put_back(state);
    }
}

}  // namespace hmmlt
