// Binomial counts: geometric gaps where successes are few, Boost's rejection elsewhere.
#include "hmmlt/random/binomial.hpp"

#include <boost/random/binomial_distribution.hpp>
#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

constexpr std::uint64_t largest_n = std::uint64_t{1} << 53;
constexpr double few_successes = 11.0;

// Jumps from success to success: the gaps are geometric. Boost inverts (1-p)^n here, which is wrong for tiny p.
std::uint64_t count_by_gaps(std::uint64_t n, double p, Stream& rng) {
    const double log_failure = std::log1p(-p);
    std::uint64_t successes = 0;
    double trials_left = static_cast<double>(n);
    for (;;) {
        const double failures_before = std::floor(std::log(draw_uniform(rng)) / log_failure);
        if (!(failures_before < trials_left)) return successes;
        trials_left -= failures_before + 1.0;
        ++successes;
    }
}

}  // namespace

std::uint64_t draw_binomial(std::uint64_t n, double p, Stream& rng) {
    check_probability("draw_binomial", "p", p);
    check_below("draw_binomial", "n", n, largest_n + 1);
    if (n == 0 || p == 0.0) return 0;
    if (p == 1.0) return n;
    if (p > 0.5) return n - draw_binomial(n, 1.0 - p, rng);
    if (static_cast<double>(n) * p < few_successes) return count_by_gaps(n, p, rng);
    const auto trials = static_cast<std::int64_t>(n);
    return static_cast<std::uint64_t>(boost::random::binomial_distribution<std::int64_t, double>(trials, p)(rng));
}

}  // namespace hmmlt
