// One state split into two, or two merged into one, with all their steps at once: what no draw of z given pi and the
// emission does, since a state that nobody visits has parameters that fit nothing. pi and the emission's parameters are
// integrated out, so both must be redrawn before anything reads them. docs/model.md, section 20
#pragma once

#include <armadillo>
#include <functional>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/model/model.hpp"
#include "hmmlt/model/state.hpp"
#include "hmmlt/random/block_streams.hpp"

namespace hmmlt {

// Whether a model has these moves: phi = 1, a Markov chain, and an emission whose parameters can be integrated out.
bool has_splits_and_merges(const Model& model);

// The factors of the acceptance ratio of a split, as logarithms; a merge has their inverses.       docs/model.md (138)
struct SplitRatio {
    double law = 0.0;      // of z, beta and y, after to before
    double pair = 0.0;     // that a merge picks this pair
    double anchors = 0.0;  // that a merge picks these anchors, to a split doing so
    double state = 0.0;    // that a split picks this empty state, inverse
    double labels = 0.0;   // that a split shares the steps out like this, inverse
    double weights = 0.0;  // that a merge draws these weights, to a split doing so

    double sum() const { return law + pair + anchors + state + labels + weights; }
};

// What a proposal is made by beside its random numbers. The half-width of the windows from which the steps about an
// anchor are taken may have any law that does not look at z; `n_used` is here for those that show why.
struct SplitMergeRules {
    std::function<arma::uword(arma::uword n_used, Stream& rng)> half_width;
    std::function<double(const SplitRatio&)> log_ratio;
};
const SplitMergeRules& split_merge_rules();

struct SplitMergeCounts {
    arma::uword splits = 0;  // proposed
    arma::uword merges = 0;
    arma::uword splits_accepted = 0;
    arma::uword merges_accepted = 0;
};

// Proposes n_proposals times, each time a split or a merge. Reads gamma, c, rho, log_beta and z of the state, and
// changes the last two. rng.item(i) draws proposal i.
SplitMergeCounts split_and_merge(const Model& model, const Observations& observations, arma::uword n_proposals,
                                 const SplitMergeRules& rules, State& state, const BlockStreams& rng);

}  // namespace hmmlt
