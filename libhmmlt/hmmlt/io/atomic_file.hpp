// Files that appear complete or not at all: a result is written under a temporary name and renamed when it is on disk,
// so a reader never sees half of it, whatever kills the writer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace hmmlt {

// Writes `.<name>.partial` beside the target (for a very long name: its SHA-256) and holds a lock on it, where the file
// system has locks. A killed process leaves at most that one file, which the next writer of the same target removes.
// The target keeps its old content until commit(). A target that is a link stays one: the file it leads to is replaced.
// A file that is replaced keeps its permissions; a new one gets those of the umask.
class AtomicFile {
  public:
    // Throws IoError: the directory is missing or not writable, the target is write-protected (its owner, so root too,
    // has no write permission) or no regular file, or another process is writing it.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();  // without commit(): the partial file is removed, the target untouched

    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    int fd() const { return fd_; }
    const std::filesystem::path& target() const { return target_; }

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);

    // Flushes to disk, renames over the target and flushes the directory. Nothing can be written afterwards. Throws
    // IoError; the target is then as it was, except after a failure to flush the directory, which the message says: the
    // new file is there, complete, but a power cut might bring back the old one.
    void commit();

  private:
    void discard() noexcept;

    std::filesystem::path target_;   // as the caller named it
    std::filesystem::path place_;    // the same, links followed
    std::filesystem::path partial_;  // beside place_
    int fd_ = -1;
};

void write_text_atomically(const std::filesystem::path& target, std::string_view text);

// Makes the directory and its parents; one that is there already is fine.
void make_directories(const std::filesystem::path& directory);

}  // namespace hmmlt
