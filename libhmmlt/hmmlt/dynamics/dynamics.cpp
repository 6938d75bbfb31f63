#include "hmmlt/dynamics/dynamics.hpp"

#include <utility>

namespace hmmlt {

SemiMarkovDynamics::SemiMarkovDynamics(DurationSpec spec) : durations(std::move(spec)) {}
SemiMarkovDynamics::SemiMarkovDynamics(const SemiMarkovDynamics&) = default;
SemiMarkovDynamics::SemiMarkovDynamics(SemiMarkovDynamics&&) noexcept = default;
SemiMarkovDynamics& SemiMarkovDynamics::operator=(const SemiMarkovDynamics&) = default;
SemiMarkovDynamics& SemiMarkovDynamics::operator=(SemiMarkovDynamics&&) noexcept = default;
SemiMarkovDynamics::~SemiMarkovDynamics() = default;

}  // namespace hmmlt
