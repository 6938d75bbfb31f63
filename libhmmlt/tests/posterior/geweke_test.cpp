// Every design under the joint-distribution test, short: `make validate` runs the long version with three seeds.
// Level: each score at 1e-9 (tests/statistics.hpp), so the whole of `make test` stays below 1e-6.
#include "posterior/geweke.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "posterior/designs.hpp"
#include "posterior/factorial_geweke.hpp"
#include "statistics.hpp"

using namespace hmmlt;

TEST_CASE("geweke: the sweep and the generative process agree on every design") {
    for (const testing::GewekeDesign& design : testing::all_designs()) {
        for (const testing::GewekeScore& score : testing::geweke(design, {.n_sweeps = 20000, .seed = 1})) {
            CAPTURE(design.name);
            CAPTURE(score.functional);
            CAPTURE(score.z);
            CHECK(testing::p_value_of(score.z) > testing::level);
        }
    }
}

TEST_CASE("geweke: the sweep of the factorial model agrees with its generative process") {
    for (const testing::FactorialDesign& design : testing::factorial_designs())
        for (const testing::GewekeScore& score : testing::factorial_geweke(design, {.n_sweeps = 40000, .seed = 1})) {
            CAPTURE(design.name);
            CAPTURE(score.functional);
            CAPTURE(score.z);
            CHECK(testing::p_value_of(score.z) > testing::level);
        }
}

TEST_CASE("geweke: every possible pair of levels occurs in the design") {
    const auto levels = [](const testing::DesignRow& row) {
        return std::vector<int>{static_cast<int>(row.similarity),
                                static_cast<int>(row.emission),
                                row.sticky,
                                row.blocked,
                                row.ragged,
                                row.in_double,
                                static_cast<int>(row.dynamics)};
    };
    const std::vector<int> n_levels{3, 3, 2, 2, 2, 2, 4};
    for (std::size_t a = 0; a < n_levels.size(); ++a)
        for (std::size_t b = a + 1; b < n_levels.size(); ++b) {
            std::set<std::pair<int, int>> seen;
            for (const testing::DesignRow& row : testing::design_rows()) seen.emplace(levels(row)[a], levels(row)[b]);
            // the Gaussian similarity has no bits, which the linear-Gaussian emission needs
            int impossible = a == 0 && b == 1 ? 1 : 0;
            // neither of the semi-Markov models is sticky, neither has the sampler that keeps Q
            if ((a == 2 || a == 3) && b == 6) impossible = 2;
            CAPTURE(a);
            CAPTURE(b);
            CHECK(static_cast<int>(seen.size()) == n_levels[a] * n_levels[b] - impossible);
        }
}
