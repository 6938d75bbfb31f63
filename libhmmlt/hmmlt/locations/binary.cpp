#include "hmmlt/locations/binary.hpp"

#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// (46) + (47): what the jumps between `state` and the others say. `distance` holds delta_jk with the current bits.
double jump_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& distance,
                     double lambda, const arma::mat& n, const arma::mat& q) {
    double log_odds = 0.0;
    for (arma::uword other = 0; other < theta.n_cols; ++other) {
        if (other == state) continue;
        const double jumps = n(state, other) + n(other, state);
        const double failures = q(state, other) + q(other, state);
        if (jumps == 0.0 && failures == 0.0) continue;
        const double towards_one = theta(dim, other) == 1 ? 1.0 : -1.0;
        log_odds += lambda * towards_one * jumps;
        if (failures == 0.0) continue;
        const double without = distance(other) - (theta(dim, state) != theta(dim, other) ? 1.0 : 0.0);
        // The larger distance is the one with differing bits. At distance 0 nothing can fail: the bit is forced, and
        // since the current value is possible, all forced directions agree.
        if (without == 0.0) return -towards_one * std::numeric_limits<double>::infinity();
        log_odds -= towards_one * failures * (log1m_exp(-lambda * (without + 1.0)) - log1m_exp(-lambda * without));
    }
    return log_odds;
}

// (48): the difference of two normal log densities, over the observed cells of the state.
double evidence_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const LinearEvidence& evidence) {
    double log_odds = 0.0;
    for (arma::uword channel = 0; channel < evidence.h.n_elem; ++channel) {
        const double weight = evidence.weights(dim + 1, channel);
        double mean_without = evidence.weights(0, channel);
        for (arma::uword other = 0; other < theta.n_rows; ++other)
            if (other != dim && theta(other, state) == 1) mean_without += evidence.weights(other + 1, channel);
        const double count = evidence.n_observed(channel, state);
        const double residual = evidence.sum_y(channel, state) - count * mean_without;
        log_odds += evidence.h(channel) * weight * (residual - 0.5 * count * weight);
    }
    return log_odds;
}

arma::vec distances_from(arma::uword state, const arma::umat& theta) {
    arma::vec distance(theta.n_cols);
    for (arma::uword other = 0; other < theta.n_cols; ++other)
        distance(other) = static_cast<double>(arma::accu(theta.col(state) != theta.col(other)));
    return distance;
}

double log_odds_at(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& distance,
                   const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& q,
                   const LinearEvidence& evidence) {
    const double jumps = jump_log_odds(state, dim, theta, distance, lambda, n, q);
    if (std::isinf(jumps)) return jumps;
    return std::log(mu(dim)) - std::log1p(-mu(dim)) + jumps + evidence_log_odds(state, dim, theta, evidence);
}

}  // namespace

bool operator==(const BinaryLocationState& a, const BinaryLocationState& b) {
    return arma::size(a.theta) == arma::size(b.theta) && arma::size(a.mu) == arma::size(b.mu) &&
           arma::accu(a.theta != b.theta) == 0 && arma::accu(a.mu != b.mu) == 0;
}

arma::mat hamming_distances(const arma::umat& theta) {
    arma::mat distance(theta.n_cols, theta.n_cols, arma::fill::zeros);
    for (arma::uword a = 0; a < theta.n_cols; ++a)
        for (arma::uword b = 0; b < a; ++b) {
            arma::uword differing = 0;
            for (arma::uword dim = 0; dim < theta.n_rows; ++dim) differing += theta.at(dim, a) != theta.at(dim, b);
            distance.at(a, b) = distance.at(b, a) = static_cast<double>(differing);
        }
    return distance;
}

double bit_log_odds(arma::uword state, arma::uword dim, const arma::umat& theta, const arma::vec& mu, double lambda,
                    const arma::mat& n, const arma::mat& q, const LinearEvidence& evidence) {
    return log_odds_at(state, dim, theta, distances_from(state, theta), mu, lambda, n, q, evidence);
}

void sample_bits_given_failed_jumps(const arma::vec& mu, double lambda, const arma::mat& n, const arma::mat& q,
                                    const LinearEvidence& evidence, arma::umat& theta, const BlockStreams& rng) {
    check_size("sample_bits_given_failed_jumps", "mu", mu.n_elem, theta.n_rows);
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        arma::vec distance = distances_from(state, theta);
        for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
            const double log_odds = log_odds_at(state, dim, theta, distance, mu, lambda, n, q, evidence);
            const double u = draw_uniform(stream);
            const arma::uword bit = std::log(u) - std::log1p(-u) < log_odds ? 1 : 0;
            if (bit == theta(dim, state)) continue;
            theta(dim, state) = bit;
            for (arma::uword other = 0; other < theta.n_cols; ++other)
                if (other != state) distance(other) += theta(dim, other) == bit ? -1.0 : 1.0;
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
