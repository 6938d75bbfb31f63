// Argument checks of public entry points: they throw std::domain_error naming function, argument, what was expected
// and what was found.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hmmlt {

void check_positive_finite(std::string_view function, std::string_view argument, double value);
void check_positive_finite(std::string_view function, std::string_view argument, std::span<const double> values);
void check_nonnegative_finite(std::string_view function, std::string_view argument, double value);
void check_finite(std::string_view function, std::string_view argument, double value);
void check_probability(std::string_view function, std::string_view argument, double value);
void check_below(std::string_view function, std::string_view argument, std::uint64_t value, std::uint64_t bound);
// A size that must equal another one, e.g. the length of an output vector.
void check_size(std::string_view function, std::string_view argument, std::uint64_t found, std::uint64_t expected);
void check_not_empty(std::string_view function, std::string_view argument, std::uint64_t size);

}  // namespace hmmlt
