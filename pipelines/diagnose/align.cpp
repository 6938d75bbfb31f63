// Chains of different lengths, and scores that are computed at some sweeps only: what all chains have is used.
#include <fmt/format.h>

#include <algorithm>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/run_config.hpp"
#include "pipelines/diagnose/chains.hpp"

namespace hmmlt {

namespace {

using Rows = std::vector<std::size_t>;

struct SharedSweeps {
    std::vector<std::int32_t> sweeps;
    std::vector<Rows> rows;  // by chain: the row of each of these sweeps
};

SharedSweeps share(const std::vector<ChainTrace>& chains, std::int32_t burn_in) {
    SharedSweeps shared;
    for (const std::int32_t sweep : chains.front().trace.column<std::int32_t>("sweep"))
        if (sweep > burn_in) shared.sweeps.push_back(sweep);
    for (const ChainTrace& chain : chains) {
        const auto& sweeps = chain.trace.column<std::int32_t>("sweep");
        std::erase_if(shared.sweeps,
                      [&](std::int32_t sweep) { return !std::binary_search(sweeps.begin(), sweeps.end(), sweep); });
    }
    for (const ChainTrace& chain : chains) {
        const auto& sweeps = chain.trace.column<std::int32_t>("sweep");
        Rows rows;
        for (const std::int32_t sweep : shared.sweeps)
            rows.push_back(
                static_cast<std::size_t>(std::lower_bound(sweeps.begin(), sweeps.end(), sweep) - sweeps.begin()));
        shared.rows.push_back(std::move(rows));
    }
    return shared;
}

std::int32_t burn_in_of(const std::vector<ChainTrace>& chains, std::vector<std::string>& notes) {
    const ChainTrace& first = chains.front();
    if (first.provenance) {
        const Config config = Config::parse(first.provenance->config, first.label + "/trace.parquet");
        return static_cast<std::int32_t>(read_run(config, Model{}).burn_in);
    }
    notes.emplace_back("the traces do not say how long burn-in is: all sweeps are used (--burn-in leaves some out)");
    return 0;
}

ScalarDraws draws_of(const std::string& name, const std::vector<ChainTrace>& chains, const SharedSweeps& shared) {
    ScalarDraws scalar;
    scalar.name = name;
    std::vector<const Column*> columns;
    for (const ChainTrace& chain : chains) columns.push_back(&chain.trace.at(name));
    Rows used;  // indices into shared.sweeps
    for (std::size_t i = 0; i < shared.sweeps.size(); ++i) {
        std::size_t n_values = 0;
        for (std::size_t c = 0; c < chains.size(); ++c)
            if (!columns[c]->is_null(shared.rows[c][i])) ++n_values;
        if (n_values == chains.size()) used.push_back(i);
        scalar.has_gaps_of_its_own = scalar.has_gaps_of_its_own || (n_values > 0 && n_values < chains.size());
    }
    scalar.draws.set_size(used.size(), chains.size());
    for (std::size_t c = 0; c < chains.size(); ++c) {
        const auto& values = chains[c].trace.column<double>(name);
        for (std::size_t i = 0; i < used.size(); ++i) scalar.draws(i, c) = values[shared.rows[c][used[i]]];
    }
    for (const std::size_t i : used) scalar.sweeps.push_back(shared.sweeps[i]);
    return scalar;
}

std::optional<double> seconds_of(const std::vector<ChainTrace>& chains, std::int32_t burn_in, std::int32_t last_sweep,
                                 std::vector<std::string>& notes) {
    double total = 0.0;
    for (const ChainTrace& chain : chains) {
        if (!chain.timing) {
            notes.push_back(fmt::format("{} has no timing.parquet: no ESS per second", chain.label));
            return {};
        }
        const auto& sweep = chain.timing->column<std::int32_t>("sweep");
        const auto& seconds = chain.timing->column<double>("seconds");
        for (std::size_t row = 0; row < sweep.size(); ++row)
            if (sweep[row] > burn_in && sweep[row] <= last_sweep) total += seconds[row];
    }
    if (total > 0.0) return total;
    notes.emplace_back("timing.parquet knows nothing of the sweeps that are used: no ESS per second");
    return {};
}

void note_lengths(const std::vector<ChainTrace>& chains, std::size_t n_shared, std::int32_t burn_in,
                  std::vector<std::string>& notes) {
    std::size_t shortest = SIZE_MAX;
    std::size_t longest = 0;
    for (const ChainTrace& chain : chains) {
        const auto& sweeps = chain.trace.column<std::int32_t>("sweep");
        const auto n = static_cast<std::size_t>(sweeps.end() - std::upper_bound(sweeps.begin(), sweeps.end(), burn_in));
        shortest = std::min(shortest, n);
        longest = std::max(longest, n);
    }
    if (longest > n_shared)
        notes.push_back(fmt::format("the chains have {} to {} sweeps after burn-in: the {} that all have are used",
                                    shortest, longest, n_shared));
}

}  // namespace

AlignedChains align(const std::vector<ChainTrace>& chains, std::optional<std::int32_t> burn_in) {
    AlignedChains aligned;
    for (const ChainTrace& chain : chains) aligned.labels.push_back(chain.label);
    aligned.burn_in = burn_in ? *burn_in : burn_in_of(chains, aligned.notes);
    const SharedSweeps shared = share(chains, aligned.burn_in);
    if (shared.sweeps.empty())
        throw DataError(fmt::format("after a burn-in of {} sweeps, no sweep is left{}", aligned.burn_in,
                                    chains.size() == 1 ? "" : fmt::format(" that all {} chains have", chains.size())));
    note_lengths(chains, shared.sweeps.size(), aligned.burn_in, aligned.notes);
    aligned.last_sweep = shared.sweeps.back();
    aligned.seconds = seconds_of(chains, aligned.burn_in, aligned.last_sweep, aligned.notes);
    for (const Column& column : chains.front().trace.columns())
        if (column.name != "chain" && column.name != "sweep")
            aligned.scalars.push_back(draws_of(column.name, chains, shared));
    return aligned;
}

}  // namespace hmmlt
