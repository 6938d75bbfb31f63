// e^x as a float, without branches or tables, so that the compiler turns a loop over it into vector instructions. The
// argument is a double: as a float, -80 would be known to 4e-6 only, and so would its exponential.
#pragma once

#include <bit>
#include <cstdint>

namespace hmmlt {

// e^x to 1 ulp of a float; 0 below -87.7, and with FlushDenormals wherever it would be no normal float; e^88 above 88;
// NaN stays NaN.
inline float vector_exp_float(double x) {
    constexpr double log_2 = 0x1.62e42fefa39efp-1;
    constexpr double round_to_integer = 0x1.8p52;  // added to a number below 2^51 it leaves the integer in the low bits
    constexpr double smallest = -88.0;             // here n is -127, and 2^n has the bits of 0
    constexpr double largest = 88.0;
    const double at_least = x < smallest ? smallest : x;
    const double inside = at_least > largest ? largest : at_least;
    // x = n log 2 + r, |r| <= log(2) / 2; the series of e^r to r^7 is good to 1e-8
    const double shifted = __builtin_fma(inside, 1.0 / log_2, round_to_integer);
    const auto r = static_cast<float>(__builtin_fma(-(shifted - round_to_integer), log_2, inside));
    float series = __builtin_fmaf(1.0f / 5040.0f, r, 1.0f / 720.0f);
    series = __builtin_fmaf(series, r, 1.0f / 120.0f);
    series = __builtin_fmaf(series, r, 1.0f / 24.0f);
    series = __builtin_fmaf(series, r, 1.0f / 6.0f);
    series = __builtin_fmaf(series, r, 0.5f);
    series = __builtin_fmaf(series, r, 1.0f);
    series = __builtin_fmaf(series, r, 1.0f);
    const auto n = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(shifted));
    return series * std::bit_cast<float>((n + 127) << 23);
}

}  // namespace hmmlt
