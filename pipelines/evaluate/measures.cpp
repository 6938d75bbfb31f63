#include "pipelines/evaluate/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hmmlt/diagnostics/matching.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

using ScoreOfDraw = arma::vec DrawScore::*;
constexpr std::int32_t all_sequences = -1;

std::int32_t int32(arma::uword value) {
    return static_cast<std::int32_t>(value);
}

struct Rows {
    std::vector<Measured> together;
    std::vector<Measured> each;

    // A value per sequence, and their sum.
    void add_sum(const std::string& measure, const arma::uvec& n, const arma::vec& value) {
        together.push_back({all_sequences, int32(arma::accu(n)), measure, arma::accu(value)});
        for (arma::uword s = 0; s < n.n_elem; ++s) each.push_back({int32(s), int32(n(s)), measure, value(s)});
    }
};

bool is_missing(const Observations& observations, arma::uword step) {
    if (!observations.symbol.is_empty()) return observations.symbol(step) == no_symbol;
    return arma::find_finite(observations.y.col(step)).is_empty();
}

arma::uvec observed_steps(const Observations& observations) {
    const Sequences& sequences = observations.sequences;
    arma::uvec n(sequences.count(), arma::fill::zeros);
    for (arma::uword s = 0; s < n.n_elem; ++s)
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t)
            if (!is_missing(observations, t)) ++n(s);
    return n;
}

arma::vec mean_over_draws(const std::vector<DrawScore>& draws, ScoreOfDraw score) {
    arma::vec sum(arma::size(draws.front().*score), arma::fill::zeros);
    for (const DrawScore& draw : draws) sum += draw.*score;
    return sum / static_cast<double>(draws.size());
}

// docs/model.md (70)
arma::vec log_predictive(const std::vector<DrawScore>& draws, ScoreOfDraw score) {
    arma::vec result(arma::size(draws.front().*score));
    for (arma::uword s = 0; s < result.n_elem; ++s)
        result(s) = log_sum_exp(draws.size(), [&](std::size_t g) { return (draws[g].*score)(s); }) -
                    std::log(static_cast<double>(draws.size()));
    return result;
}

void add_scores(std::vector<Measured>& rows, std::int32_t sequence, const std::string& prefix, arma::uword n_steps,
                const Scores& scores) {
    for (const auto& [name, value] : {std::pair{"f1", scores.f1}, std::pair{"precision", scores.precision},
                                      std::pair{"recall", scores.recall}, std::pair{"accuracy", scores.accuracy}})
        rows.push_back({sequence, int32(n_steps), prefix + name, value});
}

Scores mean_of(const std::vector<Scores>& scores) {
    Scores mean{0.0, 0.0, 0.0, 0.0};
    for (const Scores& one : scores)
        for (double Scores::*part : {&Scores::precision, &Scores::recall, &Scores::f1, &Scores::accuracy})
            mean.*part += one.*part / static_cast<double>(scores.size());
    return mean;
}

// The posterior means of bits that each chain recorded while training: n_bits x n_steps. In one order, whatever that of
// the command line. All chains have as many sweeps, so that each counts the same.
std::vector<arma::mat> state_means(std::vector<ChainDirectory> chains, arma::uword n_rows, arma::uword n_steps) {
    std::sort(chains.begin(), chains.end(), [](const ChainDirectory& a, const ChainDirectory& b) {
        return std::tuple(a.provenance.seed, a.chain()) < std::tuple(b.provenance.seed, b.chain());
    });
    std::vector<arma::mat> means;
    for (const ChainDirectory& chain : chains) {
        const Table table = read_table(chain.state_mean(), state_mean_schema()).table;
        const std::vector<std::string> names = table.family("p");
        if (names.size() != n_rows || table.n_rows() != n_steps)
            throw DataError(fmt::format("{}: expected {} bits of {} steps, as in the truth, found {} of {}",
                                        chain.state_mean().string(), n_rows, n_steps, names.size(), table.n_rows()));
        means.emplace_back(n_rows, n_steps);
        for (arma::uword d = 0; d < n_rows; ++d) means.back().row(d) = arma::rowvec(table.column<double>(names[d]));
    }
    return means;
}

// Bits with names are averaged over chains; features without are matched chain by chain, and their scores averaged.
void add_scores_of_state_means(std::vector<Measured>& rows, const std::vector<ChainDirectory>& chains,
                               const AnyModel& model, const arma::umat& truth) {
    const std::vector<arma::mat> means = state_means(chains, n_bits(model), truth.n_cols);
    if (has_named_bits(model)) {
        arma::mat sum = means.front();
        for (std::size_t i = 1; i < means.size(); ++i) sum += means[i];
        const arma::umat found = sum / static_cast<double>(means.size()) > 0.5;
        add_scores(rows, all_sequences, "state_mean_", truth.n_cols, score_bits(truth, found));
        return;
    }
    std::vector<Scores> scores;
    for (const arma::mat& mean : means) {
        const MatchedBits matched = match_features(truth, mean > 0.5);
        scores.push_back(score_bits(matched.truth, matched.found));
    }
    add_scores(rows, all_sequences, "matched_state_mean_", truth.n_cols, mean_of(scores));
}

// Scores of matched features, averaged over draws: number 0 is that of all sequences together.
Scores mean_of_matched(const std::vector<DrawScore>& draws, std::size_t number) {
    std::vector<Scores> scores;
    for (const DrawScore& draw : draws) scores.push_back(draw.matched[number]);
    return mean_of(scores);
}

}  // namespace

bool scores_state_means(const AnyModel& model, const std::vector<ChainDirectory>& chains, const DataDirectory& data) {
    const auto trained_on = chains.front().provenance.inputs.find("observations");
    return (scores_bits(model, data.train.truth) || matches_bits(model, data.train.truth)) &&
           trained_on != chains.front().provenance.inputs.end() && trained_on->second == data.inputs.at("observations");
}

std::vector<Measured> measure(const Evaluation& evaluation, const std::vector<ChainDirectory>& chains,
                              const EvaluationRequest& request) {
    const Sequences& sequences = request.set.observations.sequences;
    const arma::uvec n = observed_steps(request.set.observations);
    Rows rows;
    rows.add_sum("log_likelihood", n, mean_over_draws(evaluation.draws, &DrawScore::log_likelihood));
    rows.add_sum("log_likelihood_expected", n, mean_over_draws(evaluation.draws, &DrawScore::log_likelihood_expected));
    rows.add_sum("log_predictive", n, log_predictive(evaluation.draws, &DrawScore::log_likelihood));
    rows.add_sum("log_predictive_expected", n, log_predictive(evaluation.draws, &DrawScore::log_likelihood_expected));
    if (const auto* hmm = std::get_if<Model>(&evaluation.model))
        if (const auto* symbols = std::get_if<CategoricalSpec>(&hmm->emission))
            rows.add_sum("log_uniform", n,
                         -std::log(static_cast<double>(symbols->n_symbols())) * arma::conv_to<arma::vec>::from(n));

    const arma::umat& truth = request.set.truth.theta;
    if (scores_bits(evaluation.model, request.set.truth) && evaluation.steps.n_draws > 0) {
        const arma::umat found = evaluation.steps.smoothed > 0.5 * static_cast<double>(evaluation.steps.n_draws);
        add_scores(rows.together, all_sequences, "", truth.n_cols, score_bits(truth, found));
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            const arma::span steps(sequences.first[s], sequences.first[s + 1] - 1);
            add_scores(rows.each, int32(s), "", sequences.length(s),
                       score_bits(truth.cols(steps.a, steps.b), found.cols(steps.a, steps.b)));
        }
    }
    if (!evaluation.draws.front().matched.empty()) {
        add_scores(rows.together, all_sequences, "matched_", truth.n_cols, mean_of_matched(evaluation.draws, 0));
        for (arma::uword s = 0; s < sequences.count(); ++s)
            add_scores(rows.each, int32(s), "matched_", sequences.length(s), mean_of_matched(evaluation.draws, s + 1));
    }
    if (scores_state_means(evaluation.model, chains, request.data))
        add_scores_of_state_means(rows.together, chains, evaluation.model, request.data.train.truth.theta);
    rows.together.insert(rows.together.end(), rows.each.begin(), rows.each.end());
    return rows.together;
}

}  // namespace hmmlt
