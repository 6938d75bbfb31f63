// Steps of a chain shared out between two states, all other steps held fixed: forward filtering and backward sampling
// with two labels, over the runs of those steps.
#pragma once

#include <armadillo>
#include <span>
#include <vector>

#include "hmmlt/conditionals/state_pairs.hpp"
#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// Positive weights of transitions; those of one row of `into` may have any scale. Rows and columns as in PairCounts.
struct PairTransitions {
    arma::mat into;  // (n_states + 1) x 2
    arma::mat from;  // n_states x 2
    double within[2][2] = {};
};

class TwoLabelFilter {
  public:
    // Forward; log_lik_0 and log_lik_1 are those of the steps under each label. Keeps references to its arguments.
    TwoLabelFilter(const PairSteps& steps, const PairTransitions& transitions, std::span<const double> log_lik_0,
                   std::span<const double> log_lik_1);

    // Draws the labels of all steps, and returns the log probability of the draw.
    double draw(Labels& labels, Stream& rng) const;
    // The log probability that these labels are drawn; -infinity if they never are.
    double log_probability(const Labels& labels) const;

  private:
    template <typename Choose>
    double backward(const Choose& choose) const;

    const PairSteps& steps_;
    const PairTransitions& transitions_;
    std::vector<double> message_[2];
};

}  // namespace hmmlt
