// Streams of random numbers that are addressed, not advanced: (seed, chain, sweep, block, item) names a stream, and two
// different addresses of one seed never share a block of 128 random bits. Results so depend neither on the number of
// threads nor on the order of work, and a checkpoint holds no generator state.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "hmmlt/random/philox.hpp"

namespace hmmlt {

// Where in a run a stream belongs. `block` numbers the blocks of a sweep (z, u, q, ...), `item` the independent pieces
// of work inside a block (a row, a sequence, a state).
struct StreamAddress {
    std::uint64_t seed = 0;
    std::uint32_t chain = 0;  // < 2^24
    std::uint32_t sweep = 0;
    std::uint32_t block = 0;  // < 2^8
    std::uint32_t item = 0;

    bool operator==(const StreamAddress&) const = default;
};

// The Philox counter of a stream's n-th block of 128 bits is (n, item, sweep, block | chain) and its key is the seed.
// Every field has its own bits, so distinct (address, n) of one seed are distinct counters, and Philox is a bijection.
// Throws std::domain_error if chain or block is out of range.
PhiloxCounter first_counter(const StreamAddress& address);
constexpr PhiloxKey key_of_seed(std::uint64_t seed) {
    return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

// A Boost.Random UniformRandomNumberGenerator over one stream: 64 bits per call, 2^33 calls, then std::length_error
// (never a wrap-around into numbers already used).
class Stream {
  public:
    using result_type = std::uint64_t;
    static constexpr bool has_fixed_range = false;  // asked for by Boost 1.74's engine concept
    static constexpr std::uint64_t capacity = std::uint64_t{1} << 33;

    explicit Stream(const StreamAddress& address);
    // A copy would repeat numbers.
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    Stream(Stream&&) = default;
    Stream& operator=(Stream&&) = default;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()() {
        if (n_buffered_ == 0) refill();
        return buffer_[--n_buffered_];
    }

    // The next out.size() numbers, as if drawn one by one.
    void fill(std::span<result_type> out);

    // As if n numbers had been drawn.
    void discard(std::uint64_t n);

  private:
    void refill();
    void check_left(std::uint64_t n_blocks) const;

    PhiloxKey key_;
    PhiloxCounter counter_;
    std::uint64_t n_blocks_ = 0;
    std::uint32_t n_buffered_ = 0;
    std::array<std::uint64_t, 2> buffer_{};
};

}  // namespace hmmlt
