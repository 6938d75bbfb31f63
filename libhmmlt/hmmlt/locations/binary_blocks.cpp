// Bits drawn in blocks with u and Q integrated out, docs/model.md (49)-(51).
#include <vector>

#include "hmmlt/locations/binary.hpp"
#include "hmmlt/locations/bit_score.hpp"
#include "hmmlt/locations/transition_score.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/categorical.hpp"

namespace hmmlt {

std::vector<double> bit_block_log_weights(arma::uword state, const std::vector<arma::uword>& dims,
                                          const arma::umat& theta, const arma::vec& mu, double lambda,
                                          const arma::mat& n, const arma::mat& log_pi, const LinearEvidence& evidence) {
    check_below("bit_block_log_weights", "the number of dims", dims.size(), largest_bit_block + 1);
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
    check_below("sample_bits_in_blocks", "block_size", block_size, largest_bit_block + 1);
    const BitScore prior_and_evidence(mu, evidence);
    TransitionScore transitions(lambda, n, log_pi, theta);
    const bool local = lambda > 0.0;  // otherwise transitions do not depend on the bits
    std::vector<double> score;
    for (arma::uword state = 0; state < theta.n_cols; ++state) {
        Stream stream = rng.item(state);
        const BitBlock dims = shuffled_dims(theta.n_rows, stream);
        if (local) transitions.take_out(state);
        for (arma::uword first = 0; first < dims.size(); first += block_size) {
            const BitBlock block = bit_block(dims, first, block_size);
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
