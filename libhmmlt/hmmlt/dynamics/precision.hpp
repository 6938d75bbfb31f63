// How many digits the filter works with. Everything else is computed in double.
#pragma once

#include <string_view>

namespace hmmlt {

enum class Precision { float32, float64 };
Precision precision_named(std::string_view name);  // float or double; throws std::domain_error naming the choices

}  // namespace hmmlt
