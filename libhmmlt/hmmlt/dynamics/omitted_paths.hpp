// What a table of durations leaves out of the messages over segments, bounded while they are filled.
#pragma once

#include <armadillo>

#include "hmmlt/dynamics/semi_markov.hpp"

namespace hmmlt {

// An upper bound of what the paths that the table leaves out would add to each message, docs/model.md (113). Where it
// is below the share `small` of the message, it is dropped, and counted as that share: most of it, at once.
class OmittedPaths {
  public:
    OmittedPaths(const DurationTable& durations, SegmentMessages& messages, arma::uword n_steps);

    // The messages of step t have been filled; log_b: what they lead to.
    void follow(const TransitionMatrix& transition, arma::uword t, const arma::vec& log_b);

    // The last step is like any other, but nothing begins after it.
    void finish(arma::uword n_steps) { extend(n_steps); }

    // The share of p(y_1 .. y_t), log_p, whose messages are in `last`.
    double share_left_out(arma::uword t, double log_p);

  private:
    bool matters(double log_more, double log_message);
    void extend(arma::uword t);
    void end_with(arma::uword t, const arma::mat& law, const arma::vec& log_next, const double* log_message);

    const DurationTable& durations_;
    SegmentMessages& messages_;
    double log_small_;
    bool dropped_ = false;
    arma::vec more_;
    arma::vec more_b_;
};

}  // namespace hmmlt
