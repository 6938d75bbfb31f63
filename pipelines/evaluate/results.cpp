#include "pipelines/evaluate/results.hpp"

#include <fmt/format.h>

#include <utility>

#include "hmmlt/io/data_tables.hpp"

namespace hmmlt {

namespace {

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;

const Measured* find(const std::vector<Measured>& rows, const std::string& measure) {
    for (const Measured& row : rows)
        if (row.sequence < 0 && row.measure == measure) return &row;
    return nullptr;
}

std::string per_step(const std::vector<Measured>& rows, const std::string& measure) {
    const Measured* row = find(rows, measure);
    return row == nullptr ? "" : row->n == 0 ? "-" : fmt::format("{:.4f}", row->value / row->n);
}

std::string scores_line(const std::vector<Measured>& rows, const std::string& prefix, const std::string& what) {
    if (find(rows, prefix + "f1") == nullptr) return "";
    return fmt::format("{}: F1 {:.3f}, precision {:.3f}, recall {:.3f}, accuracy {:.3f}\n", what,
                       find(rows, prefix + "f1")->value, find(rows, prefix + "precision")->value,
                       find(rows, prefix + "recall")->value, find(rows, prefix + "accuracy")->value);
}

}  // namespace

Table evaluation_table(const std::vector<Measured>& rows) {
    Ints sequence, n;
    std::vector<std::string> measure;
    Reals value;
    for (const Measured& row : rows) {
        sequence.push_back(row.sequence);
        n.push_back(row.n);
        measure.push_back(row.measure);
        value.push_back(row.value);
    }
    Table table("evaluation");
    table.add_column("sequence", std::move(sequence)).add_column("n", std::move(n));
    table.add_column("measure", std::move(measure)).add_column("value", std::move(value));
    return table;
}

Table heldout_draws_table(const Evaluation& evaluation, const Sequences& sequences) {
    Ints chain, sweep, sequence, n;
    Reals log_likelihood, expected;
    for (const DrawScore& draw : evaluation.draws)
        for (arma::uword s = 0; s < sequences.count(); ++s) {
            chain.push_back(draw.chain);
            sweep.push_back(draw.sweep);
            sequence.push_back(static_cast<std::int32_t>(s));
            log_likelihood.push_back(draw.log_likelihood(s));
            expected.push_back(draw.log_likelihood_expected(s));
            n.push_back(static_cast<std::int32_t>(sequences.length(s)));
        }
    Table table("heldout");
    table.add_column("chain", std::move(chain)).add_column("sweep", std::move(sweep));
    table.add_column("sequence", std::move(sequence)).add_column("log_likelihood", std::move(log_likelihood));
    table.add_column("log_likelihood_expected", std::move(expected)).add_column("n", std::move(n));
    return table;
}

Table predictions_table(const Evaluation& evaluation, const Sequences& sequences) {
    const PooledSteps& steps = evaluation.steps;
    const arma::vec& log_density = steps.log_density;
    const auto n_draws = static_cast<double>(steps.n_draws);
    if (steps.filtered.is_empty())
        return predictions_table(sequences, log_density, evaluation.decoded->filtered, evaluation.decoded->smoothed,
                                 evaluation.decoded->path);
    return predictions_table(sequences, log_density, steps.filtered / n_draws, steps.smoothed / n_draws,
                             evaluation.decoded->path);
}

std::string summary(const std::vector<Measured>& rows) {
    std::string text =
        fmt::format("{:<24} {:>16} {:>18}\n", "log likelihood per step", "drawn emission", "expected emission");
    for (const auto& [name, measure] :
         {std::pair{"  mean of draws", "log_likelihood"}, std::pair{"  posterior predictive", "log_predictive"}})
        text += fmt::format("{:<24} {:>16} {:>18}\n", name, per_step(rows, measure),
                            per_step(rows, std::string(measure) + "_expected"));
    if (find(rows, "log_uniform") != nullptr)
        text += fmt::format("{:<24} {:>16}\n", "  uniform guess", per_step(rows, "log_uniform"));
    return text + scores_line(rows, "", "bits of these sequences") +
           scores_line(rows, "matched_", "matched features of these sequences") +
           scores_line(rows, "state_mean_", "bits of the training data, by the chains' own means") +
           scores_line(rows, "matched_state_mean_", "matched features of the training data, by the chains' own means");
}

}  // namespace hmmlt
