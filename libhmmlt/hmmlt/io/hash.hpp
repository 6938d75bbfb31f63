// SHA-256, by which results name their inputs and their own content.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hmmlt {

// Incremental: update() any number of times, then hex() once.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(std::span<const std::byte> bytes);
    void update(std::string_view text);
    std::string hex();  // 64 lower-case digits; the object is used up

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

std::string sha256_of_text(std::string_view text);
std::string sha256_of_file(const std::filesystem::path& path);  // throws IoError

}  // namespace hmmlt
