// Where a chain stands, on disk: enough to go on as if it had never stopped. The checkpoint before the last is kept, so
// that a damaged file costs minutes and not the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "hmmlt/io/journal.hpp"
#include "hmmlt/io/provenance.hpp"

namespace hmmlt {

struct Checkpoint {
    Provenance provenance;  // what the run was begun with: no other may continue it
    std::uint32_t n_sweeps = 0;
    JournalMark journal;
    std::string state;        // to_bytes(State)
    std::string accumulated;  // of the stage: running means

    bool operator==(const Checkpoint&) const = default;
};

// Files of a chain's directory.
std::filesystem::path checkpoint_path(const std::filesystem::path& directory);
std::filesystem::path previous_checkpoint_path(const std::filesystem::path& directory);
std::filesystem::path journal_path(const std::filesystem::path& directory);

// Atomically; the last one becomes the previous one.
void write_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint);

// The newest checkpoint that is whole and whose journal is, or nothing if the directory has neither. `notice` says, in
// a sentence, if the previous one had to stand in. Throws DataError if there are checkpoints but none is whole.
struct FoundCheckpoint {
    Checkpoint checkpoint;
    std::string notice;
};
std::optional<FoundCheckpoint> find_checkpoint(const std::filesystem::path& directory);

// How two runs differ, in a sentence for people ("run.burn_in was 100, is 200"); empty if they do not.
std::string difference(const Provenance& before, const Provenance& now);

}  // namespace hmmlt
