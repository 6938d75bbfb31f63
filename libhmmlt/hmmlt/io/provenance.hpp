// Where a result comes from. Inside a result file: only what determines its bytes, so that the same run gives the same
// file. Beside it, in provenance.json: also when, where and by which command.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hmmlt/math/blas.hpp"

namespace hmmlt {

struct Provenance {
    std::string config;                         // Config::canonical_text(), or a stage's flags in a fixed order
    std::optional<std::uint64_t> seed;          // nothing: the stage draws no random numbers
    std::map<std::string, std::string> inputs;  // name -> SHA-256 of the file
    std::string executable_sha256;
    std::string instruction_set;  // e.g. "-march=native: sse4.2 avx avx2 fma"
    BlasInfo blas;
    std::map<std::string, std::string> arguments;  // flags that determine the result and are not in the config

    bool operator==(const Provenance&) const = default;
};

// Fills in what this process knows about itself: executable, instruction set, BLAS.
Provenance provenance_of_this_process(std::string config, std::optional<std::uint64_t> seed,
                                      std::map<std::string, std::string> inputs);

// One line of JSON with sorted keys. The seed is a string: many JSON readers round integers above 2^53.
std::string to_json(const Provenance& provenance);

// Back again. `where` stands in messages for the file. Throws DataError if the text is not such a line.
Provenance provenance_from_json(std::string_view json, const std::string& where);

// A sentence if results that are compared or pooled were computed with different vector instructions or BLAS cores, so
// that the same seed need not give the same bytes; empty if not. A name for each, in the same order.
std::string mixed_instruction_sets(const std::vector<Provenance>& results, const std::vector<std::string>& names);

// What tells a human about a run but does not determine its result.
struct RunRecord {
    std::string revision;  // of the source, e.g. git describe
    std::vector<std::string> command;
    std::chrono::system_clock::time_point started;
    std::chrono::system_clock::time_point finished;
};

// Writes provenance.json, atomically, into the directory of `result`; the host's name is added here.
void write_provenance_beside(const std::filesystem::path& result, const Provenance& provenance, const RunRecord& run);

}  // namespace hmmlt
