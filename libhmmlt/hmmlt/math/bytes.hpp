// Values as bytes and back, for states that outlive their process: numbers, text and matrices, little-endian.
#pragma once

#include <armadillo>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace hmmlt {

static_assert(std::endian::native == std::endian::little, "bytes are written as they lie in memory");

class ByteWriter {
  public:
    template <typename T>
    requires std::is_arithmetic_v<T>
    void number(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(std::string_view value) {
        number<std::uint64_t>(value.size());
        bytes_.append(value);
    }
    template <typename T>
    void matrix(const arma::Mat<T>& value) {
        number<std::uint64_t>(value.n_rows);
        number<std::uint64_t>(value.n_cols);
        bytes_.append(reinterpret_cast<const char*>(value.memptr()), value.n_elem * sizeof(T));
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// Throws std::runtime_error if there are fewer bytes than a value needs.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    template <typename T>
    requires std::is_arithmetic_v<T> T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(number<std::uint64_t>())); }
    template <typename Matrix>
    void matrix(Matrix& value) {
        using T = typename Matrix::elem_type;
        const auto n_rows = number<std::uint64_t>();
        const auto n_cols = number<std::uint64_t>();
        if (n_rows != 0 && n_cols > rest_.size() / sizeof(T) / n_rows) fail();
        value.set_size(n_rows, n_cols);
        const std::string_view cells = take(n_rows * n_cols * sizeof(T));
        if (!cells.empty()) std::memcpy(value.memptr(), cells.data(), cells.size());
    }
    bool at_end() const { return rest_.empty(); }

  private:
    [[noreturn]] static void fail() { throw std::runtime_error("the bytes end too early"); }
    std::string_view take(std::size_t n) {
        if (n > rest_.size()) fail();
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return taken;
    }

    std::string_view rest_;
};

}  // namespace hmmlt
