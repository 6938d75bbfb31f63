// Every design under the joint-distribution test, short: `make validate` runs the long version with three seeds.
#include "posterior/check_scores.hpp"
#include "posterior/designs.hpp"
#include "posterior/factorial_geweke.hpp"

using namespace hmmlt;

TEST_CASE("geweke: the sweep and the generative process agree on every design") {
    for (const testing::GewekeDesign& design : testing::all_designs())
        testing::check_scores(design.name, testing::geweke(design, {.n_sweeps = 20000, .seed = 1}));
}

TEST_CASE("geweke: the sweep of the factorial model agrees with its generative process on every design") {
    for (const testing::FactorialDesign& design : testing::factorial_designs())
        testing::check_scores(design.name, testing::factorial_geweke(design, {.n_sweeps = 40000, .seed = 1}));
}
