// The ratio against exact products of whole steps, against itself by the recurrence, and for tiny a against digamma.
#include "hmmlt/math/gamma_ratio.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <stdexcept>

using hmmlt::log_gamma_ratio;

TEST_CASE("gamma ratio: whole a is a product of factors") {
    for (const double k : {1.0, 7.0, 49.0, 50.0, 51.0, 1e4, 1e15}) {
        CAPTURE(k);
        CHECK(log_gamma_ratio(k, 0.0) == 0.0);
        CHECK(log_gamma_ratio(k, 1.0) == doctest::Approx(std::log(k)).epsilon(1e-13));
        CHECK(log_gamma_ratio(k, 3.0) ==
              doctest::Approx(std::log(k) + std::log(k + 1.0) + std::log(k + 2.0)).epsilon(1e-13));
    }
}

TEST_CASE("gamma ratio: one step of k adds log(1 + a/k), also across the change of method") {
    for (const double k : {1.0, 30.0, 49.0, 50.0, 1e3})
        for (const double a : {1e-6, 0.1, 2.5, 1e6}) {
            CAPTURE(k);
            CAPTURE(a);
            const double step = log_gamma_ratio(k + 1.0, a) - log_gamma_ratio(k, a);
            const double scale = std::max(1.0, std::abs(log_gamma_ratio(k, a)));
            CHECK(std::abs(step - std::log1p(a / k)) < 1e-13 * scale);
        }
}

TEST_CASE("gamma ratio: tiny a gives a digamma(k), with all digits") {
    for (const double a : {1e-12, 1e-20, 1e-280})
        for (const double k : {2.0, 50.0, 1e6, 1e15}) {
            CAPTURE(a);
            CAPTURE(k);
            CHECK(log_gamma_ratio(k, a) / a == doctest::Approx(boost::math::digamma(k)).epsilon(1e-11));
        }
}

TEST_CASE("gamma ratio: agrees with lgamma where lgamma still has digits") {
    for (const double k : {1.0, 3.0, 60.0, 500.0})
        for (const double a : {0.3, 4.7, 80.0})
            CHECK(log_gamma_ratio(k, a) == doctest::Approx(std::lgamma(k + a) - std::lgamma(k)).epsilon(1e-11));
}

TEST_CASE("gamma ratio: bad arguments are named") {
    CHECK_THROWS_WITH_AS(log_gamma_ratio(0.0, 1.0), "log_gamma_ratio: k must be positive and finite, found 0",
                         std::domain_error);
    CHECK_THROWS_AS(log_gamma_ratio(1.0, -1.0), std::domain_error);
}
