// The counter-based generator Philox-4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011): a keyed bijection of 128-bit
// counters. There is no state to advance or store, so a draw is a pure function of its address.
#pragma once

#include <array>
#include <cstdint>

namespace hmmlt {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

inline constexpr std::uint64_t philox_multiplier_0 = 0xD2511F53;
inline constexpr std::uint64_t philox_multiplier_1 = 0xCD9E8D57;
inline constexpr std::uint32_t philox_weyl_0 = 0x9E3779B9;  // golden ratio
inline constexpr std::uint32_t philox_weyl_1 = 0xBB67AE85;  // sqrt(3) - 1

// Ten rounds; for a fixed key, distinct counters give distinct blocks (each round is invertible).
constexpr PhiloxCounter philox_4x32_10(PhiloxCounter counter, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product_0 = philox_multiplier_0 * counter[0];
        const std::uint64_t product_1 = philox_multiplier_1 * counter[2];
        counter = {
            static_cast<std::uint32_t>(product_1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product_1),
            static_cast<std::uint32_t>(product_0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product_0)};
        key[0] += philox_weyl_0;
        key[1] += philox_weyl_1;
    }
    return counter;
}

}  // namespace hmmlt
