// A lock on the directory itself needs no lock file, and goes with the process however it ends.
#include "pipelines/stage/output_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"

namespace hmmlt {

OutputDirectory::OutputDirectory(std::filesystem::path path, const std::vector<std::filesystem::path>& parts) {
    make_directories(path);
    lock_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) throw system_error("open", path.string(), errno);
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(lock_);
        throw IoError("cannot write " + path.string() + ": another process is writing it");
    }
    for (const auto& part : parts) folders_.push_back(path / part);
    folders_.push_back(std::move(path));
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

void OutputDirectory::finish(const Provenance& provenance, const RunRecord& run) const {
    for (const auto& folder : folders_) write_provenance_beside(folder / "any", provenance, run);
}

}  // namespace hmmlt
