#include "hmmlt/math/vector_math.hpp"

namespace hmmlt {

void exp_all(std::span<double> values) {
    for (double& value : values) value = vector_exp(value);
}

}  // namespace hmmlt
