// Bits drawn in blocks with u and Q integrated out, docs/model.md (49)-(51). What a candidate for the block of state j
// means for another state k depends on k only through its own bits in the block (its pattern) and the distance outside
// the block, so everything is collected by pattern first: a candidate then costs nothing that grows with J.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/locations/binary.hpp"
#include "hmmlt/locations/packed_bits.hpp"
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

arma::uword differing_bits(arma::uword a, arma::uword b) {
    return static_cast<arma::uword>(std::popcount(a ^ b));
}

arma::uword pattern_of(const Dims& block, const PackedBits& bits, arma::uword state) {
    arma::uword pattern = 0;
    for (std::size_t bit = 0; bit < block.size(); ++bit) pattern |= bits.bit(state, block[bit]) << bit;
    return pattern;
}

// (50): the log of docs/model.md (10) where it depends on the bits of one state, kept up to date as states move. Rows
// that nobody leaves have no say, so that the work is that of the departed ones.
class TransitionScore {
  public:
    TransitionScore(double lambda, const arma::mat& n, const arma::mat& log_pi, const arma::umat& theta)
        : lambda_(lambda),
          n_dims_(theta.n_rows),
          n_(n),
          log_pi_(scale_rows(log_pi)),
          bits_(theta),
          departures_(count_departures(n)),
          distance_(theta.n_cols),
          phi_(n_dims_ + 1) {
        for (arma::uword h = 0; h <= n_dims_; ++h) phi_[h] = vector_exp(-lambda * static_cast<double>(h));
        for (arma::uword from = 0; from < theta.n_cols; ++from)
            if (departures_[from] > 0.0)
                departed_.push_back({from, departures_[from], log_sum_row(from, theta.n_cols)});
        log_total_if_at_.resize(departed_.size() * (n_dims_ + 1));
    }

    // Leaves column `state` out of the totals of all other rows, and finds what they would be with it back at each
    // distance.
    void take_out(arma::uword state) {
        measure(state);
        for (std::size_t i = 0; i < departed_.size(); ++i)
            if (departed_[i].from != state)
                fill_totals(state, departed_[i], log_total_if_at_.data() + i * (n_dims_ + 1));
    }

    // The score of every candidate for a block of bits of `state`, up to a constant.
    void score(arma::uword state, const Dims& block, std::vector<double>& score) const {
        const std::size_t n_patterns = score.size();
        const std::size_t n_distances = block.size() + 1;
        std::vector<double> others(n_patterns * n_distances, 0.0);
        const arma::uword current = pattern_of(block, bits_, state);
        for (std::size_t i = 0; i < departed_.size(); ++i) {
            const Departed& row = departed_[i];
            if (row.from == state) continue;
            const arma::uword pattern = pattern_of(block, bits_, row.from);
            const arma::uword outside = distance_[row.from] - differing_bits(pattern, current);
            const double* log_total = log_total_if_at_.data() + i * (n_dims_ + 1) + outside;
            double* sum = others.data() + pattern * n_distances;
            for (std::size_t inside = 0; inside < n_distances; ++inside)
                sum[inside] += row.departures * log_total[inside];
        }
        const std::vector<double> jumps = jumps_by_pattern(state, block, n_patterns);
        const bool departs = departures_[state] > 0.0;
        const std::vector<double> log_rates =
            departs ? log_rates_by_pattern(state, block, n_patterns) : std::vector<double>{};
        for (std::size_t candidate = 0; candidate < n_patterns; ++candidate) {
            double log_total = log_pi_.at(state, state);
            for (std::size_t pattern = 0; pattern < n_patterns; ++pattern) {
                const arma::uword inside = differing_bits(candidate, pattern);
                const auto delta = static_cast<double>(inside);
                score[candidate] -= lambda_ * jumps[pattern] * delta + others[pattern * n_distances + inside];
                if (departs) log_total = log_add_exp(log_total, log_rates[pattern] - lambda_ * delta);
            }
            if (departs) score[candidate] -= departures_[state] * log_total;
        }
    }

    // `state` takes the bits of a candidate for the block.
    void move(arma::uword state, const Dims& block, arma::uword candidate) {
        const arma::uword before = pattern_of(block, bits_, state);
        for (std::size_t bit = 0; bit < block.size(); ++bit) bits_.set(state, block[bit], candidate >> bit & 1);
        for (arma::uword other = 0; other < distance_.size(); ++other) {
            if (other == state) continue;
            const arma::uword pattern = pattern_of(block, bits_, other);
            distance_[other] += differing_bits(pattern, candidate) - differing_bits(pattern, before);
        }
    }

    // Puts `state` back with the bits it now has.
    void put_back(arma::uword state) {
        for (std::size_t i = 0; i < departed_.size(); ++i) {
            Departed& row = departed_[i];
            row.log_total = row.from == state ? log_sum_row(state, distance_.size())
                                              : log_total_if_at_[i * (n_dims_ + 1) + distance_[row.from]];
        }
    }

  private:
    // A row with departures.
    struct Departed {
        arma::uword from;
        double departures;
        double log_total;  // log T
    };

    // Distances of all states from one.
    void measure(arma::uword state) {
        std::fill(distance_.begin(), distance_.end(), 0);
        for (arma::uword word = 0; word < bits_.n_words(); ++word) {
            const std::uint64_t* words = bits_.words(word);
            for (arma::uword other = 0; other < distance_.size(); ++other)
                distance_[other] += differing_bits(words[other], words[state]);
        }
    }

    double distance(arma::uword a, arma::uword b) const {
        arma::uword sum = 0;
        for (arma::uword word = 0; word < bits_.n_words(); ++word)
            sum += differing_bits(bits_.words(word)[a], bits_.words(word)[b]);
        return static_cast<double>(sum);
    }

    // log sum_to pi phi, over all columns but one.
    double log_sum_row(arma::uword from, arma::uword left_out) {
        terms_.clear();
        for (arma::uword to = 0; to < log_pi_.n_cols; ++to)
            if (to != left_out) terms_.push_back(log_pi_.at(from, to) - lambda_ * distance(from, to));
        return log_sum_exp(terms_.size(), [this](std::size_t i) { return terms_[i]; });
    }

    // log T of a row if `state`, which is in its column now, were at distance 0, 1, ..., n_dims. Where that column
    // holds most of the total, the rest is summed afresh, because a subtraction would cancel.
    void fill_totals(arma::uword state, const Departed& row, double* log_total_if_at) {
        constexpr double log_half = -0.6931471805599453;
        constexpr double log_far = -400.0;
        const double log_rate = log_pi_.at(row.from, state);
        const double share = log_rate - lambda_ * static_cast<double>(distance_[row.from]) - row.log_total;
        const double log_without = share < log_half ? row.log_total + log1m_exp(share) : log_sum_row(row.from, state);
        const double largest = std::max(log_without, log_rate);
        const double without = vector_exp(log_without - largest);
        const double rate = vector_exp(log_rate - largest);
        if (log_without - largest > log_far) {  // the sum stays above it, however small phi is
            for (arma::uword h = 0; h <= n_dims_; ++h)
                log_total_if_at[h] = largest + vector_log(__builtin_fma(rate, phi_[h], without));
        } else {
            for (arma::uword h = 0; h <= n_dims_; ++h)
                log_total_if_at[h] = log_add_exp(log_without, log_rate - lambda_ * static_cast<double>(h));
        }
    }

    std::vector<double> jumps_by_pattern(arma::uword state, const Dims& block, std::size_t n_patterns) const {
        std::vector<double> jumps(n_patterns, 0.0);
        const double* into = n_.colptr(state);
        for (const Departed& row : departed_)
            if (row.from != state && into[row.from] > 0.0) jumps[pattern_of(block, bits_, row.from)] += into[row.from];
        if (departures_[state] > 0.0)
            for (arma::uword to = 0; to < n_.n_cols; ++to)
                if (to != state && n_.at(state, to) > 0.0) jumps[pattern_of(block, bits_, to)] += n_.at(state, to);
        return jumps;
    }

    // log of sum pi phi of row `state` by the pattern of the column, phi at the distance outside the block.
    std::vector<double> log_rates_by_pattern(arma::uword state, const Dims& block, std::size_t n_patterns) const {
        const arma::uword current = pattern_of(block, bits_, state);
        std::vector<arma::uword> patterns(distance_.size());
        std::vector<double> terms(distance_.size());
        std::vector<double> largest(n_patterns, minus_infinity);
        for (arma::uword to = 0; to < distance_.size(); ++to) {
            patterns[to] = pattern_of(block, bits_, to);
            const arma::uword outside = distance_[to] - differing_bits(patterns[to], current);
            terms[to] = to == state ? minus_infinity : log_pi_.at(state, to) - lambda_ * static_cast<double>(outside);
            largest[patterns[to]] = std::max(largest[patterns[to]], terms[to]);
        }
        std::vector<double> sum(n_patterns, 0.0);
        for (arma::uword to = 0; to < terms.size(); ++to)
            if (terms[to] > minus_infinity) sum[patterns[to]] += vector_exp(terms[to] - largest[patterns[to]]);
        for (std::size_t pattern = 0; pattern < n_patterns; ++pattern)
            sum[pattern] = sum[pattern] > 0.0 ? largest[pattern] + std::log(sum[pattern]) : minus_infinity;
        return sum;
    }

    double lambda_;
    arma::uword n_dims_;
    const arma::mat& n_;
    arma::mat log_pi_;  // scaled
    PackedBits bits_;
    arma::vec departures_;
    std::vector<Departed> departed_;
    std::vector<arma::uword> distance_;    // of all states from the one that is moving
    std::vector<double> phi_;              // e^(-lambda h)
    std::vector<double> log_total_if_at_;  // departed row x distance of the state that is moving
    std::vector<double> terms_;
};

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
