// The chains to evaluate: what they are, that they belong together, and their draws, one chain in memory at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hmmlt/io/data_directory.hpp"
#include "hmmlt/io/draws.hpp"
#include "hmmlt/io/provenance.hpp"

namespace hmmlt {

struct ChainDirectory {
    std::filesystem::path path;
    Provenance provenance;  // of its draws

    std::filesystem::path draws() const { return path / "draws.parquet"; }
    std::filesystem::path state_mean() const { return path / "state_mean.parquet"; }
    std::string chain() const { return provenance.arguments.at("chain"); }
    std::string name() const;  // "chain 0 of seed 3"
};

// In the order given. They may differ in seed, number and the machine they ran on, and in nothing else: otherwise, or
// if one is there twice, throws DataError naming both and the difference. IoError if a file cannot be read.
std::vector<ChainDirectory> find_chains(const std::vector<std::filesystem::path>& paths);

// A sentence if they were computed with different vector instructions; empty if not.
std::string mixed_chains(const std::vector<ChainDirectory>& chains);

struct LoadedChain {
    AnyModel model;
    DataShape trained_on;
    Legend legend;                  // of the data it was trained on, as far as they had one
    std::vector<StoredDraw> draws;  // at least one
};
LoadedChain load_chain(const ChainDirectory& chain);

// Throws DataError, naming `where`, unless the data are of the kind and width that the chain was trained on, and their
// channels or symbols stand for the same.
void check_fits(const LoadedChain& chain, const DataDirectory& data, const std::string& where);

}  // namespace hmmlt
