// A lane holds a 32-bit word in the low half of 64 bits, because that is what the multiplication of two 32-bit words to
// 64 bits takes and gives; what is left in the upper half is never looked at. Compilers do not find this by themselves.
#include "hmmlt/random/philox_blocks.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <cstring>

namespace hmmlt {

namespace {

#if defined(__AVX512F__)
using Lanes = std::uint64_t __attribute__((vector_size(64)));
Lanes multiply_low_words(Lanes a, Lanes b) {
    // the form without a mask makes g++ 12 warn of a variable of its own
    return reinterpret_cast<Lanes>(
        _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
#elif defined(__AVX2__)
using Lanes = std::uint64_t __attribute__((vector_size(32)));
Lanes multiply_low_words(Lanes a, Lanes b) {
    return reinterpret_cast<Lanes>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
#elif defined(__SSE2__)
using Lanes = std::uint64_t __attribute__((vector_size(16)));
Lanes multiply_low_words(Lanes a, Lanes b) {
    return reinterpret_cast<Lanes>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
#else
using Lanes = std::uint64_t __attribute__((vector_size(16)));
Lanes multiply_low_words(Lanes a, Lanes b) {
    return (a & 0xffffffff) * (b & 0xffffffff);
}
#endif

constexpr std::size_t n_lanes = sizeof(Lanes) / sizeof(std::uint64_t);
constexpr std::size_t n_vectors = 4;  // enough to hide the latency of a multiplication
constexpr std::size_t n_counters = n_lanes * n_vectors;

Lanes in_every_lane(std::uint64_t value) {
    return Lanes{} + value;
}

// Two numbers for each of n_counters counters.
void fill(PhiloxCounter counter, PhiloxKey key, std::uint64_t* out) {
    Lanes word[4][n_vectors];
    for (std::size_t v = 0; v < n_vectors; ++v) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            word[0][v][lane] = static_cast<std::uint32_t>(counter[0] + v * n_lanes + lane);
        for (std::size_t i = 1; i < 4; ++i) word[i][v] = in_every_lane(counter[i]);
    }
    for (int round = 0; round < 10; ++round) {
        for (std::size_t v = 0; v < n_vectors; ++v) {
            const Lanes product_0 = multiply_low_words(word[0][v], in_every_lane(philox_multiplier_0));
            const Lanes product_1 = multiply_low_words(word[2][v], in_every_lane(philox_multiplier_1));
            word[0][v] = (product_1 >> 32) ^ word[1][v] ^ in_every_lane(key[0]);
            word[2][v] = (product_0 >> 32) ^ word[3][v] ^ in_every_lane(key[1]);
            word[1][v] = product_1;
            word[3][v] = product_0;
        }
        key[0] += philox_weyl_0;
        key[1] += philox_weyl_1;
    }
    const Lanes low = in_every_lane(0xffffffff);
    for (std::size_t v = 0; v < n_vectors; ++v) {
        const Lanes first = word[1][v] << 32 | (word[0][v] & low);
        const Lanes second = word[3][v] << 32 | (word[2][v] & low);
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            *out++ = first[lane];
            *out++ = second[lane];
        }
    }
}

}  // namespace

void philox_blocks(PhiloxCounter counter, PhiloxKey key, std::span<std::uint64_t> out) {
    constexpr std::size_t stride = 2 * n_counters;
    std::size_t done = 0;
    for (; done + stride <= out.size(); done += stride) {
        fill(counter, key, out.data() + done);
        counter[0] += n_counters;
    }
    if (done == out.size()) return;
    std::uint64_t rest[stride];
    fill(counter, key, rest);
    std::memcpy(out.data() + done, rest, (out.size() - done) * sizeof(std::uint64_t));
}

}  // namespace hmmlt
