// What all draws of all chains make of given sequences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hmmlt/diagnostics/scores.hpp"
#include "hmmlt/sampler/prediction.hpp"
#include "pipelines/evaluate/chains.hpp"

namespace hmmlt {

struct DrawScore {
    std::uint64_t seed;
    std::int32_t chain;
    std::int32_t sweep;
    arma::vec log_likelihood;  // per sequence
    arma::vec log_likelihood_expected;
    std::vector<Scores> matched;  // of features without names: of all sequences together, then of each
};

// The states of one draw, by the numbers they had in the chain.
struct DecodedDraw {
    std::string name;    // "sweep 400 of chain 0 of seed 3"
    arma::mat filtered;  // (largest number + 1) x n_steps, 0 for states that the draw never reaches
    arma::mat smoothed;
    arma::uvec path;
};

struct Evaluation {
    AnyModel model;
    std::vector<DrawScore> draws;        // in the order of seed, chain and sweep, whatever that of the chains
    PooledSteps steps;                   // of an HMM; without bits only if decoded
    std::optional<DecodedDraw> decoded;  // the last draw of the first chain
};

struct EvaluationRequest {
    const DataDirectory& data;
    const DataSet& set;  // the part of it that is evaluated
    std::string where;   // stands for it in messages
    bool predict;        // decode, and refuse a model whose states cannot be
};

// Throws DataError if data and chains do not fit, Interrupted after a signal.
Evaluation evaluate(const std::vector<ChainDirectory>& chains, const EvaluationRequest& request);

// The number of bits that a state of the model has, 0 if none; whether known weights give them names; whether a truth
// speaks of the same ones, or of others that features without names can be matched with.
arma::uword n_bits(const AnyModel& model);
bool has_named_bits(const AnyModel& model);
bool scores_bits(const AnyModel& model, const Truth& truth);
bool matches_bits(const AnyModel& model, const Truth& truth);

}  // namespace hmmlt
