// Long sums in vector registers: a compiler may not change the order of additions, so that it has to be given one that
// suits it.
#pragma once

#include <cstddef>

namespace hmmlt {

// The sum of term(i), i = 0 .. n - 1, in as many parts as let the compiler use vector registers. The order is fixed.
template <typename Term>
double sum_in_lanes(std::size_t n, const Term& term) {
    constexpr std::size_t n_lanes = 16;
    double lane[n_lanes] = {};
    std::size_t i = 0;
    for (; i + n_lanes <= n; i += n_lanes)
        for (std::size_t l = 0; l < n_lanes; ++l) lane[l] += term(i + l);
    double sum = 0.0;
    for (; i < n; ++i) sum += term(i);
    for (const double part : lane) sum += part;
    return sum;
}

}  // namespace hmmlt
