// Wrong splits and merges.
#include <utility>

#include "hmmlt/model/similarities.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

BlockFunction splits_by(SplitMergeRules rules) {
    return [rules = std::move(rules)](SweepContext& context, const BlockStreams& rng) {
        split_and_merge(context.model, context.observations, default_splits_and_merges, rules, context.state, rng);
        count_jumps(context.state, context.observations.sequences, context.scratch.n);
    };
}

BlockFunction splits_without(double SplitRatio::*factor) {
    SplitMergeRules rules = split_merge_rules();
    rules.log_ratio = [factor](const SplitRatio& ratio) { return ratio.sum() - ratio.*factor; };
    return splits_by(std::move(rules));
}

void splits_by_windows_that_look(SweepContext& context, const BlockStreams& rng) {
    SplitMergeRules rules = split_merge_rules();
    rules.half_width = [](arma::uword n_used, Stream&) { return n_used % 2 == 0 ? arma::uword{0} : arma::uword{9}; };
    splits_by(std::move(rules))(context, rng);
}

}  // namespace hmmlt::testing
