// exp and log without branches or tables, so that the compiler turns a loop over them into vector instructions. Each
// step is one rounding, fused multiply-adds are spelled out, and so every build gives the same bits.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace hmmlt {

namespace vector_math {

// log 2 in two parts, the first with all its bits.
inline constexpr double log_2_high = 0x1.62e42fefa39efp-1;
inline constexpr double log_2_low = 0x1.abc9e3b39803fp-56;
// Added to a number below 2^51 it leaves the nearest integer in the low bits.
inline constexpr double round_to_integer = 0x1.8p52;
inline constexpr double smallest_exponent = -708.0;
inline constexpr double largest_exponent = 709.0;

// Horner's rule, highest power first.
inline double polynomial(double, double constant) {
    return constant;
}
template <typename... Rest>
inline double polynomial(double x, double highest, double next, Rest... rest) {
    return polynomial(x, __builtin_fma(highest, x, next), rest...);
}

// x = n log 2 + r, |r| <= log(2) / 2, for x inside the range of exponents (and its end elsewhere).
struct Reduced {
    double r;
    double two_to_n;
};
inline Reduced reduce(double x) {
    const double at_least = x < smallest_exponent ? smallest_exponent : x;
    const double inside = at_least > largest_exponent ? largest_exponent : at_least;
    const double shifted = __builtin_fma(inside, 1.0 / log_2_high, round_to_integer);
    const double n = shifted - round_to_integer;
    return {__builtin_fma(-n, log_2_low, __builtin_fma(-n, log_2_high, inside)),
            std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52)};
}

// (e^r - 1) / r by its series to r^12: the next term is below 1e-16 of the sum.
inline double exp_minus_1_over(double r) {
    return polynomial(r, 1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                      1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0);
}

}  // namespace vector_math

// e^x to 0.7 ulp; 0 below -708 (where it would soon be no normal number), e^709 above 709.
inline double vector_exp(double x) {
    const auto [r, two_to_n] = vector_math::reduce(x);
    const double value = __builtin_fma(vector_math::exp_minus_1_over(r), r, 1.0) * two_to_n;
    return x < vector_math::smallest_exponent ? 0.0 : value;
}

// e^x - 1, with all digits near 0.
inline double vector_expm1(double x) {
    const auto [r, two_to_n] = vector_math::reduce(x);
    return __builtin_fma(two_to_n, vector_math::exp_minus_1_over(r) * r, two_to_n - 1.0);
}

// log x to 0.7 ulp for x from 2.3e-308 (smaller ones count as 0) to the largest double; -infinity at 0. +infinity and
// NaN give some number: whoever may have them must look first.
inline double vector_log(double x) {
    using namespace vector_math;
    // x = 2^k z, sqrt(1/2) <= z < sqrt(2)
    constexpr std::uint64_t bits_of_sqrt_half = 0x3fe6a09e667f3bcd;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t k_plus_1024 = (bits - bits_of_sqrt_half + (std::uint64_t{1024} << 52)) >> 52;
    const double k = std::bit_cast<double>(k_plus_1024 | std::uint64_t{0x433} << 52) - (0x1p52 + 1024.0);
    const double f = std::bit_cast<double>(bits - ((k_plus_1024 - 1024) << 52)) - 1.0;
    // log(1 + f) = 2 atanh(s) with s = f / (2 + f), |s| < 0.172: the series to s^23; written so that f leads
    const double s = f / (2.0 + f);
    const double w = s * s;
    const double series = w * polynomial(w, 2.0 / 23.0, 2.0 / 21.0, 2.0 / 19.0, 2.0 / 17.0, 2.0 / 15.0, 2.0 / 13.0,
                                         2.0 / 11.0, 2.0 / 9.0, 2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0);
    const double half = 0.5 * f;
    const double low = __builtin_fma(s, __builtin_fma(half, f, series), k * log_2_low);
    const double value = __builtin_fma(k, log_2_high, f - __builtin_fma(half, f, -low));
    return x < std::numeric_limits<double>::min() ? -std::numeric_limits<double>::infinity() : value;
}

// log(1 + x), x > -1, with all digits near 0: what 1 + x loses to rounding is put back.
inline double vector_log1p(double x) {
    const double y = 1.0 + x;
    return vector_log(y) + (x - (y - 1.0)) / y;
}

// Each element in place.
void exp_all(std::span<double> values);

}  // namespace hmmlt
