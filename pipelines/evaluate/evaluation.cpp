#include "pipelines/evaluate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "hmmlt/diagnostics/matching.hpp"
#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/sampler/heldout.hpp"
#include "pipelines/stage/progress.hpp"
#include "pipelines/stage/stage.hpp"

namespace hmmlt {

namespace {

void check_can_be_scored(const Model&, const EvaluationRequest&) {}

void check_can_be_scored(const FactorialModel& model, const EvaluationRequest& request) {
    if (request.predict)
        throw DataError(
            "--predict: the states of a factorial model cannot be filtered; leave --predict out to score it");
    if (model.emission.n_dims() > most_factorial_dims)
        throw DataError(
            fmt::format("the likelihood of a factorial model sums over 2^D states: expected D of at most "
                        "{}, found {}",
                        most_factorial_dims, model.emission.n_dims()));
}

// Rows of live states to the rows that their numbers say.
arma::mat by_number(const arma::mat& live, const arma::uvec& numbers) {
    arma::mat all(numbers.max() + 1, live.n_cols, arma::fill::zeros);
    all.rows(numbers) = live;
    return all;
}

DecodedDraw decode(const StoredDraw& draw, const FilteredData& data, const Sequences& sequences) {
    const arma::uvec path = most_likely_path(data, sequences);
    return {{},
            by_number(filtered_probabilities(data, sequences), draw.state_numbers),
            by_number(smoothed_probabilities(data, sequences), draw.state_numbers),
            draw.state_numbers(path)};
}

// Features of one draw against the truth: matched over all sequences, then scored together and one by one.
std::vector<Scores> matched_scores(const State& draw, const FilteredData& data, const Sequences& sequences,
                                   const arma::umat& truth) {
    const arma::mat theta = arma::conv_to<arma::mat>::from(bits(draw.locations));
    const arma::umat found = theta * smoothed_probabilities(data, sequences) > 0.5;
    const MatchedBits matched = match_features(truth, found);
    std::vector<Scores> scores{score_bits(matched.truth, matched.found)};
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1] - 1;
        scores.push_back(score_bits(matched.truth.cols(first, last), matched.found.cols(first, last)));
    }
    return scores;
}

// Each chain pools its own draws first: sums in the order of seed and number then come out the same, bit by bit, in
// whatever order the chains were given.
class Pool {
  public:
    Pool(const EvaluationRequest& request, std::size_t n_chains) : request_(request), n_chains_(n_chains) {}

    void add(const ChainDirectory& chain) {
        LoadedChain loaded = load_chain(chain);
        check_fits(loaded, request_.data, request_.where);
        std::visit([&](const auto& model) { check_can_be_scored(model, request_); }, loaded.model);
        if (!progress_) progress_.emplace("evaluating", "draw", n_chains_ * loaded.draws.size());
        wants_steps_ = request_.predict || scores_bits(loaded.model, request_.set.truth);
        bits_ = has_named_bits(loaded.model) ? Bits::named : Bits::unnamed;
        wants_matches_ = matches_bits(loaded.model, request_.set.truth);
        for (const StoredDraw& draw : loaded.draws) {
            stop_if_interrupted();
            const bool decoded = request_.predict && n_added_ == 0 && &draw == &loaded.draws.back();
            add(chain, draw, decoded);
            if (progress_->is_due(result_.draws.size())) progress_->show(result_.draws.size());
        }
        result_.model = std::move(loaded.model);
        ++n_added_;
    }

    Evaluation finish() {
        std::sort(result_.draws.begin(), result_.draws.end(), [](const DrawScore& a, const DrawScore& b) {
            return std::tie(a.seed, a.chain, a.sweep) < std::tie(b.seed, b.chain, b.sweep);
        });
        for (const auto& [chain, steps] : steps_) add_pooled(result_.steps, steps, observations().sequences);
        return std::move(result_);
    }

  private:
    const Observations& observations() const { return request_.set.observations; }

    void add(const ChainDirectory& chain, const StoredDraw& draw, bool decoded) try {
        const std::uint64_t seed = chain.provenance.seed.value_or(0);
        DrawScore score{seed, draw.chain, draw.sweep, {}, {}, {}};
        if (const auto* state = std::get_if<State>(&draw.state); state && (wants_steps_ || wants_matches_ || decoded)) {
            const FilteredData data = filter_data(*state, observations());
            score.log_likelihood = sequence_log_likelihoods(data);
            if (wants_steps_) add_draw(steps_[{seed, draw.chain}], *state, data, observations().sequences, bits_);
            if (wants_matches_)
                score.matched = matched_scores(*state, data, observations().sequences, request_.set.truth.theta);
            if (decoded) {
                result_.decoded = decode(draw, data, observations().sequences);
                result_.decoded->name = fmt::format("sweep {} of {}", draw.sweep, chain.name());
            }
        } else {
            score.log_likelihood =
                std::visit([&](const auto& any) { return heldout_log_likelihood(any, observations()); }, draw.state);
        }
        score.log_likelihood_expected =
            std::visit([&](const auto& any) { return heldout_log_likelihood(any, observations()); }, draw.expected);
        result_.draws.push_back(std::move(score));
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error& error) {  // values so large that they have no density
        throw DataError(fmt::format("{} cannot have come from sweep {} of {}: {}", request_.where, draw.sweep,
                                    chain.name(), error.what()));
    }

    const EvaluationRequest& request_;
    std::size_t n_chains_;
    std::size_t n_added_ = 0;
    bool wants_steps_ = false;
    bool wants_matches_ = false;
    Bits bits_ = Bits::named;
    std::optional<Progress> progress_;
    std::map<std::pair<std::uint64_t, std::int32_t>, PooledSteps> steps_;
    Evaluation result_;
};

}  // namespace

arma::uword n_bits(const AnyModel& model) {
    if (const auto* factorial = std::get_if<FactorialModel>(&model)) return factorial->emission.n_dims();
    return n_bits_of(std::get<Model>(model).locations);
}

bool has_named_bits(const AnyModel& model) {
    return std::visit([](const auto& any) { return names_bits(any.emission); }, model);
}

bool scores_bits(const AnyModel& model, const Truth& truth) {
    return has_named_bits(model) && !truth.theta.is_empty() && truth.theta.n_rows == n_bits(model);
}

bool matches_bits(const AnyModel& model, const Truth& truth) {
    return !has_named_bits(model) && !truth.theta.is_empty() && n_bits(model) > 0;
}

Evaluation evaluate(const std::vector<ChainDirectory>& chains, const EvaluationRequest& request) {
    Pool pool(request, chains.size());
    for (const ChainDirectory& chain : chains) pool.add(chain);
    return pool.finish();
}

}  // namespace hmmlt
