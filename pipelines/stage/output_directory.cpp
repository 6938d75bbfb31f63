// A lock on the directory itself needs no lock file, and goes with the process however it ends.
#include "pipelines/stage/output_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"

namespace hmmlt {

void OutputDirectory::lock(const std::filesystem::path& path) {
    make_directories(path);
    lock_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) throw system_error("open", path.string(), errno);
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(std::exchange(lock_, -1));
        throw IoError("cannot write " + path.string() + ": another process is writing it");
    }
}

OutputDirectory::OutputDirectory(std::filesystem::path path, const std::vector<std::filesystem::path>& parts) {
    lock(path);
    for (const auto& part : parts) folders_.push_back(path / part);
    folders_.push_back(std::move(path));
    begin();
}

OutputDirectory OutputDirectory::locked(std::filesystem::path path) {
    OutputDirectory directory;
    directory.lock(path);
    directory.folders_.push_back(std::move(path));
    return directory;
}

OutputDirectory::OutputDirectory(OutputDirectory&& other) noexcept
    : folders_(std::move(other.folders_)), lock_(std::exchange(other.lock_, -1)) {}

bool OutputDirectory::is_complete() const {
    return std::filesystem::exists(folders_.back() / "provenance.json");
}

void OutputDirectory::begin() const {
    for (const auto& folder : folders_) {
        make_directories(folder);
        std::error_code error;
        std::filesystem::remove(folder / "provenance.json", error);
        if (error) throw system_error("replace", (folder / "provenance.json").string(), error.value());
    }
}

OutputDirectory::~OutputDirectory() {
    if (lock_ >= 0) ::close(lock_);
}

void refuse_to_write_into(const std::filesystem::path& out, const std::vector<std::filesystem::path>& inputs) {
    for (const auto& input : inputs) {
        std::error_code ignored;
        if (std::filesystem::equivalent(out, input, ignored))
            throw UsageError("--out " + out.string() + ": the stage reads from there; choose another directory");
    }
}

void refuse_foreign_tables(const std::filesystem::path& folder, const std::vector<std::string>& own) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::filesystem::path name = entry.path().filename();
        if (name.extension() == ".parquet" && std::find(own.begin(), own.end(), name.stem()) == own.end())
            throw IoError("cannot write " + folder.string() + ": it holds " + name.string() +
                          ", which is none of the tables to write; remove it or choose another directory");
    }
}

void check_chain_complete(const std::filesystem::path& directory) {
    if (std::filesystem::exists(directory / "checkpoint.journal") &&
        !std::filesystem::exists(directory / "provenance.json"))
        throw DataError(directory.string() +
                        ": training has not come to its end; the same hmmlt-train command goes on");
}

void OutputDirectory::finish(const Provenance& provenance, const RunRecord& run) const {
    for (const auto& folder : folders_) write_provenance_beside(folder / "any", provenance, run);
}

}  // namespace hmmlt
