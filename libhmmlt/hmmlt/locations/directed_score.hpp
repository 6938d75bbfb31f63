// How well the transitions of z fit candidates for the bits of one state where similarity has a direction: phi is the
// product of docs/model.md (89), and phi_jj moves with the bits of j too.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/locations/bit_score.hpp"

namespace hmmlt {

// The log of docs/model.md (13) or (10) where it depends on the bits of one state, kept up to date as states move. For
// each state in turn: take_out, then score and move for each block of its bits, then put_back.
class DirectedScore {
  public:
    // Given Q. n: (n_states + 1) x n_states; q: n_states x n_states. All arguments must outlive this, theta too.
    static DirectedScore given_failed_jumps(const arma::mat& logits, const arma::mat& n, const arma::mat& q,
                                            const arma::umat& theta);
    // u and Q integrated out. log_pi: (n_states + 1) x n_states
    static DirectedScore given_rates(const arma::mat& logits, const arma::mat& n, const arma::mat& log_pi,
                                     const arma::umat& theta);

    // Leaves column `state` out of the totals of all other rows.
    void take_out(arma::uword state);
    // Adds the score of every candidate for a block of bits of `state`, up to a constant.
    void score(arma::uword state, const BitBlock& block, std::vector<double>& score) const;
    // After all blocks of `state` have been drawn into theta.
    void put_back(arma::uword state);

  private:
    // A row with departures.
    struct Departed {
        arma::uword from;
        double departures;
        double log_total;    // log T
        double log_without;  // the same without the column of the state that is moving
    };
    // Another state k, seen from the one that is moving, j: its bits in a block, and similarity over the bits outside.
    struct Outside {
        arma::uword pattern;
        double log_to;    // log phi_jk
        double log_from;  // log phi_kj
    };

    DirectedScore(const arma::mat& logits, const arma::mat& n, const arma::umat& theta);

    double log_transition(arma::uword dim, arma::uword from, arma::uword to) const {
        return log_transition_.at(2 * from + to, dim);
    }
    double log_phi(arma::uword from, arma::uword to) const;
    double log_sum_row(arma::uword from, arma::uword left_out) const;
    std::vector<Outside> outside(arma::uword state, const BitBlock& block) const;
    // Similarity over the bits of the block, from every pattern to every pattern.
    arma::mat log_inside(const BitBlock& block) const;
    double failures(arma::uword from, arma::uword to) const { return q_ == nullptr ? 0.0 : q_->at(from, to); }
    void subtract_totals(arma::uword state, const std::vector<Outside>& others, const arma::mat& inside,
                         std::vector<double>& score) const;

    arma::mat log_transition_;  // 4 x n_dims: log A^(d)[v, w] at 2 v + w
    const arma::mat& n_;
    const arma::umat& theta_;
    const arma::mat* q_ = nullptr;  // given Q
    arma::mat log_pi_;              // scaled, given the rates; empty otherwise
    std::vector<Departed> departed_;
};

}  // namespace hmmlt
