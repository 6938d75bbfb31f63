// libsndfile reads a truncated file without complaint, so the length of the sound is checked before.
#include "pipelines/pascal/wav.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sndfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>

#include "hmmlt/io/errors.hpp"

namespace hmmlt::pascal {

namespace {

struct File {
    int fd;

    explicit File(const std::filesystem::path& path)  // a pipe must not make us wait for a writer
        : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (fd < 0) throw system_error("read", path.string(), errno);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { ::close(fd); }
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw DataError(path.string() + ": " + what);
}

std::uint64_t number(std::string_view bytes) {  // little-endian
    std::uint64_t value = 0;
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
        value = value << 8 | static_cast<unsigned char>(*byte);
    return value;
}

// "RIFF", a length, "WAVE"; then chunks, each a name of 4 bytes, a length of 4 and its bytes, padded to an even number.
void check_chunks(const File& file, const std::filesystem::path& path) {
    struct stat found {};
    if (::fstat(file.fd, &found) != 0) throw system_error("read", path.string(), errno);
    if (!S_ISREG(found.st_mode)) fail(path, "expected a WAV file, found something that is not a regular file");
    if (found.st_size == 0) fail(path, "expected a WAV file, found an empty one");
    std::array<char, 12> buffer{};
    const auto bytes_at = [&](std::uint64_t position) {
        const ::ssize_t n = ::pread(file.fd, buffer.data(), buffer.size(), static_cast<::off_t>(position));
        if (n < 0) throw system_error("read", path.string(), errno);
        return std::string_view(buffer.data(), static_cast<std::size_t>(n));
    };
    const std::string_view head = bytes_at(0);
    if (head.size() < buffer.size() || head.substr(8) != "WAVE")
        fail(path, "expected a WAV file, found something else");
    if (!head.starts_with("RIFF")) return;  // RIFX, RF64: rare, and libsndfile knows them
    const auto n_bytes = static_cast<std::uint64_t>(found.st_size);
    for (std::uint64_t position = buffer.size(); position + 8 <= n_bytes;) {
        const std::string_view chunk = bytes_at(position);
        const std::uint64_t length = number(chunk.substr(4, 4));
        position += 8;
        if (chunk.starts_with("data") && length > n_bytes - position)
            fail(path, fmt::format("the file is truncated: its header promises {} bytes of sound, found {}", length,
                                   n_bytes - position));
        position += length + length % 2;
    }
}

}  // namespace

std::vector<float> read_wav(const std::filesystem::path& path, int sample_rate) {
    const File file(path);
    check_chunks(file, path);
    SF_INFO info{};
    const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound(sf_open_fd(file.fd, SFM_READ, &info, SF_FALSE), &sf_close);
    if (sound == nullptr)
        fail(path, fmt::format("expected a WAV file, found a damaged one ({})", sf_strerror(nullptr)));
    if (info.samplerate != sample_rate)
        fail(path, fmt::format("expected {} samples per second, found {}", sample_rate, info.samplerate));
    if (info.frames <= 0) fail(path, "expected a sentence, found no samples");

    constexpr sf_count_t n_at_once = 4096;
    const auto n_channels = static_cast<std::size_t>(info.channels);
    std::vector<float> block(static_cast<std::size_t>(n_at_once) * n_channels);
    std::vector<float> samples;
    for (sf_count_t n = 0; (n = sf_readf_float(sound.get(), block.data(), n_at_once)) > 0;)
        for (std::size_t frame = 0; frame < static_cast<std::size_t>(n); ++frame) {
            samples.push_back(block[frame * n_channels]);
            if (!std::isfinite(samples.back()))
                fail(path,
                     fmt::format("expected finite samples, found {} at sample {}", samples.back(), samples.size() - 1));
        }
    if (samples.size() != static_cast<std::size_t>(info.frames))
        fail(path, fmt::format("the file is truncated: its header promises {} samples, found {}", info.frames,
                               samples.size()));
    return samples;
}

}  // namespace hmmlt::pascal
