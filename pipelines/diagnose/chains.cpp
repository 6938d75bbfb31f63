// Reading and comparing; a sentence for each thing that makes chains incomparable.
#include "pipelines/diagnose/chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;

// The shortest ends of the paths by which they differ: chain-0, chain-1; a/chain-0, b/chain-0.
std::vector<std::string> labels_of(const std::vector<fs::path>& directories) {
    std::vector<std::vector<std::string>> parts;
    std::size_t longest = 0;
    for (const fs::path& directory : directories) {
        parts.emplace_back();
        for (const fs::path& part : fs::absolute(directory).lexically_normal())
            if (!part.empty()) parts.back().push_back(part.string());
        longest = std::max(longest, parts.back().size());
    }
    for (std::size_t n_parts = 1;; ++n_parts) {
        std::vector<std::string> labels;
        for (const auto& path : parts) {
            fs::path label;
            for (std::size_t i = path.size() - std::min(n_parts, path.size()); i < path.size(); ++i) label /= path[i];
            labels.push_back(label.string());
        }
        if (n_parts >= longest || std::set<std::string>(labels.begin(), labels.end()).size() == labels.size())
            return labels;
    }
}

void check_rows(const std::string& where, const Table& trace) {
    const auto& chain = trace.column<std::int32_t>("chain");
    const auto& sweep = trace.column<std::int32_t>("sweep");
    if (sweep.empty()) throw DataError(where + ": expected sweeps, found none");
    for (std::size_t row = 1; row < sweep.size(); ++row) {
        if (chain[row] != chain[0])
            throw DataError(
                fmt::format("{}: expected one chain, found {} and {} (row {})", where, chain[0], chain[row], row));
        if (sweep[row] <= sweep[row - 1])
            throw DataError(fmt::format("{}: expected increasing sweeps, found {} after {} (row {})", where, sweep[row],
                                        sweep[row - 1], row));
    }
}

ChainTrace read_chain(const fs::path& directory, std::string label) {
    const fs::path trace_path = directory / "trace.parquet";
    const fs::path timing_path = directory / "timing.parquet";
    TableFile file = read_table(trace_path, trace_schema());
    check_rows(trace_path.string(), file.table);
    ChainTrace chain{label, std::move(file.table), {}, {}, {{label + "/trace.parquet", sha256_of_file(trace_path)}}};
    if (!file.foreign) chain.provenance = provenance_from_json(file.provenance_json, trace_path.string());
    if (fs::exists(timing_path)) {
        chain.timing = read_table(timing_path, timing_schema()).table;
        chain.inputs.emplace(label + "/timing.parquet", sha256_of_file(timing_path));
    }
    return chain;
}

std::int32_t number_of(const ChainTrace& chain) {
    return chain.trace.column<std::int32_t>("chain")[0];
}

// The first line in which two texts differ, or both are empty.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
    std::istringstream lines_a(a);
    std::istringstream lines_b(b);
    std::string line_a;
    std::string line_b;
    while (true) {
        const bool more_a = static_cast<bool>(std::getline(lines_a, line_a));
        const bool more_b = static_cast<bool>(std::getline(lines_b, line_b));
        if (!more_a) line_a = "nothing more";
        if (!more_b) line_b = "nothing more";
        if (line_a != line_b || (!more_a && !more_b)) return {line_a, line_b};
    }
}

void check_columns(const ChainTrace& a, const ChainTrace& b) {
    for (const auto& [has, lacks] : {std::pair(&a, &b), std::pair(&b, &a)})
        for (const Column& column : has->trace.columns())
            if (!lacks->trace.has(column.name))
                throw DataError(fmt::format("{}/trace.parquet has no column {}, which {} has: not the same model",
                                            lacks->label, column.name, has->label));
}

void check_pair(const ChainTrace& a, const ChainTrace& b) {
    if (a.inputs.at(a.label + "/trace.parquet") == b.inputs.at(b.label + "/trace.parquet"))
        throw DataError(fmt::format("{} and {} are the same chain", a.label, b.label));
    const bool knows_origin = a.provenance && b.provenance;
    if (knows_origin && a.provenance->config != b.provenance->config) {
        const auto [line_a, line_b] = first_difference(a.provenance->config, b.provenance->config);
        throw DataError(fmt::format("{} and {} are chains of different models: the first has {}, the second {}",
                                    a.label, b.label, line_a, line_b));
    }
    if (knows_origin && a.provenance->inputs != b.provenance->inputs)
        throw DataError(fmt::format("{} and {} are chains on different data", a.label, b.label));
    check_columns(a, b);
    const bool same_seed = !knows_origin || a.provenance->seed == b.provenance->seed;
    if (same_seed && number_of(a) == number_of(b))
        throw DataError(fmt::format("{} and {} are both chain {}{}: the same random numbers twice", a.label, b.label,
                                    number_of(a), knows_origin ? " of one seed" : ""));
}

}  // namespace

std::vector<ChainTrace> read_chains(const std::vector<fs::path>& directories) {
    const std::vector<std::string> labels = labels_of(directories);
    std::vector<ChainTrace> chains;
    for (std::size_t i = 0; i < directories.size(); ++i) chains.push_back(read_chain(directories[i], labels[i]));
    return chains;
}

void check_comparable(const std::vector<ChainTrace>& chains) {
    for (std::size_t i = 0; i < chains.size(); ++i)
        for (std::size_t j = i + 1; j < chains.size(); ++j) check_pair(chains[i], chains[j]);
}

std::string mixed_chains(const std::vector<ChainTrace>& chains) {
    std::vector<Provenance> known;
    std::vector<std::string> names;
    for (const ChainTrace& chain : chains) {
        if (!chain.provenance) continue;
        known.push_back(*chain.provenance);
        names.push_back(chain.label);
    }
    return mixed_instruction_sets(known, names);
}

}  // namespace hmmlt
