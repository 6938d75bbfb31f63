#include "hmmlt/locations/binary.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hmmlt/locations/packed_bits.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// Another state, and what is known of the jumps between it and the state whose bits are drawn.
struct Neighbour {
    arma::uword other;
    double jumps;     // n in both directions
    double failures;  // q in both directions
    arma::uword distance;
};
using Neighbours = std::vector<Neighbour>;

// Jumps are few, and so a state has few neighbours. One may stand in a list twice, once for each direction.
std::vector<Neighbours> neighbours_of_all(const arma::mat& n, const arma::mat& q) {
    std::vector<Neighbours> lists(q.n_cols);
    for (arma::uword to = 0; to < q.n_cols; ++to)
        for (arma::uword from = 0; from < q.n_rows; ++from) {
            const double jumps = n.at(from, to);
            const double failures = q.at(from, to);
            if (jumps + failures == 0.0 || from == to) continue;
            lists[from].push_back({to, jumps, failures, 0});
            lists[to].push_back({from, jumps, failures, 0});
        }
    return lists;
}

Neighbours neighbours_of(arma::uword state, const arma::mat& n, const arma::mat& q) {
    Neighbours list;
    for (arma::uword other = 0; other < q.n_cols; ++other)
        if (other != state)
            list.push_back({other, n(state, other) + n(other, state), q(state, other) + q(other, state), 0});
    return list;
}

// log(1 - phi) at the distances 0 .. n_dims.
std::vector<double> log_failure_table(double lambda, arma::uword n_dims) {
    std::vector<double> table(n_dims + 1);
    for (arma::uword h = 0; h <= n_dims; ++h) table[h] = log1m_exp(-lambda * static_cast<double>(h));
    return table;
}

// The bits of one state, and everything their conditionals need.
class BitConditional {
  public:
    BitConditional(arma::uword state, const arma::umat& theta, double lambda, const std::vector<double>& log_failure,
                   const LinearEvidence& evidence, Neighbours& neighbours)
        : state_(state),
          theta_(theta),
          lambda_(lambda),
          log_failure_(log_failure),
          evidence_(evidence),
          neighbours_(neighbours),
          mean_(evidence.h.n_elem) {
        for (Neighbour& neighbour : neighbours_) {
            neighbour.distance = 0;
            for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
                neighbour.distance += theta.at(dim, state) != theta.at(dim, neighbour.other) ? 1U : 0U;
        }
        for (arma::uword channel = 0; channel < mean_.n_elem; ++channel) {
            mean_[channel] = evidence.weights.at(0, channel);
            for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
                if (theta.at(dim, state) == 1) mean_[channel] += evidence.weights.at(dim + 1, channel);
        }
    }

    // Infinite where the bit is forced.
    double log_odds(arma::uword dim, double prior_log_odds) const {
        const double jumps = jump_log_odds(dim);
        return std::isinf(jumps) ? jumps : prior_log_odds + jumps + evidence_log_odds(dim);
    }

    // After the bit has been turned over in theta.
    void turned_over(arma::uword dim) {
        const arma::uword bit = theta_.at(dim, state_);
        for (Neighbour& neighbour : neighbours_)
            neighbour.distance += theta_.at(dim, neighbour.other) == bit ? arma::uword(-1) : arma::uword{1};
        for (arma::uword channel = 0; channel < mean_.n_elem; ++channel) {
            const double weight = evidence_.weights.at(dim + 1, channel);
            mean_[channel] += bit == 1 ? weight : -weight;
        }
    }

  private:
    // (46) + (47): what the jumps between the state and the others say.
    double jump_log_odds(arma::uword dim) const {
        const arma::uword bit = theta_.at(dim, state_);
        double log_odds = 0.0;
        for (const Neighbour& neighbour : neighbours_) {
            const arma::uword its_bit = theta_.at(dim, neighbour.other);
            const double towards_one = its_bit == 1 ? 1.0 : -1.0;
            log_odds += lambda_ * towards_one * neighbour.jumps;
            if (neighbour.failures == 0.0) continue;
            const arma::uword without = neighbour.distance - (its_bit != bit ? 1U : 0U);
            // The larger distance is the one with differing bits. At distance 0 nothing can fail: the bit is forced,
            // and since the current value is possible, all forced directions agree.
            if (without == 0) return -towards_one * std::numeric_limits<double>::infinity();
            log_odds -= towards_one * neighbour.failures * (log_failure_[without + 1] - log_failure_[without]);
        }
        return log_odds;
    }

    // (48): the difference of two normal log densities, over the observed cells of the state.
    double evidence_log_odds(arma::uword dim) const {
        const bool is_one = theta_.at(dim, state_) == 1;
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
    const arma::umat& theta_;
    double lambda_;
    const std::vector<double>& log_failure_;
    const LinearEvidence& evidence_;
    Neighbours& neighbours_;
    arma::vec mean_;  // of each channel, with the current bits
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
    const PackedBits bits(theta);
    arma::mat distance(theta.n_cols, theta.n_cols, arma::fill::zeros);
    for (arma::uword word = 0; word < bits.n_words(); ++word)
        for (arma::uword b = 0; b < theta.n_cols; ++b) {
            double* column = distance.colptr(b);
            const std::uint64_t* words = bits.words(word);
            for (arma::uword a = 0; a < theta.n_cols; ++a) column[a] += std::popcount(words[a] ^ words[b]);
        }
    return distance;
}

double bit_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& mu, double lambda,
                    const arma::mat& n, const arma::mat& q, const LinearEvidence& evidence) {
    Neighbours neighbours = neighbours_of(state, n, q);
    const std::vector<double> log_failure = log_failure_table(lambda, theta.n_rows);
    return BitConditional(state, theta, lambda, log_failure, evidence, neighbours).log_odds(dim, logit(mu(dim)));
}

void sample_bits_given_failed_jumps(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& q,
                                    const LinearEvidence& evidence, arma::umat& theta, const BlockStreams& rng) {
    check_size("sample_bits_given_failed_jumps", "mu", mu.n_elem, theta.n_rows);
    std::vector<Neighbours> neighbours = neighbours_of_all(n, q);
    const std::vector<double> log_failure = log_failure_table(lambda, theta.n_rows);
    arma::vec prior_log_odds = mu;
    prior_log_odds.transform(logit);
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        BitConditional bits(state, theta, lambda, log_failure, evidence, neighbours[state]);
        for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
            const double log_odds = bits.log_odds(dim, prior_log_odds[dim]);
            const arma::uword bit = logit(draw_uniform(stream)) < log_odds ? 1 : 0;
            if (bit == theta.at(dim, state)) continue;
            theta.at(dim, state) = bit;
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
