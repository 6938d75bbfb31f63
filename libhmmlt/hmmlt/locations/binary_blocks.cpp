// Bits drawn in blocks with u and Q integrated out, docs/model.md (49)-(51). What a candidate for the block of state j
// means for another state k depends on k only through its own bits in the block (its pattern) and the distance outside
// the block, so everything is collected by pattern first: a candidate then costs nothing that grows with J.
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/locations/binary.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

using Dims = std::vector<arma::uword>;
constexpr arma::uword largest_block = 8;

// All coordinates in random order.
Dims shuffled(arma::uword n_dims, Stream& rng) {
    Dims dims(n_dims);
    std::iota(dims.begin(), dims.end(), arma::uword{0});
    for (std::size_t i = n_dims; i > 1; --i)
        std::swap(dims[i - 1], dims[static_cast<std::size_t>(draw_uniform(rng) * static_cast<double>(i))]);
    return dims;
}

arma::uword pattern_of(const Dims& block, const arma::umat& theta, arma::uword state) {
    arma::uword pattern = 0;
    for (std::size_t bit = 0; bit < block.size(); ++bit) pattern |= theta.at(block[bit], state) << bit;
    return pattern;
}

arma::uword differing_bits(arma::uword a, arma::uword b) {
    return static_cast<arma::uword>(std::popcount(a ^ b));
}

double log_sum_row(const arma::mat& log_pi, const arma::mat& distance, double lambda, arma::uword from,
                   arma::uword left_out) {
    double largest = minus_infinity;
    for (arma::uword to = 0; to < distance.n_cols; ++to)
        if (to != left_out) largest = std::max(largest, log_pi.at(from, to) - lambda * distance.at(from, to));
    if (largest == minus_infinity) return minus_infinity;
    double sum = 0.0;
    for (arma::uword to = 0; to < distance.n_cols; ++to)
        if (to != left_out) sum += std::exp(log_pi.at(from, to) - lambda * distance.at(from, to) - largest);
    return largest + std::log(sum);
}

// (50): the log of docs/model.md (10) where it depends on the bits of one state, kept up to date as states move.
class TransitionScore {
  public:
    TransitionScore(double lambda, const arma::mat& n, const arma::mat& log_pi, const arma::umat& theta)
        : lambda_(lambda),
          n_(n),
          log_pi_(scale_rows(log_pi)),
          departures_(count_departures(n)),
          distance_(hamming_distances(theta)) {
        log_total_.set_size(theta.n_cols);
        for (arma::uword from = 0; from < theta.n_cols; ++from)
            log_total_(from) =
                departures_(from) == 0.0 ? 0.0 : log_sum_row(log_pi_, distance_, lambda, from, theta.n_cols);
        log_without_.set_size(theta.n_cols);
    }

    // Leaves column `state` out of the totals of all other rows. Where the column holds most of a total, the rest is
    // summed afresh, because the subtraction would cancel.
    void take_out(arma::uword state) {
        for (arma::uword from = 0; from < distance_.n_rows; ++from) {
            if (from == state || departures_(from) == 0.0) continue;
            const double share = log_pi_.at(from, state) - lambda_ * distance_.at(from, state) - log_total_(from);
            constexpr double log_half = -0.6931471805599453;
            log_without_(from) = share < log_half ? log_total_(from) + log1m_exp(share)
                                                  : log_sum_row(log_pi_, distance_, lambda_, from, state);
        }
    }

    // The score of every candidate for a block of bits of `state`, up to a constant.
    void score(arma::uword state, const Dims& block, const arma::umat& theta, std::vector<double>& score) const {
        const std::size_t n_patterns = score.size();
        const std::size_t n_distances = block.size() + 1;
        std::vector<double> jumps(n_patterns, 0.0);
        std::vector<double> log_rates(n_patterns, minus_infinity);
        std::vector<double> others(n_patterns * n_distances, 0.0);
        const arma::uword current = pattern_of(block, theta, state);
        for (arma::uword other = 0; other < theta.n_cols; ++other) {
            if (other == state) continue;
            const arma::uword pattern = pattern_of(block, theta, other);
            const double outside = distance_.at(state, other) - static_cast<double>(differing_bits(pattern, current));
            jumps[pattern] += n_.at(state, other) + n_.at(other, state);
            if (departures_(state) > 0.0)
                log_rates[pattern] = log_add_exp(log_rates[pattern], log_pi_.at(state, other) - lambda_ * outside);
            if (departures_(other) > 0.0)
                for (std::size_t inside = 0; inside < n_distances; ++inside) {
                    const double delta = outside + static_cast<double>(inside);
                    others[pattern * n_distances + inside] +=
                        departures_(other) *
                        log_add_exp(log_without_(other), log_pi_.at(other, state) - lambda_ * delta);
                }
        }
        for (std::size_t candidate = 0; candidate < n_patterns; ++candidate) {
            double log_total = log_pi_.at(state, state);
            for (std::size_t pattern = 0; pattern < n_patterns; ++pattern) {
                const arma::uword inside = differing_bits(candidate, pattern);
                const auto delta = static_cast<double>(inside);
                score[candidate] -= lambda_ * jumps[pattern] * delta + others[pattern * n_distances + inside];
                log_total = log_add_exp(log_total, log_rates[pattern] - lambda_ * delta);
            }
            if (departures_(state) > 0.0) score[candidate] -= departures_(state) * log_total;
        }
    }

    // Puts `state` back with the bits it now has.
    void put_back(arma::uword state, const arma::umat& theta) {
        for (arma::uword other = 0; other < theta.n_cols; ++other) {
            const auto delta = static_cast<double>(arma::accu(theta.col(state) != theta.col(other)));
            distance_.at(state, other) = distance_.at(other, state) = delta;
            if (other != state && departures_(other) > 0.0)
                log_total_(other) = log_add_exp(log_without_(other), log_pi_.at(other, state) - lambda_ * delta);
        }
        if (departures_(state) > 0.0) log_total_(state) = log_sum_row(log_pi_, distance_, lambda_, state, theta.n_cols);
    }

    // The distances of `state` after some of its bits changed inside a block.
    void move(arma::uword state, const Dims& block, const arma::umat& theta, arma::uword before) {
        const arma::uword after = pattern_of(block, theta, state);
        for (arma::uword other = 0; other < theta.n_cols; ++other) {
            if (other == state) continue;
            const arma::uword pattern = pattern_of(block, theta, other);
            const double change = static_cast<double>(differing_bits(pattern, after)) -
                                  static_cast<double>(differing_bits(pattern, before));
            distance_.at(state, other) += change;
            distance_.at(other, state) += change;
        }
    }

  private:
    double lambda_;
    const arma::mat& n_;
    arma::mat log_pi_;  // scaled
    arma::vec departures_;
    arma::mat distance_;
    arma::vec log_total_;    // log T_k of every departed row
    arma::vec log_without_;  // log T_k without the column of the state that is moving
};

// The prior of the bits and the emission, for every candidate.
void add_prior_and_evidence(arma::uword state, const Dims& block, const arma::umat& theta, const arma::vec& mu,
                            const LinearEvidence& evidence, std::vector<double>& score) {
    arma::vec mean_without(evidence.h.n_elem);
    for (arma::uword channel = 0; channel < mean_without.n_elem; ++channel) {
        double mean = evidence.weights(0, channel);
        for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
            if (theta.at(dim, state) == 1) mean += evidence.weights(dim + 1, channel);
        for (const arma::uword dim : block)
            if (theta.at(dim, state) == 1) mean -= evidence.weights(dim + 1, channel);
        mean_without(channel) = mean;
    }
    for (std::size_t candidate = 0; candidate < score.size(); ++candidate) {
        for (std::size_t bit = 0; bit < block.size(); ++bit)
            score[candidate] += (candidate >> bit & 1) == 1 ? std::log(mu(block[bit])) : std::log1p(-mu(block[bit]));
        for (arma::uword channel = 0; channel < mean_without.n_elem; ++channel) {
            double mean = mean_without(channel);
            for (std::size_t bit = 0; bit < block.size(); ++bit)
                if ((candidate >> bit & 1) == 1) mean += evidence.weights(block[bit] + 1, channel);
            score[candidate] += evidence.h(channel) * mean *
                                (evidence.sum_y(channel, state) - 0.5 * evidence.n_observed(channel, state) * mean);
        }
    }
}

}  // namespace

std::vector<double> bit_block_log_weights(arma::uword state, const std::vector<arma::uword>& dims,
                                          const arma::umat& theta, const arma::vec& mu, double lambda,
                                          const arma::mat& n, const arma::mat& log_pi, const LinearEvidence& evidence) {
    check_below("bit_block_log_weights", "the number of dims", dims.size(), largest_block + 1);
    std::vector<double> score(std::size_t{1} << dims.size(), 0.0);
    add_prior_and_evidence(state, dims, theta, mu, evidence, score);
    TransitionScore transitions(lambda, n, log_pi, theta);
    transitions.take_out(state);
    transitions.score(state, dims, theta, score);
    return score;
}

void sample_bits_in_blocks(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& log_pi,
                           const LinearEvidence& evidence, arma::uword block_size, arma::umat& theta,
                           const BlockStreams& rng) {
    check_size("sample_bits_in_blocks", "mu", mu.n_elem, theta.n_rows);
    check_positive_finite("sample_bits_in_blocks", "block_size", static_cast<double>(block_size));
    check_below("sample_bits_in_blocks", "block_size", block_size, largest_block + 1);
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
            add_prior_and_evidence(state, block, theta, mu, evidence, score);
            if (local) transitions.score(state, block, theta, score);
            const arma::uword before = pattern_of(block, theta, state);
            const arma::uword chosen = draw_categorical_log(score, stream);
            for (std::size_t bit = 0; bit < block.size(); ++bit) theta.at(block[bit], state) = chosen >> bit & 1;
            if (local && chosen != before) transitions.move(state, block, theta, before);
        }
        if (local) transitions.put_back(state, theta);
    }
}

}  // namespace hmmlt
