// How well candidates for some bits of one state fit their prior and the data: docs/model.md (49) without transitions.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/locations/linear_evidence.hpp"
#include "hmmlt/random/stream.hpp"

namespace hmmlt {

using BitBlock = std::vector<arma::uword>;  // coordinates; bit b of a candidate is coordinate block[b]
inline constexpr arma::uword largest_bit_block = 8;

// All coordinates in random order.
BitBlock shuffled_dims(arma::uword n_dims, Stream& rng);
// Those from `first` on, at most `size` of them.
BitBlock bit_block(const BitBlock& dims, arma::uword first, arma::uword size);

class BitScore {
  public:
    // `evidence` must outlive this.
    BitScore(const arma::vec& mu, const LinearEvidence& evidence);

    // Added to the score of every candidate for a block of bits of `state`.
    void add(arma::uword state, const BitBlock& block, const arma::umat& theta, std::vector<double>& score) const;

  private:
    void add_channel(arma::uword channel, arma::uword state, const BitBlock& block, const arma::umat& theta,
                     std::vector<double>& score) const;

    arma::vec log_one_;
    arma::vec log_zero_;
    const LinearEvidence& evidence_;
};

}  // namespace hmmlt
