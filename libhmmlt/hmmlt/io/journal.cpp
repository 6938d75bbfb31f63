// A record on disk: its length (8 bytes, little-endian), its bytes, and 64 hexadecimal digits: SHA-256 of the digits of
// the record before it followed by its own bytes.
#include "hmmlt/io/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"

namespace hmmlt {

namespace {

constexpr std::size_t length_bytes = 8;
constexpr std::size_t hash_bytes = 64;
constexpr std::size_t flush_at = 1 << 20;

std::string seal(const std::string& before, std::string_view record) {
    Sha256 hash;
    hash.update(before);
    hash.update(record);
    return hash.hex();
}

[[noreturn]] void fail_damaged(const std::filesystem::path& path) {
    throw DataError(fmt::format("{}: damaged: it is not what its checkpoint says", path.string()));
}

// Whole reads at an offset, in the face of interruptions.
void read_exactly(int fd, const std::filesystem::path& path, std::uint64_t offset, char* target, std::size_t n) {
    while (n > 0) {
        const ssize_t got = ::pread(fd, target, n, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw system_error("read", path.string(), errno);
        if (got == 0) fail_damaged(path);
        target += got;
        offset += static_cast<std::uint64_t>(got);
        n -= static_cast<std::size_t>(got);
    }
}

void walk(int fd, const std::filesystem::path& path, const JournalMark& mark,
          const std::function<void(std::string_view)>& f) {
    std::string hash;
    std::vector<char> buffer;
    std::uint64_t offset = 0;
    while (offset < mark.n_bytes) {
        std::uint64_t length = 0;
        if (mark.n_bytes - offset < length_bytes + hash_bytes) fail_damaged(path);
        read_exactly(fd, path, offset, reinterpret_cast<char*>(&length), length_bytes);
        if (length > mark.n_bytes - offset - length_bytes - hash_bytes) fail_damaged(path);
        buffer.resize(length + hash_bytes);
        read_exactly(fd, path, offset + length_bytes, buffer.data(), buffer.size());
        const std::string_view record(buffer.data(), length);
        hash = seal(hash, record);
        if (hash != std::string_view(buffer.data() + length, hash_bytes)) fail_damaged(path);
        f(record);
        offset += length_bytes + buffer.size();
    }
    if (hash != mark.hash) fail_damaged(path);
}

}  // namespace

Journal::Journal(std::filesystem::path path, const JournalMark& mark) : path_(std::move(path)), mark_(mark) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) throw system_error("write", path_.string(), errno);
    try {
        walk(fd_, path_, mark, [](std::string_view) {});
        if (::ftruncate(fd_, static_cast<off_t>(mark.n_bytes)) != 0) throw system_error("write", path_.string(), errno);
        if (::lseek(fd_, 0, SEEK_END) < 0) throw system_error("write", path_.string(), errno);
    } catch (...) {
        ::close(fd_);
        throw;
    }
}

Journal::~Journal() {
    ::close(fd_);
}

void Journal::append(std::string_view record) {
    const std::uint64_t length = record.size();
    mark_.hash = seal(mark_.hash, record);
    mark_.n_bytes += length_bytes + record.size() + hash_bytes;
    pending_.append(reinterpret_cast<const char*>(&length), length_bytes);
    pending_.append(record);
    pending_.append(mark_.hash);
    if (pending_.size() >= flush_at) flush();
}

void Journal::flush() {
    std::string_view rest = pending_;
    while (!rest.empty()) {
        const ssize_t written = ::write(fd_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw system_error("write", path_.string(), errno);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    pending_.clear();
}

JournalMark Journal::sync() {
    flush();
    if (::fsync(fd_) != 0) throw system_error("write", path_.string(), errno);
    return mark_;
}

void read_journal(const std::filesystem::path& path, const JournalMark& mark,
                  const std::function<void(std::string_view)>& f) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw system_error("read", path.string(), errno);
    try {
        walk(fd, path, mark, f);
    } catch (...) {
        ::close(fd);
        throw;
    }
    ::close(fd);
}

}  // namespace hmmlt
