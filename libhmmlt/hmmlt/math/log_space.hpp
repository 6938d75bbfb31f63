// Sums and complements of numbers that are known by their logarithms. Loops over them become vector code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// log(1 + e^x), without overflow and with all digits for very negative x
inline double log1p_exp(double x) {
    const double positive = x > 0.0 ? x : 0.0;
    return positive + vector_log1p(vector_exp(x > 0.0 ? -x : x));
}

// log(1 - e^x), x <= 0; -infinity at 0. Near 0 the digits are in e^x - 1, far from it in e^x.
inline double log1m_exp(double x) {
    constexpr double log_half = -0.6931471805599453;
    const bool near = x > log_half;
    const double e = vector_exp(x);
    const double y = near ? -vector_expm1(x) : 1.0 - e;
    return vector_log(y) + (near ? 0.0 : ((1.0 - y) - e) / y);
}

// log(e^x + e^y)
inline double log_add_exp(double x, double y) {
    if (x < y) return log_add_exp(y, x);
    return y == minus_infinity ? x : x + vector_log1p(vector_exp(y - x));
}

// log of the sum of e^term(i) over i = 0 .. n - 1; -infinity if there is nothing to sum
template <typename Term>
double log_sum_exp(std::size_t n, const Term& term) {
    constexpr double negligible = -60.0;  // terms this far below the largest change no digit, however many there are
    double largest = minus_infinity;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, term(i));
    if (largest == minus_infinity) return minus_infinity;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double relative = term(i) - largest;
        if (relative > negligible) sum += vector_exp(relative);
    }
    return largest + std::log(sum);
}

}  // namespace hmmlt
