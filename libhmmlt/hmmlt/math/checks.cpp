// One sentence per broken precondition.
#include "hmmlt/math/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace hmmlt {

namespace {

template <typename Found>
[[noreturn]] void fail(std::string_view function, std::string_view argument, std::string_view expected, Found found) {
    throw std::domain_error(fmt::format("{}: {} must be {}, found {}", function, argument, expected, found));
}

}  // namespace

void check_positive_finite(std::string_view function, std::string_view argument, double value) {
    if (!(value > 0.0) || std::isinf(value)) fail(function, argument, "positive and finite", value);
}

void check_positive_finite(std::string_view function, std::string_view argument, std::span<const double> values) {
    bool good = true;  // of all at once, in vector registers; which one is not is asked only then
    for (const double value : values)
        good &= static_cast<int>(value > 0.0) & static_cast<int>(value <= std::numeric_limits<double>::max());
    if (good) return;
    for (const double value : values) check_positive_finite(function, argument, value);
}

void check_nonnegative_finite(std::string_view function, std::string_view argument, double value) {
    if (!(value >= 0.0) || std::isinf(value)) fail(function, argument, "non-negative and finite", value);
}

void check_finite(std::string_view function, std::string_view argument, double value) {
    if (!std::isfinite(value)) fail(function, argument, "finite", value);
}

void check_probability(std::string_view function, std::string_view argument, double value) {
    if (!(value >= 0.0 && value <= 1.0)) fail(function, argument, "in [0, 1]", value);
}

void check_below(std::string_view function, std::string_view argument, std::uint64_t value, std::uint64_t bound) {
    if (value >= bound) fail(function, argument, fmt::format("below {}", bound), value);
}

void check_size(std::string_view function, std::string_view argument, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) fail(function, argument, fmt::format("of size {}", expected), found);
}

void check_not_empty(std::string_view function, std::string_view argument, std::uint64_t size) {
    if (size == 0) fail(function, argument, "non-empty", "nothing");
}

}  // namespace hmmlt
