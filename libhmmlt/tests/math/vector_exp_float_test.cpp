#include "hmmlt/math/vector_exp_float.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hmmlt/math/flush_denormals.hpp"

using namespace hmmlt;

TEST_CASE("vector_exp_float: within 1 ulp wherever the result is a normal float") {
    double worst = 0.0;
    for (double x = -87.336; x < 88.0; x += 3.1e-4) {
        const double exact = std::exp(x);
        const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
        worst = std::max(worst, std::abs(static_cast<double>(vector_exp_float(x)) - exact) / ulp);
    }
    CHECK(worst < 1.0);
    CHECK(vector_exp_float(0.0) == 1.0f);
}

TEST_CASE("vector_exp_float: zero below, NaN through") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double x : {-88.0, -1e3, -1e300, -infinity}) CHECK(vector_exp_float(x) == 0.0f);
    CHECK(std::isnan(vector_exp_float(std::numeric_limits<double>::quiet_NaN())));
    CHECK(std::isfinite(vector_exp_float(infinity)));
}

TEST_CASE("flush_denormals: results below the normal numbers are zero, and only while it lives") {
    volatile float small = std::numeric_limits<float>::min();
    volatile float half = 0.5f;
    CHECK(small * half > 0.0f);
#if defined(__SSE2__)
    {
        const FlushDenormals guard;
        const float product = small * half;
        CHECK(product == 0.0f);
        CHECK(vector_exp_float(-87.4) == 0.0f);
    }
#endif
    CHECK(small * half > 0.0f);
    const auto fails = [] {
        const FlushDenormals guard;
        throw 1;
    };
    CHECK_THROWS(fails());
    CHECK(small * half > 0.0f);
}
