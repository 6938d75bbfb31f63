// Files that appear complete or not at all: a result is written under a temporary name and renamed when it is on disk,
// so a reader never sees half of it, whatever kills the writer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace hmmlt {

// Writes `.<name>.partial` beside the target and holds a lock on it. A killed process leaves at most that one file,
// which the next writer of the same target takes over. The target keeps its old content until commit().
class AtomicFile {
  public:
    // Throws IoError: the directory is missing or not writable, or another process is writing the same target.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();  // without commit(): the partial file is removed, the target untouched

    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    int fd() const { return fd_; }
    const std::filesystem::path& target() const { return target_; }

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);

    // Flushes to disk, renames over the target and flushes the directory. Nothing can be written afterwards.
    void commit();

  private:
    void discard() noexcept;

    std::filesystem::path target_;
    std::filesystem::path partial_;
    int fd_ = -1;
};

void write_text_atomically(const std::filesystem::path& target, std::string_view text);

// Makes the directory and its parents; one that is there already is fine.
void make_directories(const std::filesystem::path& directory);

}  // namespace hmmlt
