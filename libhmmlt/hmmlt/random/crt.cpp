// docs/model.md (26)-(28): after a table has been opened, the next customer to open one is found by inverting
//     P(nobody among customers i .. k-1 opens a table) = Gamma(k) Gamma(a+i) / (Gamma(i) Gamma(a+k)).
#include "hmmlt/random/crt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/gamma_ratio.hpp"
#include "hmmlt/random/uniform.hpp"

namespace hmmlt {

namespace {

// The first customer k in [first, n) with R(k + 1) - R(first) > gap, R(k) = log_gamma_ratio(k, a), or n if there is
// none. R(k) is close to a log(k + (a - 1) / 2), which gives a guess that is rarely off by more than one; from it the
// search gallops outwards, then bisects. Above 2^53 neighbours coincide, and the bisection ends where the midpoint
// does.
double next_opener(double first, double n, double a, double gap) {
    const double start = log_gamma_ratio(first, a);
    const auto opened_before = [&](double k) { return log_gamma_ratio(k, a) - start > gap; };
    if (!opened_before(n)) return n;
    const double shift = 0.5 * (a - 1.0);
    const double guess = std::clamp(std::floor((first + shift) * std::exp(gap / a) - shift), first, n);
    double none_before = first;  // nobody among first .. none_before - 1
    double some_before = n;      // somebody among first .. some_before - 1
    double step = std::max(1.0, guess * 0x1p-52);
    if (opened_before(guess)) {
        some_before = guess;
        while (some_before - step > first && opened_before(some_before - step)) {
            some_before -= step;
            step *= 2.0;
        }
        none_before = std::max(some_before - step, first);
    } else {
        none_before = guess;
        while (none_before + step < n && !opened_before(none_before + step)) {
            none_before += step;
            step *= 2.0;
        }
        some_before = std::min(none_before + step, n);
    }
    for (;;) {
        const double middle = std::floor(none_before + (some_before - none_before) / 2.0);
        if (!(middle > none_before && middle < some_before)) return none_before;
        (opened_before(middle) ? some_before : none_before) = middle;
    }
}

}  // namespace

std::uint64_t draw_crt(double n, double a, Stream& rng) {
    check_nonnegative_finite("draw_crt", "n", n);
    check_nonnegative_finite("draw_crt", "a", a);
    if (n != std::floor(n)) throw std::domain_error(fmt::format("draw_crt: n must be a whole number, found {}", n));
    if (n == 0.0) return 0;
    std::uint64_t tables = 1;
    if (a == 0.0) return tables;
    // Customers below this are asked one by one: while k < a every second one opens a table, so that this is O(tables).
    const double walk_until = std::max(50.0, a);
    double customer = 1.0;
    while (customer < n) {
        const double u = draw_uniform(rng);
        double survival = 1.0;  // P(no table opened since the last one, up to `customer`)
        while (customer < n && customer < walk_until) {
            survival *= customer / (customer + a);
            if (survival < u) break;
            customer += 1.0;
        }
        if (survival >= u) {
            if (customer >= n) return tables;
            customer = next_opener(customer, n, a, std::log(survival / u));
            if (customer >= n) return tables;
        }
        ++tables;
        customer += 1.0;
    }
    return tables;
}

}  // namespace hmmlt
