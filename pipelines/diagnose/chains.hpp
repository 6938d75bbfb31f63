// Several chains of one model, read from their directories and brought to the sweeps they share.
#pragma once

#include <armadillo>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hmmlt/io/provenance.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt {

struct ChainTrace {
    std::string label;  // the end of its path that tells it from the others
    Table trace;
    std::optional<Table> timing;                // nothing if there is no timing.parquet
    std::optional<Provenance> provenance;       // nothing for a trace that hmmlt did not write
    std::map<std::string, std::string> inputs;  // files that were read -> SHA-256
};

// One column of the traces: the values, after burn-in, at the sweeps where every chain has one.
struct ScalarDraws {
    std::string name;
    arma::mat draws;                   // draws x chains
    std::vector<std::int32_t> sweeps;  // of the draws
    bool has_gaps_of_its_own = false;  // a chain lacks values that another chain has
};

struct AlignedChains {
    std::vector<std::string> labels;
    std::vector<ScalarDraws> scalars;  // in the order of the first trace
    std::int32_t burn_in = 0;
    std::int32_t last_sweep = 0;    // of those in all chains
    std::optional<double> seconds;  // that all chains together took from burn-in to the last sweep
    std::vector<std::string> notes;
};

// Throws IoError or DataError naming the file: no trace, sweeps out of order, rows of several chains.
std::vector<ChainTrace> read_chains(const std::vector<std::filesystem::path>& directories);

// Throws DataError unless these are different chains of one model on the same data, with the same columns.
void check_comparable(const std::vector<ChainTrace>& chains);

// A sentence if they were computed with different vector instructions; empty if not, or if that is not known.
std::string mixed_chains(const std::vector<ChainTrace>& chains);

// `burn_in`: sweeps to leave out; nothing for what the traces' configuration says (run.burn_in), or else none. Throws
// DataError if no sweep is left.
AlignedChains align(const std::vector<ChainTrace>& chains, std::optional<std::int32_t> burn_in);

}  // namespace hmmlt
