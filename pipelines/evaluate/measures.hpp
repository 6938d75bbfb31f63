// An evaluation in numbers: likelihoods per sequence, and scores of bits against the truth.
#pragma once

#include <string>
#include <vector>

#include "pipelines/evaluate/evaluation.hpp"

namespace hmmlt {

// One row of the table `evaluation`.
struct Measured {
    std::int32_t sequence;  // -1: all of them
    std::int32_t n;
    std::string measure;
    double value;
};

// All measures of docs/formats.md, "evaluation", that data and chains allow; those of all sequences together come
// first.
std::vector<Measured> measure(const Evaluation& evaluation, const std::vector<ChainDirectory>& chains,
                              const EvaluationRequest& request);

// Whether the chains' own posterior means, state_mean, can be held against the truth: it speaks of the model's bits,
// and the data are those that the chains were trained on.
bool scores_state_means(const AnyModel& model, const std::vector<ChainDirectory>& chains, const DataDirectory& data);

}  // namespace hmmlt
