// The lock is on the partial file itself. Whoever gets it must check that the name still leads to the locked file:
// between open and lock the previous holder may have renamed or removed it.
#include "hmmlt/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;

fs::path directory_of(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// The permissions of the file that is to be replaced; nothing if there is none yet.
std::optional<::mode_t> permissions_of(const fs::path& target) {
    struct stat found {};
    if (!target.has_filename()) throw system_error("write", target.string(), EISDIR);
    if (::stat(target.c_str(), &found) != 0) {
        if (errno != ENOENT) throw system_error("write", target.string(), errno);
        return std::nullopt;
    }
    if (S_ISDIR(found.st_mode)) throw system_error("write", target.string(), EISDIR);
    if (!S_ISREG(found.st_mode))
        throw IoError(fmt::format("cannot write {}: it is not a regular file", target.string()));
    const ::mode_t permissions = found.st_mode & 0777;
    if ((permissions & S_IWUSR) == 0)  // a rename would not ask, and root may write anything
        throw IoError(
            fmt::format("cannot write {}: the file is write-protected (mode {:04o})", target.string(), permissions));
    if (::access(target.c_str(), W_OK) != 0) throw system_error("write", target.string(), errno);
    return permissions;
}

// Where a chain of links ends; permissions_of has seen that it does.
fs::path follow_links(fs::path path) {
    std::error_code error;
    while (fs::is_symlink(fs::symlink_status(path, error))) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) throw system_error("write", path.string(), error.value());
        path = directory_of(path) / next;
    }
    return path;
}

fs::path partial_of(const fs::path& place) {
    const std::string name = place.filename().string();
    std::string partial = fmt::format(".{}.partial", name);
    if (partial.size() > NAME_MAX) partial = fmt::format(".{}.partial", sha256_of_text(name));
    return directory_of(place) / partial;
}

bool same_file(int fd, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

// False if another process holds the lock. Some cluster file systems have no locks: there we go on without one, and
// commit() sees it if somebody else has taken the name.
bool lock(int fd, const fs::path& path) {
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK) return false;
        if (errno == ENOSYS || errno == ENOLCK || errno == EOPNOTSUPP) return true;
        throw system_error("lock", path.string(), errno);
    }
    return true;
}

struct Descriptor {
    int fd;

    explicit Descriptor(int opened) : fd(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    int release() { return std::exchange(fd, -1); }
};

[[noreturn]] void fail_to_create(const fs::path& partial, const fs::path& target) {
    const int error_number = errno;
    if (error_number == ENOENT)
        throw IoError(fmt::format("cannot write {}: the directory {} does not exist", target.string(),
                                  directory_of(partial).string()));
    throw system_error("write", target.string(), error_number);
}

// An open, empty, locked file under the name `partial`. One that is there already belongs to another writer, or was
// left by one that was killed; then nobody has locked it, and it goes. So the file is always new, and has the
// permissions that new files have.
int create_and_lock(const fs::path& partial, const fs::path& target) {
    constexpr int max_attempts = 1000;  // each failed attempt means that another writer finished in between
    constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        Descriptor created(::open(partial.c_str(), flags | O_CREAT | O_EXCL, 0666));
        if (created.fd >= 0) {
            if (!lock(created.fd, partial)) break;
            if (same_file(created.fd, partial)) return created.release();
            continue;
        }
        if (errno != EEXIST) fail_to_create(partial, target);
        const Descriptor found(::open(partial.c_str(), flags | O_NONBLOCK));
        if (found.fd < 0 && errno == ENOENT) continue;
        if (found.fd < 0) throw system_error("write", partial.string(), errno);
        if (!lock(found.fd, partial)) break;
        if (same_file(found.fd, partial) && ::unlink(partial.c_str()) != 0)
            throw system_error("remove", partial.string(), errno);
    }
    throw IoError(fmt::format("cannot write {}: another process is writing it", target.string()));
}

// Some file systems cannot flush a directory; the rename has happened all the same.
void flush_directory(const fs::path& directory, const fs::path& target) {
    const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.fd < 0 || ::fsync(opened.fd) == 0 || errno != EIO) return;
    throw IoError(fmt::format("{} is written, but may not survive a power cut: cannot flush the directory {}: {}",
                              target.string(), directory.string(), std::generic_category().message(EIO)));
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
    const std::optional<::mode_t> permissions = permissions_of(target_);
    place_ = follow_links(target_);
    partial_ = partial_of(place_);
    fd_ = create_and_lock(partial_, target_);
    if (permissions && ::fchmod(fd_, *permissions) != 0) {
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
    if (same_file(fd_, partial_)) ::unlink(partial_.c_str());  // while the lock is held, so that it stays ours
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
    if (!same_file(fd_, partial_))
        throw IoError(fmt::format("cannot write {}: somebody removed or replaced {} meanwhile", target_.string(),
                                  partial_.string()));
    if (::rename(partial_.c_str(), place_.c_str()) != 0) throw system_error("write", target_.string(), errno);
    ::close(fd_);
    fd_ = -1;
    flush_directory(directory_of(place_), target_);
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
