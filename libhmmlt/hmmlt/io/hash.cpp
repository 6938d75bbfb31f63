// OpenSSL stays behind this file.
#include "hmmlt/io/hash.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

struct Sha256::Context {
    EVP_MD_CTX* digest = EVP_MD_CTX_new();

    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    if (context_->digest == nullptr || EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("Sha256: OpenSSL offers no SHA-256");
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
    if (!context_) throw std::logic_error("Sha256::update: the digest was taken already");
    if (EVP_DigestUpdate(context_->digest, bytes.data(), bytes.size()) != 1)
        throw std::runtime_error("Sha256::update: OpenSSL failed");
}

void Sha256::update(std::string_view text) {
    update(std::as_bytes(std::span(text)));
}

std::string Sha256::hex() {
    if (!context_) throw std::logic_error("Sha256::hex: the digest was taken already");
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context_->digest, digest.data(), &size) != 1)
        throw std::runtime_error("Sha256::hex: OpenSSL failed");
    context_.reset();
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256_of_text(std::string_view text) {
    Sha256 hash;
    hash.update(text);
    return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
    struct File {
        int fd;
        ~File() {
            if (fd >= 0) ::close(fd);
        }
    };
    const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) throw system_error("read", path.string(), errno);
    Sha256 hash;
    std::vector<std::byte> buffer(std::size_t{1} << 20);
    while (true) {
        const ::ssize_t n_read = ::read(file.fd, buffer.data(), buffer.size());
        if (n_read < 0 && errno == EINTR) continue;
        if (n_read < 0) throw system_error("read", path.string(), errno);
        if (n_read == 0) return hash.hex();
        hash.update(std::span(buffer).first(static_cast<std::size_t>(n_read)));
    }
}

}  // namespace hmmlt
