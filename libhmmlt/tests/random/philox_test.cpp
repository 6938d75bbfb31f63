// Philox against the known-answer vectors published with Random123 (kat_vectors, philox4x32-10).
#include "hmmlt/random/philox.hpp"

#include <doctest/doctest.h>

using hmmlt::philox_4x32_10;
using hmmlt::PhiloxCounter;

TEST_CASE("philox: known-answer vectors") {
    CHECK(philox_4x32_10({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox_4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
          PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox_4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("philox: usable in constant expressions") {
    static_assert(philox_4x32_10({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5);
    CHECK(philox_4x32_10({1, 0, 0, 0}, {0, 0}) != philox_4x32_10({0, 0, 0, 0}, {0, 0}));
}
