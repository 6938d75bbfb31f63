// Streams: right numbers, disjoint addresses, no dependence on threads, Boost's engine contract.
#include "hmmlt/random/stream.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/uniform.hpp"
#include "statistics.hpp"

using namespace hmmlt;

static_assert(std::uniform_random_bit_generator<Stream>);

TEST_CASE("stream: the numbers are Philox blocks in order, low words first") {
    Stream rng({.seed = 0x299f31d0a4093822, .chain = 5, .sweep = 7, .block = 3, .item = 9});
    for (std::uint32_t block = 0; block < 3; ++block) {
        const PhiloxCounter bits = philox_4x32_10({block, 9, 7, 3u << 24 | 5u}, {0xa4093822, 0x299f31d0});
        CHECK(rng() == (std::uint64_t{bits[1]} << 32 | bits[0]));
        CHECK(rng() == (std::uint64_t{bits[3]} << 32 | bits[2]));
    }
}

TEST_CASE("stream: extreme and neighbouring addresses have distinct counters") {
    std::set<PhiloxCounter> counters;
    std::size_t n = 0;
    for (const std::uint32_t chain : {0u, 1u, 255u, 256u, (1u << 24) - 1})
        for (const std::uint32_t block : {0u, 1u, 2u, 128u, 255u})
            for (const std::uint32_t sweep : {0u, 1u, 0x1000000u, 0xffffffffu})
                for (const std::uint32_t item : {0u, 1u, 0x1000000u, 0xffffffffu}) {
                    counters.insert(first_counter({.chain = chain, .sweep = sweep, .block = block, .item = item}));
                    ++n;
                }
    CHECK(counters.size() == n);
    // the first word counts the blocks of one stream, and no address touches it
    for (const PhiloxCounter& counter : counters) CHECK(counter[0] == 0);
}

TEST_CASE("stream: every bit of the address, seed included, reaches the numbers") {
    const StreamAddress base{.seed = 1, .chain = 2, .sweep = 3, .block = 4, .item = 5};
    std::set<std::uint64_t> first{Stream(base)()};
    std::size_t n = 1;
    const auto add = [&](const StreamAddress& address) {
        first.insert(Stream(address)());
        ++n;
    };
    for (int bit = 0; bit < 64; ++bit) {
        StreamAddress changed = base;
        changed.seed ^= std::uint64_t{1} << bit;
        add(changed);
    }
    for (int bit = 0; bit < 32; ++bit) {
        StreamAddress changed = base;
        changed.sweep ^= 1u << bit;
        add(changed);
        changed = base;
        changed.item ^= 1u << bit;
        add(changed);
        if (bit < 24) {
            changed = base;
            changed.chain ^= 1u << bit;
            add(changed);
        }
        if (bit < 8) {
            changed = base;
            changed.block ^= 1u << bit;
            add(changed);
        }
    }
    CHECK(first.size() == n);
}

TEST_CASE("stream: an address out of range is refused by name") {
    CHECK_THROWS_WITH_AS(Stream({.chain = 1u << 24}), "Stream: chain must be below 16777216, found 16777216",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(Stream({.block = 256}), "Stream: block must be below 256, found 256", std::domain_error);
}

TEST_CASE("stream: discarding is drawing, and a stream that is used up says so instead of repeating itself") {
    for (const std::uint64_t n : {0u, 1u, 2u, 5u, 8u}) {
        Stream drawn({.seed = 9});
        Stream discarded({.seed = 9});
        drawn();
        discarded();
        for (std::uint64_t i = 0; i < n; ++i) drawn();
        discarded.discard(n);
        CHECK(drawn() == discarded());
    }
    Stream rng({.seed = 9});
    rng.discard(Stream::capacity - 2);
    const PhiloxCounter last = philox_4x32_10({0xffffffff, 0, 0, 0}, key_of_seed(9));
    CHECK(rng() == (std::uint64_t{last[1]} << 32 | last[0]));
    CHECK(rng() == (std::uint64_t{last[3]} << 32 | last[2]));
    CHECK_THROWS_AS(rng(), std::length_error);
    CHECK_THROWS_AS(rng(), std::length_error);
}

static_assert(!std::is_copy_constructible_v<Stream> && std::is_move_constructible_v<Stream>);

TEST_CASE("stream: bits are fair and uncorrelated between neighbouring streams") {
    constexpr int n = 100000;
    double ones = 0.0;
    double agreeing = 0.0;
    for (std::uint32_t item = 0; item < n; ++item) {
        const std::uint64_t here = Stream({.seed = 42, .item = item})();
        const std::uint64_t next = Stream({.seed = 42, .sweep = 1, .item = item})();
        ones += std::popcount(here);
        agreeing += std::popcount(~(here ^ next));
    }
    const double trials = 64.0 * n;
    const auto p_value = [&](double count) { return std::erfc(std::abs(count - trials / 2) / std::sqrt(trials / 2)); };
    CHECK(p_value(ones) > testing::level);
    CHECK(p_value(agreeing) > testing::level);
}

TEST_CASE("stream: Boost distributions run on it") {
    Stream rng({.seed = 3});
    boost::random::uniform_01<double> uniform;
    boost::random::normal_distribution<double> normal;
    const auto uniforms = testing::sample(100000, [&] { return uniform(rng); });
    const auto normals = testing::sample(100000, [&] { return normal(rng); });
    CHECK(testing::kolmogorov_smirnov(uniforms, [](double x) { return x; }) > testing::level);
    CHECK(testing::kolmogorov_smirnov(normals, testing::normal_cdf) > testing::level);
}

TEST_CASE("stream: the same draws with one thread and with two") {
    constexpr std::uint32_t n_items = 2000;
    const auto run = [](std::uint32_t n_threads) {
        std::vector<double> draws(n_items);
        std::vector<std::jthread> threads;
        for (std::uint32_t thread = 0; thread < n_threads; ++thread)
            threads.emplace_back([&draws, thread, n_threads] {
                for (std::uint32_t item = thread; item < n_items; item += n_threads) {
                    Stream rng({.seed = 8, .chain = 1, .sweep = 100, .block = 2, .item = item});
                    for (int i = 0; i < 10; ++i) draws[item] += draw_gamma(0.3, 2.0, rng);
                }
            });
        threads.clear();  // joins
        return draws;
    };
    const std::vector<double> alone = run(1);
    CHECK(alone == run(2));
    CHECK(alone == run(7));
    CHECK(std::set<double>(alone.begin(), alone.end()).size() == n_items);
}

TEST_CASE("uniform: open interval, right law") {
    Stream rng({.seed = 4});
    const auto draws = testing::sample(500000, [&] { return draw_uniform(rng); });
    CHECK(testing::kolmogorov_smirnov(draws, [](double x) { return x; }) > testing::level);
    for (const double u : draws) REQUIRE((u > 0.0 && u < 1.0));
}

TEST_CASE("stream: many numbers at once are the numbers drawn one by one") {
    for (const std::size_t n : {0UL, 1UL, 2UL, 3UL, 15UL, 16UL, 17UL, 64UL, 65UL, 769UL})
        for (const std::size_t before : {0UL, 1UL, 2UL}) {
            CAPTURE(n);
            CAPTURE(before);
            Stream one({.seed = 0x123456789abcdefULL, .chain = 3, .sweep = 4, .block = 5, .item = 6});
            Stream many({.seed = 0x123456789abcdefULL, .chain = 3, .sweep = 4, .block = 5, .item = 6});
            for (std::size_t i = 0; i < before; ++i) CHECK(one() == many());
            std::vector<std::uint64_t> found(n);
            many.fill(found);
            for (const std::uint64_t number : found) CHECK(number == one());
            for (int i = 0; i < 3; ++i) CHECK(many() == one());
        }
}

TEST_CASE("stream: many numbers at once end where the stream does") {
    Stream rng({.seed = 1});
    rng.discard(Stream::capacity - 4);
    std::vector<std::uint64_t> found(5);
    CHECK_THROWS_AS(rng.fill(found), std::length_error);
    rng.fill(std::span(found).first(4));
    CHECK_THROWS_AS(rng(), std::length_error);
}
