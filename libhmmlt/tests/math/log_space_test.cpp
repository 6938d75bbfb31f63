// Each function against the library's in long double, where every digit counts.
#include "hmmlt/math/log_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace hmmlt;

namespace {

// From 1e-300 to 700, both ends of the range where a sum or a difference loses digits.
template <typename Check>
void for_many_sizes(const Check& check) {
    for (int i = 0; i <= 6000; ++i) check(std::pow(10.0, -300.0 + 302.8 * i / 6000.0));
    for (int i = 1; i <= 4000; ++i) check(0.01 * i);
}

double error_relative_to(double found, long double expected) {
    return static_cast<double>(std::fabs((static_cast<long double>(found) - expected) / expected));
}

}  // namespace

TEST_CASE("log_space: log(1 - e^x) has all its digits near 0, near log(1/2) and far away") {
    double worst = 0.0;
    for_many_sizes([&](double size) {
        const auto x = -static_cast<long double>(size);
        const long double expected = size < 0.5 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
        worst = std::max(worst, error_relative_to(log1m_exp(-size), expected));
    });
    CHECK(worst < 1e-15);
    CHECK(log1m_exp(0.0) == minus_infinity);
    CHECK(log1m_exp(-0.0) == minus_infinity);
    CHECK(log1m_exp(minus_infinity) == 0.0);
    CHECK(std::isnan(log1m_exp(std::nan(""))));
}

TEST_CASE("log_space: log(1 + e^x) has all its digits on both sides") {
    double worst = 0.0;
    for_many_sizes([&](double size) {
        const long double tail = std::log1p(std::exp(-static_cast<long double>(size)));
        worst = std::max(worst, error_relative_to(log1p_exp(-size), tail));
        worst = std::max(worst, error_relative_to(log1p_exp(size), size + tail));
    });
    CHECK(worst < 1e-15);
    CHECK(log1p_exp(minus_infinity) == 0.0);
    CHECK(log1p_exp(-minus_infinity) == -minus_infinity);
    CHECK(std::isnan(log1p_exp(std::nan(""))));
}

TEST_CASE("log_space: sums, exact zeros among them") {
    CHECK(log_add_exp(minus_infinity, minus_infinity) == minus_infinity);
    CHECK(log_add_exp(minus_infinity, -3.0) == -3.0);
    CHECK(log_add_exp(-1e5, -1e5 - 1.0) == doctest::Approx(-1e5 + std::log1p(std::exp(-1.0))).epsilon(1e-15));
    const double terms[] = {minus_infinity, -1e5, -1e5 - 1.0, -1e6, minus_infinity};
    CHECK(log_sum_exp(5, [&](std::size_t i) { return terms[i]; }) == log_add_exp(-1e5, -1e5 - 1.0));
    CHECK(log_sum_exp(1, [&](std::size_t i) { return terms[i]; }) == minus_infinity);
    CHECK(log_sum_exp(0, [&](std::size_t i) { return terms[i]; }) == minus_infinity);
}
