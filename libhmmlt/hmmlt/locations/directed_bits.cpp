#include "hmmlt/locations/directed_bits.hpp"

#include "hmmlt/locations/directed_score.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

namespace {

std::vector<double> log_weights(DirectedScore transitions, const BitScore& prior_and_evidence, arma::uword state,
                                const BitBlock& block, const arma::umat& theta) {
    check_below("directed_bit_log_weights", "the number of dims", block.size(), largest_bit_block + 1);
    std::vector<double> score(std::size_t{1} << block.size(), 0.0);
    prior_and_evidence.add(state, block, theta, score);
    transitions.take_out(state);
    transitions.score(state, block, score);
    return score;
}

void sample(DirectedScore transitions, const BitScore& prior_and_evidence, arma::uword block_size, arma::umat& theta,
            const BlockStreams& rng) {
    std::vector<double> score;
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        const BitBlock dims = shuffled_dims(theta.n_rows, stream);
        transitions.take_out(state);
        for (arma::uword first = 0; first < dims.size(); first += block_size) {
            const BitBlock block = bit_block(dims, first, block_size);
            score.assign(std::size_t{1} << block.size(), 0.0);
            prior_and_evidence.add(state, block, theta, score);
            transitions.score(state, block, score);
            const arma::uword chosen = draw_categorical_log(score, stream);
            for (std::size_t bit = 0; bit < block.size(); ++bit) theta.at(block[bit], state) = chosen >> bit & 1;
        }
        transitions.put_back(state);
    }
}

}  // namespace

std::vector<double> directed_bit_log_weights_given_failed_jumps(arma::uword state, const BitBlock& block,
                                                                const arma::umat& theta, const arma::vec& mu,
                                                                const arma::mat& logits, const arma::mat& n,
                                                                const arma::mat& q, const LinearEvidence& evidence) {
    return log_weights(DirectedScore::given_failed_jumps(logits, n, q, theta), BitScore(mu, evidence), state, block,
                       theta);
}

void sample_directed_bits_given_failed_jumps(const arma::vec& mu, const arma::mat& logits, const arma::mat& n,
                                             const arma::mat& q, const LinearEvidence& evidence, arma::umat& theta,
                                             const BlockStreams& rng) {
    check_size("sample_directed_bits_given_failed_jumps", "mu", mu.n_elem, theta.n_rows);
    sample(DirectedScore::given_failed_jumps(logits, n, q, theta), BitScore(mu, evidence), 1, theta, rng);
}

std::vector<double> directed_bit_log_weights(arma::uword state, const BitBlock& block, const arma::umat& theta,
                                             const arma::vec& mu, const arma::mat& logits, const arma::mat& n,
                                             const arma::mat& log_pi, const LinearEvidence& evidence) {
    return log_weights(DirectedScore::given_rates(logits, n, log_pi, theta), BitScore(mu, evidence), state, block,
                       theta);
}

void sample_directed_bits(const arma::vec& mu, const arma::mat& logits, const arma::mat& n, const arma::mat& log_pi,
                          const LinearEvidence& evidence, arma::uword block_size, arma::umat& theta,
                          const BlockStreams& rng) {
    check_size("sample_directed_bits", "mu", mu.n_elem, theta.n_rows);
    check_below("sample_directed_bits", "block_size", block_size, largest_bit_block + 1);
    sample(DirectedScore::given_rates(logits, n, log_pi, theta), BitScore(mu, evidence), block_size, theta, rng);
}

}  // namespace hmmlt
