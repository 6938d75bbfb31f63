// Some designs under the joint-distribution test, among which every part of a model occurs. `make test-all` has every
// design (all_designs_test.cpp), `make validate` the long version of each with three seeds.
#include "posterior/geweke.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "posterior/check_scores.hpp"
#include "posterior/designs.hpp"
#include "posterior/factorial_geweke.hpp"

using namespace hmmlt;

namespace {

const std::vector<std::string> some{"constant linear_gaussian plain single whole float",
                                    "constant categorical sticky blocked ragged double",
                                    "gaussian gaussian plain single ragged float",
                                    "laplacian categorical sticky single whole double beam",
                                    "bits poisson, two states",
                                    "buffet negative_binomial",
                                    "limit corners single"};

std::vector<testing::GewekeDesign> some_designs() {
    std::vector<testing::GewekeDesign> designs;
    for (const std::string& name : some) {
        const auto found = std::ranges::find(testing::all_designs(), name, &testing::GewekeDesign::name);
        REQUIRE_MESSAGE(found != testing::all_designs().end(), name);
        designs.push_back(*found);
    }
    return designs;
}

}  // namespace

TEST_CASE("geweke: the sweep and the generative process agree on some designs") {
    for (const testing::GewekeDesign& design : some_designs())
        testing::check_scores(design.name, testing::geweke(design, {.n_sweeps = 20000, .seed = 1}));
}

TEST_CASE("geweke: the sweep of the factorial model agrees with its generative process") {
    for (const std::string name : {"factorial, precision of W learned", "factorial, joint, W known, float",
                                   "factorial, joint blocks, W learned, float"}) {
        const auto design = std::ranges::find(testing::factorial_designs(), name, &testing::FactorialDesign::name);
        REQUIRE_MESSAGE(design != testing::factorial_designs().end(), name);
        testing::check_scores(name, testing::factorial_geweke(*design, {.n_sweeps = 40000, .seed = 1}));
    }
}

TEST_CASE("geweke: every part of a model occurs in some design") {
    std::set<std::size_t> similarities, locations, emissions, weights, dynamics, durations;
    for (const testing::GewekeDesign& design : some_designs()) {
        similarities.insert(design.model.similarity.index());
        locations.insert(design.model.locations.index());
        emissions.insert(design.model.emission.index());
        dynamics.insert(design.model.dynamics.index());
        if (const auto* linear = std::get_if<LinearGaussianSpec>(&design.model.emission))
            weights.insert(linear->weights.index());
        if (const auto* semi_markov = std::get_if<SemiMarkovDynamics>(&design.model.dynamics))
            durations.insert(semi_markov->durations.index());
    }
    CHECK(similarities.size() == std::variant_size_v<Similarity>);
    CHECK(locations.size() == std::variant_size_v<LocationSpec>);
    CHECK(emissions.size() == std::variant_size_v<EmissionSpec>);
    CHECK(weights.size() == std::variant_size_v<WeightSpec>);
    CHECK(dynamics.size() == std::variant_size_v<Dynamics>);
    CHECK(durations.size() == std::variant_size_v<DurationSpec>);
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
