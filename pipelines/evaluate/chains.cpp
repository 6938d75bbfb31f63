#include "pipelines/evaluate/chains.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "hmmlt/io/checkpoint.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"

namespace hmmlt {

namespace {

// `other` as it would be if it had run as `first` did: what still differs matters.
Provenance run_as(const Provenance& first, Provenance other) {
    other.seed = first.seed;
    other.arguments["chain"] = first.arguments.at("chain");
    other.executable_sha256 = first.executable_sha256;
    other.instruction_set = first.instruction_set;
    other.blas = first.blas;
    return other;
}

std::string kind_of(const DataShape& shape) {
    return shape.n_symbols ? "symbols" : fmt::format("{} columns y_0, y_1, ...", shape.n_channels.value_or(0));
}

}  // namespace

std::string ChainDirectory::name() const {
    return fmt::format("chain {} of seed {}", chain(), provenance.seed.value_or(0));
}

std::vector<ChainDirectory> find_chains(const std::vector<std::filesystem::path>& paths) {
    std::vector<ChainDirectory> chains;
    std::map<std::string, std::string> path_of;
    for (const std::filesystem::path& path : paths) {
        ChainDirectory chain{path, {}};
        chain.provenance = read_provenance(chain.draws(), draws_schema());
        if (!chain.provenance.arguments.contains("chain"))
            throw DataError(
                fmt::format("{}: expected draws of hmmlt-train, found a table that does not say which "
                            "chain it is",
                            chain.draws().string()));
        const auto [same, is_new] = path_of.emplace(chain.name(), path.string());
        if (!is_new)
            throw DataError(fmt::format("{} and {} are both {}; each chain counts once", same->second, path.string(),
                                        chain.name()));
        if (!chains.empty()) {
            const Provenance& first = chains.front().provenance;
            const std::string other = difference(first, run_as(first, chain.provenance));
            if (!other.empty())
                throw DataError(
                    fmt::format("{} cannot be pooled with {}: {}", path.string(), chains.front().path.string(), other));
        }
        chains.push_back(std::move(chain));
    }
    return chains;
}

std::string mixed_chains(const std::vector<ChainDirectory>& chains) {
    std::vector<Provenance> provenances;
    std::vector<std::string> names;
    for (const ChainDirectory& chain : chains) {
        provenances.push_back(chain.provenance);
        names.push_back(chain.path.string());
    }
    return mixed_instruction_sets(provenances, names);
}

LoadedChain load_chain(const ChainDirectory& chain) {
    const std::string where = chain.draws().string();
    const Table table = read_table(chain.draws(), draws_schema()).table;
    const DataShape shape = trained_shape(table, where);
    const Config config = Config::parse(chain.provenance.config, where + ": its configuration");
    const AnyModel model = read_any_model(config, shape);
    std::map<std::string, std::string> tables;
    Legend legend = read_legend(chain.path, tables);
    if (chain.provenance.inputs.contains("scaling") && !legend.scaling)
        throw DataError(
            fmt::format("{}: expected scaling.parquet, as hmmlt-train wrote it, found none", chain.path.string()));
    return {model, shape, std::move(legend), stored_draws(model, table, where)};
}

void check_fits(const LoadedChain& chain, const DataDirectory& data, const std::string& where) {
    const DataShape& trained_on = chain.trained_on;
    const DataShape& found = data.shape;
    if (trained_on.n_symbols.has_value() != found.n_symbols.has_value() ||
        (trained_on.n_channels && *trained_on.n_channels != *found.n_channels))
        throw DataError(fmt::format("{}: expected {}, as the chains were trained on, found {}", where,
                                    kind_of(trained_on), kind_of(found)));
    // without a vocabulary the data need not show every symbol there is
    const bool has_vocabulary = data.inputs.contains("vocabulary");
    if (trained_on.n_symbols &&
        (has_vocabulary ? *found.n_symbols != *trained_on.n_symbols : *found.n_symbols > *trained_on.n_symbols))
        throw DataError(fmt::format("{}: expected {} symbols, as the chains were trained on, found {}", where,
                                    *trained_on.n_symbols, *found.n_symbols));
    check_same_meaning(chain.legend, data.legend, where, "as the chains were trained on");
}

}  // namespace hmmlt
