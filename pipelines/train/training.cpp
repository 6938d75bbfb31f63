#include "pipelines/train/training.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "hmmlt/diagnostics/matching.hpp"
#include "hmmlt/dynamics/factorial.hpp"
#include "hmmlt/io/checkpoint.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/model/state_bytes.hpp"
#include "hmmlt/sampler/factorial_chain.hpp"
#include "hmmlt/sampler/heldout.hpp"
#include "hmmlt/sampler/trace.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/progress.hpp"
#include "pipelines/stage/stage.hpp"
#include "pipelines/train/records.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The chain that samples a model.
template <typename ModelType>
using ChainOf = std::conditional_t<std::is_same_v<ModelType, Model>, Chain, FactorialChain>;

bool can_score_heldout(const Model&) {
    return true;
}
bool can_score_heldout(const FactorialModel& model) {
    return model.emission.n_dims() <= most_factorial_dims;
}

bool draws_in_beam(const Model& model) {
    return std::holds_alternative<BeamDynamics>(model.dynamics);
}
bool draws_in_beam(const FactorialModel&) {
    return false;
}

arma::umat indicators(const State& state) {
    arma::umat visited(state.log_pi.n_cols, state.z.n_elem, arma::fill::zeros);
    for (arma::uword step = 0; step < state.z.n_elem; ++step) visited(state.z(step), step) = 1;
    return visited;
}
arma::umat indicators(const FactorialState& state) {
    return state.theta;
}

// Results before checkpoints: killed in between, the directory still is what the checkpoint says.
void remove_run(const fs::path& directory) {
    std::vector<fs::path> paths;
    for (const std::string& name : result_tables()) paths.push_back(directory / (name + ".parquet"));
    for (const auto& path : {checkpoint_path, previous_checkpoint_path, journal_path}) paths.push_back(path(directory));
    for (const fs::path& path : paths) {
        std::error_code error;
        fs::remove(path, error);
        if (error) throw system_error("remove", path.string(), error.value());
    }
}

// The checkpoint to go on from, if there is one and it belongs to this request.
std::optional<Checkpoint> checkpoint_to_continue(const TrainingRequest& request, const Provenance& provenance) {
    if (request.restart == Restart::always) return {};
    std::optional<FoundCheckpoint> found;
    try {
        found = find_checkpoint(request.out);
    } catch (const DataError& error) {
        if (request.restart == Restart::never) throw;
        fmt::print(stderr, "{}; begun anew\n", error.what());
        return {};
    }
    if (!found) return {};
    if (!found->notice.empty()) fmt::print(stderr, "{}\n", found->notice);
    std::string other = difference(found->checkpoint.provenance, provenance);
    if (other.empty() && found->checkpoint.n_sweeps > request.n_sweeps)
        other = fmt::format("it has {} already, {} asked for", count_text(found->checkpoint.n_sweeps, "sweep"),
                            request.n_sweeps == 1 ? "1 is" : fmt::format("{} are", request.n_sweeps));
    if (other.empty()) return found->checkpoint;
    if (request.restart == Restart::different) {
        fmt::print(stderr, "{}: {}; begun anew\n", request.out.string(), other);
        return {};
    }
    throw DataError(
        fmt::format("{}: holds another run: {}; choose another --out, or begin anew with --restart different",
                    request.out.string(), other));
}

void warn_if_no_draw_is_due(const TrainingRequest& request) {
    const RunSettings& run = request.run;
    if (request.n_sweeps / run.draws_every * run.draws_every > run.burn_in) return;
    fmt::print(stderr,
               "{}: {} with run.burn_in = {} and run.draws_every = {}: no draw is stored; the chain can be extended, "
               "but not evaluated\n",
               request.out.string(), count_text(request.n_sweeps, "sweep"), run.burn_in, run.draws_every);
}

template <typename ModelType>
class Training {
    using ChainType = ChainOf<ModelType>;

  public:
    Training(const ModelType& model, const DataDirectory& data, const TrainingRequest& request,
             const Provenance& provenance, const std::optional<Checkpoint>& checkpoint)
        : model_(model),
          data_(data),
          request_(request),
          provenance_(provenance),
          chain_(make_chain(checkpoint)),
          journal_(journal_path(request.out), checkpoint ? checkpoint->journal : JournalMark{}) {
        if (checkpoint) mean_ = RunningMean::from_bytes(checkpoint->accumulated);
        names_.trace = trace_names(model);
        has_bits_of_truth_ = has_bits_of_truth();
        if (has_bits_of_truth_)
            for (const char* score : {"f1", "precision", "recall", "accuracy"})
                names_.trace.push_back((names_bits(model.emission) ? "" : "matched_") + std::string(score));
        names_.blocks = chain_.block_names();
        names_.blocks.push_back("records");
    }

    // Runs to the sweep asked for and leaves a checkpoint there.
    void run() {
        Progress progress(fmt::format("chain {}", request_.chain), "sweep", request_.n_sweeps, chain_.n_sweeps());
        Clock::time_point saved = Clock::now();
        while (chain_.n_sweeps() < request_.n_sweeps) {
            const SweepInfo info = step();
            record(info);
            if (progress.is_due(chain_.n_sweeps())) progress.show(chain_.n_sweeps(), details(info));
            if (is_interrupted() || Clock::now() - saved >= request_.checkpoint_every) {
                save();
                saved = Clock::now();
            }
            if (is_interrupted())
                throw Interrupted(fmt::format("interrupted after sweep {} of {}; the same command goes on from there",
                                              chain_.n_sweeps(), request_.n_sweeps));
        }
        save();
    }

    void write_tables() {
        Provenance provenance = provenance_;
        provenance.arguments["sweeps"] = std::to_string(request_.n_sweeps);
        const Sequences test = scores_heldout() ? data_.test->observations.sequences : Sequences{};
        write_results(request_.out, journal_.sync(), request_.chain, names_, test, training().sequences, mean_,
                      provenance);
        for (const auto& [schema, table] : legend_tables(data_.legend))
            write_table(request_.out / (schema->name + ".parquet"), *schema, table, provenance);
    }

  private:
    const Observations& training() const { return data_.train.observations; }
    bool scores_heldout() const { return data_.test.has_value() && can_score_heldout(model_); }

    // Known weights give each bit its meaning, so that there must be as many in the truth. Features that are learnt
    // have no names, and are matched with those of the truth, however many there are.
    bool has_bits_of_truth() const {
        const arma::umat found = bits_over_time(chain_.state());
        const arma::umat& truth = data_.train.truth.theta;
        return !found.is_empty() && !truth.is_empty() && (!names_bits(model_.emission) || found.n_rows == truth.n_rows);
    }

    ChainType make_chain(const std::optional<Checkpoint>& checkpoint) const try {
        const ChainSettings settings{.seed = request_.seed,
                                     .chain = request_.chain,
                                     .sampler = request_.run.sampler,
                                     .start = request_.run.start,
                                     .precision = request_.run.precision,
                                     .burn_in = request_.run.burn_in,
                                     .splits_and_merges = request_.run.splits_and_merges};
        if (!checkpoint) return ChainType(model_, training(), settings, data_.train.truth);
        std::remove_cvref_t<decltype(chain_.state())> state;
        from_bytes(checkpoint->state, state);
        return ChainType(model_, training(), settings, std::move(state), checkpoint->n_sweeps);
    } catch (const std::domain_error& error) {
        if (request_.run.start == Start::truth && !checkpoint) throw ImpossibleStart(error.what());
        throw DataError(error.what());  // data that the model cannot start on
    }

    // A draw of z in a beam does not come by the likelihood of the training data. The full pass under the parameters
    // before the sweep, which is where all others have it from, is made for the sweeps that are recorded only.
    SweepInfo step() {
        const Clock::time_point started = Clock::now();
        double log_likelihood = arma::datum::nan;
        if (draws_in_beam(model_) && (chain_.n_sweeps() + 1) % request_.run.record_every == 0)
            log_likelihood = arma::accu(heldout_log_likelihood(chain_.state(), training()));
        seconds_before_sweep_ = std::chrono::duration<double>(Clock::now() - started).count();
        SweepInfo info = chain_.step();
        if (std::isnan(info.log_likelihood)) info.log_likelihood = log_likelihood;
        return info;
    }

    void record(const SweepInfo& info) {
        const Clock::time_point started = Clock::now();
        const std::uint32_t sweep = chain_.n_sweeps();
        std::vector<double> row = trace_values(model_, training(), chain_.state(), info);
        if (has_bits_of_truth_) add_scores(sweep, row);
        const bool after_burn_in = sweep > request_.run.burn_in;
        if (scores_heldout() && sweep % request_.run.heldout_every == 0) {
            const Observations& test = data_.test->observations;
            journal_.append(heldout_record(
                sweep, heldout_log_likelihood(chain_.state(), test),
                heldout_log_likelihood(with_expected_emission(model_, training(), chain_.state()), test)));
        }
        if (after_burn_in && sweep % request_.run.draws_every == 0)
            journal_.append(draw_record(sweep, draw_arrays(model_, training(), chain_.state())));
        if (after_burn_in) {
            const arma::umat found = bits_over_time(chain_.state());
            if (!found.is_empty())
                mean_.add(found);
            else if (request_.run.state_marginals)
                mean_.add(indicators(chain_.state()));
        }
        std::vector<double> seconds = info.seconds;
        seconds.push_back(seconds_before_sweep_ + std::chrono::duration<double>(Clock::now() - started).count());
        journal_.append(sweep_record(sweep, row, seconds));
    }

    void add_scores(std::uint32_t sweep, std::vector<double>& row) const {
        if (sweep % request_.run.record_every != 0) {
            row.insert(row.end(), 4, arma::datum::nan);
            return;
        }
        const Scores scores = scores_of(data_.train.truth.theta, bits_over_time(chain_.state()));
        row.insert(row.end(), {scores.f1, scores.precision, scores.recall, scores.accuracy});
    }

    Scores scores_of(const arma::umat& truth, const arma::umat& found) const {
        if (names_bits(model_.emission)) return score_bits(truth, found);
        const MatchedBits matched = match_features(truth, found);
        return score_bits(matched.truth, matched.found);
    }

    std::string details(const SweepInfo& info) const {
        std::string text = fmt::format("{} states", info.n_used);
        if (!std::isnan(info.log_likelihood)) text = fmt::format("log lik {:.1f}, ", info.log_likelihood) + text;
        if constexpr (std::is_same_v<ModelType, Model>)
            if (lambda_prior(model_.similarity) != Hyperparameter<ExponentialPrior>(0.0))
                text += fmt::format(", lambda {:.3g}", chain_.state().lambda);
        return text;
    }

    void save() {
        write_checkpoint(request_.out, {.provenance = provenance_,
                                        .n_sweeps = chain_.n_sweeps(),
                                        .journal = journal_.sync(),
                                        .state = to_bytes(chain_.state()),
                                        .accumulated = mean_.bytes()});
    }

    const ModelType& model_;
    const DataDirectory& data_;
    const TrainingRequest& request_;
    const Provenance& provenance_;
    ChainType chain_;
    Journal journal_;
    RunningMean mean_;
    ResultNames names_;
    bool has_bits_of_truth_ = false;     // a question of sizes, which no sweep changes
    double seconds_before_sweep_ = 0.0;  // spent on its record
};

}  // namespace

void train(const AnyModel& model, const DataDirectory& data, const TrainingRequest& request) {
    Provenance provenance = provenance_of_this_process(request.config, request.seed, data.inputs);
    provenance.arguments["chain"] = std::to_string(request.chain);
    refuse_foreign_tables(request.out, result_tables());
    const OutputDirectory directory = OutputDirectory::locked(request.out);
    const std::optional<Checkpoint> checkpoint = checkpoint_to_continue(request, provenance);
    if (checkpoint && checkpoint->n_sweeps == request.n_sweeps && directory.is_complete()) {
        fmt::print("{}: has its {} already\n", request.out.string(), count_text(request.n_sweeps, "sweep"));
        return;
    }
    warn_if_no_draw_is_due(request);
    directory.begin();
    if (!checkpoint) remove_run(request.out);
    const Clock::time_point started = Clock::now();
    std::visit(
        [&](const auto& any) {
            Training training(any, data, request, provenance, checkpoint);
            training.run();
            training.write_tables();
        },
        model);
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    const std::uint32_t done = request.n_sweeps - (checkpoint ? checkpoint->n_sweeps : 0);
    provenance.arguments["sweeps"] = std::to_string(request.n_sweeps);
    directory.finish(provenance, request.run_record());
    fmt::print("{}: {}{} in {}, {} sweeps/s\n", request.out.string(), count_text(done, "sweep"),
               checkpoint ? fmt::format(" after the {} it had", checkpoint->n_sweeps) : "", duration_text(seconds),
               number_text(done / std::max(seconds, 1e-9)));
}

}  // namespace hmmlt
