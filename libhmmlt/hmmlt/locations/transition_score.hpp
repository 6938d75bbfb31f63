// How well the transitions of z fit candidates for the bits of one state, u and Q integrated out: docs/model.md (50).
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/locations/packed_bits.hpp"

namespace hmmlt {

// The log of docs/model.md (10) where it depends on the bits of one state, kept up to date as states move. Rows that
// nobody leaves have no say, so that the work is that of the departed ones. For each state in turn: take_out, then
// score and move for each block of its bits, then put_back.
class TransitionScore {
  public:
    using Dims = std::vector<arma::uword>;  // the coordinates of a block; bit b of a candidate is coordinate dims[b]

    // n, log_pi: (n_states + 1) x n_states; n must outlive this.
    TransitionScore(double lambda, const arma::mat& n, const arma::mat& log_pi, const arma::umat& theta);

    // Leaves column `state` out of the totals of all other rows, and finds what they would be with it back at each
    // distance.
    void take_out(arma::uword state);
    // Adds the score of every candidate for a block of bits of `state`, up to a constant.
    void score(arma::uword state, const Dims& block, std::vector<double>& score);
    // `state` takes the bits of a candidate for the block that was scored last.
    void move(arma::uword state, const Dims& block, arma::uword candidate);
    // Puts `state` back with the bits it now has.
    void put_back(arma::uword state);

  private:
    // A row with departures.
    struct Departed {
        arma::uword from;
        double departures;
        double log_total;  // log T
    };

    // Distances of all states from one.
    void measure(arma::uword state);
    double distance(arma::uword a, arma::uword b) const;
    // log sum_to pi phi, over all columns but one.
    double log_sum_row(arma::uword from, arma::uword left_out);
    // log T of a row if `state`, which is in its column now, were at distance 0, 1, ..., n_dims.
    void fill_totals(arma::uword state, const Departed& row, double* log_total_if_at);
    // The bits in the block of every state that matters here: of all, or of touched ones if nobody leaves `state`.
    void find_patterns(arma::uword state, const Dims& block);
    std::vector<double> jumps_by_pattern(arma::uword state, std::size_t n_patterns) const;
    // log T of row `state` for every candidate.
    std::vector<double> log_totals_of_candidates(arma::uword state, std::size_t n_patterns) const;
    // log of sum pi phi of row `state` by the pattern of the column, phi at the distance outside the block.
    std::vector<double> log_rates_by_pattern(arma::uword state, std::size_t n_patterns) const;

    double lambda_;
    arma::uword n_dims_;
    const arma::mat& n_;
    arma::mat log_pi_;  // scaled
    PackedBits bits_;
    arma::vec departures_;
    std::vector<Departed> departed_;
    std::vector<std::size_t> touched_;     // departed rows that feel where the state that is moving is
    std::vector<arma::uword> distance_;    // from the state that is moving; kept up to date where it matters
    std::vector<arma::uword> pattern_;     // in the block that was scored last
    std::vector<double> phi_;              // e^(-lambda h)
    std::vector<double> log_total_if_at_;  // departed row x distance of the state that is moving
    std::vector<double> terms_;
};

}  // namespace hmmlt
