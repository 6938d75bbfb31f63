// Sine and cosine without branches or tables, like exp and log in vector_math.hpp: what normal draws in pairs need.
#pragma once

#include <bit>
#include <cstdint>

#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

// sin and cos of 2 pi turn, 0 <= turn < 1.
struct SineCosine {
    double sine;
    double cosine;
};
inline SineCosine vector_sine_cosine(double turn) {
    using namespace vector_math;
    // turn = quarter / 4 + rest, |rest| <= 1/8
    const double shifted = __builtin_fma(turn, 4.0, round_to_integer);
    const double rest = __builtin_fma(shifted - round_to_integer, -0.25, turn);
    const auto quarter = std::bit_cast<std::uint64_t>(shifted);
    const double x = 6.283185307179586 * rest;  // |x| <= pi / 4: both series end below 1e-16
    const double w = x * x;
    const double sine = x * polynomial(w, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
                                       -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0);
    const double cosine = polynomial(w, 1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0,
                                     -1.0 / 3628800.0, 1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0);
    const bool swapped = (quarter & 1) != 0;
    const double first = swapped ? cosine : sine;
    const double second = swapped ? sine : cosine;
    // quarters 2 and 3 turn the sign of the sine, 1 and 2 that of the cosine
    const std::uint64_t sine_sign = (quarter & 2) << 62;
    const std::uint64_t cosine_sign = ((quarter + 1) & 2) << 62;
    return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(first) ^ sine_sign),
            std::bit_cast<double>(std::bit_cast<std::uint64_t>(second) ^ cosine_sign)};
}

}  // namespace hmmlt
