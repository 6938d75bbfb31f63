#include "hmmlt/dynamics/precision.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace hmmlt {

Precision precision_named(std::string_view name) {
    if (name == "float") return Precision::float32;
    if (name == "double") return Precision::float64;
    throw std::domain_error(fmt::format("precision must be float or double, found {}", name));
}

}  // namespace hmmlt
