// The directory a stage writes: one process at a time, and complete exactly when its provenance.json is there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hmmlt/io/provenance.hpp"

namespace hmmlt {

// Locks the directory for the life of the object. begin() takes the mark of completeness away; finish() writes it last.
// A run that is killed so leaves a directory that does not claim to be whole. Throws IoError if another process has it.
class OutputDirectory {
  public:
    // `parts` are sub-directories with a mark of their own, e.g. test/. Calls begin().
    OutputDirectory(std::filesystem::path path, const std::vector<std::filesystem::path>& parts = {});
    // Only locks: for a stage that first looks whether there is anything to do.
    static OutputDirectory locked(std::filesystem::path path);
    ~OutputDirectory();
    OutputDirectory(OutputDirectory&& other) noexcept;
    OutputDirectory(const OutputDirectory&) = delete;
    OutputDirectory& operator=(const OutputDirectory&) = delete;

    bool is_complete() const;
    void begin() const;
    void finish(const Provenance& provenance, const RunRecord& run) const;

  private:
    OutputDirectory() = default;
    void lock(const std::filesystem::path& path);

    std::vector<std::filesystem::path> folders_;  // the directory itself last
    int lock_ = -1;
};

// Throws UsageError if `out` is one of the directories that the stage reads: its mark would replace theirs.
void refuse_to_write_into(const std::filesystem::path& out, const std::vector<std::filesystem::path>& inputs);

// Throws IoError if `folder` holds tables other than `own` (names without .parquet): beside the new ones they would be
// taken for a part of them. A folder that is not there holds none.
void refuse_foreign_tables(const std::filesystem::path& folder, const std::vector<std::string>& own);

// Throws DataError if training of this chain has not come to its end: tables that lie there are of an earlier, shorter
// run. A directory that hmmlt-train did not write has no checkpoint and passes.
void check_chain_complete(const std::filesystem::path& directory);

}  // namespace hmmlt
