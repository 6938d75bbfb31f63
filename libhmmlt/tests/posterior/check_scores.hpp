// What a Geweke test asks of its scores.
// Level: each score at 1e-9 (tests/statistics.hpp), so all tests together stay below 1e-6.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "posterior/geweke.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

inline void check_scores(const std::string& design, const std::vector<GewekeScore>& scores) {
    for (const GewekeScore& score : scores) {
        CAPTURE(design);
        CAPTURE(score.functional);
        CAPTURE(score.z);
        CHECK(p_value_of(score.z) > level);
    }
}

}  // namespace hmmlt::testing
