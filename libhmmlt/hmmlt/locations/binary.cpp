#include "hmmlt/locations/binary.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hmmlt/locations/packed_bits.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/sum_in_lanes.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Other states, and what is known of the jumps between them and the state whose bits are drawn. As columns, because
// loops over arrays become vector code. Jumps are few, and so a state has few neighbours; one may stand here twice,
// once for each direction.
struct Neighbours {
    std::vector<arma::uword> other;
    std::vector<double> jumps;     // n in both directions
    std::vector<double> failures;  // q in both directions

    void add(arma::uword state, double n, double q) {
        other.push_back(state);
        jumps.push_back(n);
        failures.push_back(q);
    }
};

std::vector<Neighbours> neighbours_of_all(const arma::mat& n, const arma::mat& q) {
    std::vector<Neighbours> lists(q.n_cols);
    for (arma::uword to = 0; to < q.n_cols; ++to)
        for (arma::uword from = 0; from < q.n_rows; ++from) {
            const double jumps = n.at(from, to);
            const double failures = q.at(from, to);
            if (jumps + failures == 0.0 || from == to) continue;
            lists[from].add(to, jumps, failures);
            lists[to].add(from, jumps, failures);
        }
    return lists;
}

Neighbours neighbours_of(arma::uword state, const arma::mat& n, const arma::mat& q) {
    Neighbours list;
    for (arma::uword other = 0; other < q.n_cols; ++other)
        if (other != state) list.add(other, n(state, other) + n(other, state), q(state, other) + q(other, state));
    return list;
}

// log(1 - phi) at distance h + 1 minus that at distance h, h = 0 .. n_dims; infinite at 0.
std::vector<double> log_failure_ratios(double lambda, arma::uword n_dims) {
    const auto log_failure = [lambda](arma::uword h) { return log1m_exp(-lambda * static_cast<double>(h)); };
    std::vector<double> table(n_dims + 1);
    for (arma::uword h = 0; h <= n_dims; ++h)
        table[h] = h == 0 ? std::numeric_limits<double>::infinity() : log_failure(h + 1) - log_failure(h);
    return table;
}

// The bits of one state, and everything their conditionals need.
class BitConditional {
  public:
    BitConditional(arma::uword state, const PackedBits& theta, double lambda, const std::vector<double>& ratios,
                   const LinearEvidence& evidence, const Neighbours& neighbours)
        : state_(state),
          theta_(theta),
          lambda_(lambda),
          ratios_(ratios),
          evidence_(evidence),
          neighbours_(neighbours),
          its_bits_(neighbours.other.size()),
          distance_(neighbours.other.size(), 0),
          if_same_(neighbours.other.size()),
          if_other_(neighbours.other.size()),
          mean_(evidence.h.n_elem) {
        for (arma::uword word = theta.n_words(); word-- > 0;) {  // the first word, which is asked first, stays
            read_word(word);
            for (std::size_t i = 0; i < distance_.size(); ++i)
                distance_[i] += static_cast<arma::uword>(std::popcount(its_bits_[i] ^ theta.words(word)[state]));
        }
        weigh_failures();
        for (arma::uword channel = 0; channel < mean_.n_elem; ++channel) {
            mean_[channel] = evidence.weights.at(0, channel);
            for (arma::uword dim = 0; dim + 1 < evidence.weights.n_rows; ++dim)
                if (theta.bit(state, dim) == 1) mean_[channel] += evidence.weights.at(dim + 1, channel);
        }
    }

    // Infinite where the bit is forced.
    double log_odds(arma::uword dim, double prior_log_odds) {
        const double jumps = jump_log_odds(dim);
        return std::isinf(jumps) ? jumps : prior_log_odds + jumps + evidence_log_odds(dim);
    }

    // After the bit has been turned over in theta.
    void turned_over(arma::uword dim) {
        const std::uint64_t bit = theta_.bit(state_, dim);
        for (std::size_t i = 0; i < distance_.size(); ++i)
            distance_[i] += (its_bits_[i] >> dim % 64 & 1) == bit ? arma::uword(-1) : arma::uword{1};
        weigh_failures();
        for (arma::uword channel = 0; channel < mean_.n_elem; ++channel) {
            const double weight = evidence_.weights.at(dim + 1, channel);
            mean_[channel] += bit == 1 ? weight : -weight;
        }
    }

  private:
    void read_word(arma::uword word) {
        word_ = word;
        for (std::size_t i = 0; i < its_bits_.size(); ++i) its_bits_[i] = theta_.words(word)[neighbours_.other[i]];
    }

    // What a neighbour has to say for its own bit: its jumps are for it, its failed jumps against it, by how much
    // depends on the distance in the other coordinates, which is one less where the bits differ.
    void weigh_failures() {
        for (std::size_t i = 0; i < distance_.size(); ++i) {
            const double pull = lambda_ * neighbours_.jumps[i];
            const double failures = neighbours_.failures[i];
            const arma::uword distance = distance_[i];
            if_same_[i] = failures == 0.0 ? pull : pull - failures * ratios_[distance];
            if_other_[i] = failures == 0.0 || distance == 0 ? pull : pull - failures * ratios_[distance - 1];
        }
    }

    // (46) + (47): what the jumps between the state and the others say. At distance 0 nothing can fail: the bit is
    // forced, and since the current value is possible, all forced directions agree and the sum is infinite.
    double jump_log_odds(arma::uword dim) {
        if (dim / 64 != word_) read_word(dim / 64);
        const bool is_one = theta_.bit(state_, dim) == 1;
        const double* const for_one = (is_one ? if_same_ : if_other_).data();
        const double* const for_zero = (is_one ? if_other_ : if_same_).data();
        const std::uint64_t* const bits = its_bits_.data();
        const std::uint64_t mask = std::uint64_t{1} << dim % 64;
        return sum_in_lanes(its_bits_.size(), [=](std::size_t i) {
            const double one = for_one[i];
            const double zero = -for_zero[i];
            return (bits[i] & mask) != 0 ? one : zero;
        });
    }

    // (48): the difference of two normal log densities, over the observed cells of the state.
    double evidence_log_odds(arma::uword dim) const {
        const bool is_one = theta_.bit(state_, dim) == 1;
        double log_odds = 0.0;
        for (arma::uword channel = 0; channel < mean_.n_elem; ++channel) {
            const double weight = evidence_.weights.at(dim + 1, channel);
            const double mean_without = mean_[channel] - (is_one ? weight : 0.0);
            const double count = evidence_.n_observed.at(channel, state_);
            const double residual = evidence_.sum_y.at(channel, state_) - count * mean_without;
            log_odds += evidence_.h[channel] * weight * (residual - 0.5 * count * weight);
        }
        return log_odds;
    }

    arma::uword state_;
    const PackedBits& theta_;
    double lambda_;
    const std::vector<double>& ratios_;
    const LinearEvidence& evidence_;
    const Neighbours& neighbours_;
    arma::uword word_ = 0;                 // of its_bits_
    std::vector<std::uint64_t> its_bits_;  // of each neighbour
    std::vector<arma::uword> distance_;    // to each neighbour
    std::vector<double> if_same_;          // log odds for its own bit, if ours is the same,
    std::vector<double> if_other_;         // and if it is not
    arma::vec mean_;                       // of each channel, with the current bits
};

double logit(double p) {
    return std::log(p) - std::log1p(-p);
}

}  // namespace

bool operator==(const BinaryLocationState& a, const BinaryLocationState& b) {
    return arma::size(a.theta) == arma::size(b.theta) && arma::size(a.mu) == arma::size(b.mu) &&
           arma::accu(a.theta != b.theta) == 0 && arma::accu(a.mu != b.mu) == 0;
}

arma::mat hamming_distances(const arma::umat& theta) {
    arma::mat distance;
    hamming_distances(theta, distance);
    return distance;
}

void hamming_distances(const arma::umat& theta, arma::mat& distance) {
    const PackedBits bits(theta);
    distance.set_size(theta.n_cols, theta.n_cols);
    for (arma::uword b = 0; b < theta.n_cols; ++b) {
        double* column = distance.colptr(b);
        std::fill_n(column, theta.n_cols, 0.0);  // here, where the column then stays in the cache
        for (arma::uword word = 0; word < bits.n_words(); ++word) {
            const std::uint64_t* words = bits.words(word);
            for (arma::uword a = 0; a < theta.n_cols; ++a) column[a] += std::popcount(words[a] ^ words[b]);
        }
    }
}

double bit_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& mu, double lambda,
                    const arma::mat& n, const arma::mat& q, const LinearEvidence& evidence) {
    const Neighbours neighbours = neighbours_of(state, n, q);
    const std::vector<double> ratios = log_failure_ratios(lambda, theta.n_rows);
    const PackedBits bits(theta);
    return BitConditional(state, bits, lambda, ratios, evidence, neighbours).log_odds(dim, logit(mu(dim)));
}

void sample_bits_given_failed_jumps(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& q,
                                    const LinearEvidence& evidence, arma::umat& theta, const BlockStreams& rng) {
    check_size("sample_bits_given_failed_jumps", "mu", mu.n_elem, theta.n_rows);
    const std::vector<Neighbours> neighbours = neighbours_of_all(n, q);
    const std::vector<double> ratios = log_failure_ratios(lambda, theta.n_rows);
    PackedBits packed(theta);
    arma::vec prior_log_odds = mu;
    prior_log_odds.transform(logit);
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        BitConditional bits(state, packed, lambda, ratios, evidence, neighbours[state]);
        for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
            const double log_odds = bits.log_odds(dim, prior_log_odds[dim]);
            const arma::uword bit = logit(draw_uniform(stream)) < log_odds ? 1 : 0;
            if (bit == theta.at(dim, state)) continue;
            theta.at(dim, state) = bit;
            packed.set(state, dim, bit);
            bits.turned_over(dim);
        }
    }
}

BetaPrior bit_probability_law(const BetaPrior& prior, const arma::umat& theta, arma::uword dim) {
    const auto ones = static_cast<double>(arma::accu(theta.row(dim)));
    return {prior.a + ones, prior.b + static_cast<double>(theta.n_cols) - ones};
}

void sample_bit_probabilities(const BetaPrior& prior, const arma::umat& theta, arma::vec& mu, const BlockStreams& rng) {
    mu.set_size(theta.n_rows);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
        Stream stream = rng.item(dim);
        const BetaPrior law = bit_probability_law(prior, theta, dim);
        mu(dim) = draw_beta(law.a, law.b, stream);
    }
}

}  // namespace hmmlt
