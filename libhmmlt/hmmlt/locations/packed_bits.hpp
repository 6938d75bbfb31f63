// The bits of all states, 64 to a word, so that a distance is a count of bits.
#pragma once

#include <armadillo>
#include <bit>
#include <cstdint>
#include <vector>

namespace hmmlt {

class PackedBits {
  public:
    // theta: n_dims x n_states, 0 or 1
    explicit PackedBits(const arma::umat& theta)
        : n_states_(theta.n_cols), n_words_((theta.n_rows + 63) / 64), words_(n_states_ * n_words_, 0) {
        for (arma::uword state = 0; state < n_states_; ++state)
            for (arma::uword dim = 0; dim < theta.n_rows; ++dim) set(state, dim, theta.at(dim, state));
    }

    arma::uword n_words() const { return n_words_; }
    // The word-th word of every state.
    const std::uint64_t* words(arma::uword word) const { return words_.data() + word * n_states_; }

    std::uint64_t bit(arma::uword state, arma::uword dim) const {
        return words_[dim / 64 * n_states_ + state] >> dim % 64 & 1;
    }
    void set(arma::uword state, arma::uword dim, std::uint64_t bit) {
        std::uint64_t& word = words_[dim / 64 * n_states_ + state];
        word = (word & ~(std::uint64_t{1} << dim % 64)) | bit << dim % 64;
    }

  private:
    arma::uword n_states_;
    arma::uword n_words_;
    std::vector<std::uint64_t> words_;
};

}  // namespace hmmlt
