// Our exp, log, sine and cosine against the library's in long double.
#include "hmmlt/math/vector_math.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "hmmlt/math/vector_sine_cosine.hpp"

using namespace hmmlt;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ulps(double found, long double expected) {
    const double nearest = static_cast<double>(expected);
    const double ulp = std::nextafter(std::fabs(nearest), infinity) - std::fabs(nearest);
    return static_cast<double>(std::fabs(found - expected) / static_cast<long double>(ulp));
}

}  // namespace

TEST_CASE("vector math: exp is right to one unit in the last place") {
    double worst = 0.0;
    for (int i = 0; i < 300000; ++i) {
        const double x = -708.0 + 1417.0 * i / 300000.0;
        worst = std::max(worst, ulps(vector_exp(x), std::exp(static_cast<long double>(x))));
    }
    for (const double x : {0.0, 1e-300, -1e-17, 1e-8, -0.34657, 0.34658})
        worst = std::max(worst, ulps(vector_exp(x), std::exp(static_cast<long double>(x))));
    CHECK(worst < 1.0);
    CHECK(vector_exp(0.0) == 1.0);
    CHECK(vector_exp(-708.1) == 0.0);
    CHECK(vector_exp(-infinity) == 0.0);
    CHECK(std::isnan(vector_exp(std::nan(""))));
}

TEST_CASE("vector math: log is right to one unit in the last place") {
    double worst = 0.0;
    for (int i = 0; i < 300000; ++i) {
        const double x = std::exp(-708.0 + 1417.0 * i / 300000.0);
        worst = std::max(worst, ulps(vector_log(x), std::log(static_cast<long double>(x))));
    }
    for (int i = 1; i < 300000; ++i) {
        const double x = 2.0 * i / 300000.0;
        if (x != 1.0) worst = std::max(worst, ulps(vector_log(x), std::log(static_cast<long double>(x))));
    }
    for (const double x : {std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0), 0x1p-53, std::sqrt(0.5), std::sqrt(2.0),
                           std::numeric_limits<double>::max(), std::numeric_limits<double>::min()})
        worst = std::max(worst, ulps(vector_log(x), std::log(static_cast<long double>(x))));
    CHECK(worst < 1.0);
    CHECK(vector_log(1.0) == 0.0);
    CHECK(vector_log(0.0) == -infinity);
}

TEST_CASE("vector math: sine and cosine of a turn are right to 3e-16") {
    double worst = 0.0;
    for (int i = 0; i < 300000; ++i) {
        const double turn = i / 300000.0;
        const auto [sine, cosine] = vector_sine_cosine(turn);
        const long double x = 2.0L * std::numbers::pi_v<long double> * static_cast<long double>(turn);
        worst = std::max({worst, static_cast<double>(std::fabs(sine - std::sin(x))),
                          static_cast<double>(std::fabs(cosine - std::cos(x)))});
    }
    CHECK(worst < 3e-16);
}

TEST_CASE("vector math: a loop gives the same bits as one number at a time") {
    std::vector<double> x;
    for (int i = 0; i < 1003; ++i) x.push_back(-800.0 + 1.6 * i);
    std::vector<double> all = x;
    exp_all(all);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(all[i] == vector_exp(x[i]));
    for (double& value : x) value = std::exp(0.9 * value);
    for (std::size_t i = 0; i < x.size(); ++i) all[i] = vector_log(x[i]);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(all[i] == vector_log(x[i]));
}
