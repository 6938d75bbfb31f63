// Tiny models of every kind, at random values of all their variables: where the referee of the conditionals looks.
#pragma once

#include <vector>

#include "hmmlt/random/stream.hpp"
#include "posterior/augmented_joint.hpp"

namespace hmmlt::testing {

// Sticky and not, with every similarity and emission, one sequence and ragged ones (one of them without steps), missing
// cells and steps, one state only, a phi that is not symmetric, and the chains of a factorial model. Auxiliary
// variables are any values that are possible: ratios of a density are tested, not draws.
std::vector<AugmentedPoint> augmented_points(std::uint64_t seed);

}  // namespace hmmlt::testing
