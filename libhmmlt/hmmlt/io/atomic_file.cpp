// The lock is on the partial file itself. Whoever gets it must check that the name still leads to the locked file:
// between open and lock the previous holder may have renamed or removed it.
#include "hmmlt/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

std::filesystem::path directory_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

int open_for_writing(const std::filesystem::path& partial, const std::filesystem::path& target) {
    const int fd = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) return fd;
    const int error_number = errno;
    if (error_number == ENOENT)
        throw IoError(fmt::format("cannot write {}: the directory {} does not exist", target.string(),
                                  directory_of(target).string()));
    throw system_error("write", target.string(), error_number);
}

bool same_file(int fd, const std::filesystem::path& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

// An open, locked descriptor of the file that the name `partial` leads to.
int open_and_lock(const std::filesystem::path& partial, const std::filesystem::path& target) {
    constexpr int max_attempts = 1000;  // each failed attempt means that another writer finished in between
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        const int fd = open_for_writing(partial, target);
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const int error_number = errno;
            ::close(fd);
            if (error_number == EINTR) continue;
            if (error_number == EWOULDBLOCK) break;
            throw system_error("lock", partial.string(), error_number);
        }
        if (same_file(fd, partial)) return fd;
        ::close(fd);
    }
    throw IoError(fmt::format("cannot write {}: another process is writing it", target.string()));
}

// Some file systems cannot flush a directory; the rename has happened all the same.
void flush_directory(const std::filesystem::path& directory) {
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    const bool failed = ::fsync(fd) != 0 && errno == EIO;
    ::close(fd);
    if (failed) throw system_error("flush", directory.string(), EIO);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
    std::error_code ignored;  // what cannot be looked at cannot be opened either, and open says why
    if (!target_.has_filename() || std::filesystem::is_directory(target_, ignored))
        throw system_error("write", target_.string(), EISDIR);
    partial_ = directory_of(target_) / fmt::format(".{}.partial", target_.filename().string());
    fd_ = open_and_lock(partial_, target_);
    if (::ftruncate(fd_, 0) != 0) {
        const int error_number = errno;
        discard();
        throw system_error("write", target_.string(), error_number);
    }
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::discard() noexcept {
    if (fd_ < 0) return;
    ::unlink(partial_.c_str());  // while the lock is held, so that it is surely ours
    ::close(fd_);
    fd_ = -1;
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (fd_ < 0) throw std::logic_error(fmt::format("AtomicFile::write: {} is committed already", target_.string()));
    while (!bytes.empty()) {
        const ::ssize_t n_written = ::write(fd_, bytes.data(), bytes.size());
        if (n_written < 0 && errno == EINTR) continue;
        if (n_written < 0) throw system_error("write", target_.string(), errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n_written));
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit() {
    if (fd_ < 0) throw std::logic_error(fmt::format("AtomicFile::commit: {} is committed already", target_.string()));
    if (::fsync(fd_) != 0) throw system_error("write", target_.string(), errno);
    if (::rename(partial_.c_str(), target_.c_str()) != 0) throw system_error("write", target_.string(), errno);
    ::close(fd_);
    fd_ = -1;
    flush_directory(directory_of(target_));
}

void write_text_atomically(const std::filesystem::path& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    file.commit();
}

void make_directories(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) throw IoError(fmt::format("cannot create the directory {}: {}", directory.string(), error.message()));
}

}  // namespace hmmlt
