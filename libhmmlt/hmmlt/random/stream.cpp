// Packing of stream addresses into Philox counters, and the refill of a stream's small buffer.
#include "hmmlt/random/stream.hpp"

#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/philox_blocks.hpp"

namespace hmmlt {

namespace {
constexpr std::uint32_t chain_bits = 24;
constexpr std::uint32_t block_bits = 8;
static_assert(chain_bits + block_bits == 32, "block and chain fill the last counter word without overlap");
}  // namespace

PhiloxCounter first_counter(const StreamAddress& address) {
    check_below("Stream", "chain", address.chain, std::uint64_t{1} << chain_bits);
    check_below("Stream", "block", address.block, std::uint64_t{1} << block_bits);
    return {0, address.item, address.sweep, address.block << chain_bits | address.chain};
}

Stream::Stream(const StreamAddress& address) : key_(key_of_seed(address.seed)), counter_(first_counter(address)) {}

void Stream::refill() {
    check_left(1);
    counter_[0] = static_cast<std::uint32_t>(n_blocks_++);
    const PhiloxCounter bits = philox_4x32_10(counter_, key_);
    // Handed out from the back: words (0, 1) first, then (2, 3).
    buffer_ = {std::uint64_t{bits[3]} << 32 | bits[2], std::uint64_t{bits[1]} << 32 | bits[0]};
    n_buffered_ = 2;
}

void Stream::check_left(std::uint64_t n_blocks) const {
    if (n_blocks > capacity / 2 - n_blocks_)
        throw std::length_error("Stream: all 2^33 numbers of this stream have been drawn");
}

void Stream::fill(std::span<result_type> out) {
    for (; n_buffered_ > 0 && !out.empty(); out = out.subspan(1)) out.front() = (*this)();
    const std::size_t n_blocks = out.size() / 2;
    check_left(n_blocks + out.size() % 2);
    counter_[0] = static_cast<std::uint32_t>(n_blocks_);
    philox_blocks(counter_, key_, out.first(2 * n_blocks));
    n_blocks_ += n_blocks;
    if (out.size() % 2 == 1) out.back() = (*this)();
}

void Stream::discard(std::uint64_t n) {
    for (; n > 0 && n_buffered_ > 0; --n) --n_buffered_;
    n_blocks_ = n / 2 > capacity / 2 - n_blocks_ ? capacity / 2 : n_blocks_ + n / 2;
    if (n % 2 == 1) (*this)();
}

}  // namespace hmmlt
