// The joint-distribution test (posterior/geweke.hpp) of the factorial model's sweep, which has a state of its own.
#pragma once

#include <functional>
#include <string>

#include "hmmlt/sampler/factorial_sweep.hpp"
#include "posterior/geweke.hpp"

namespace hmmlt::testing {

using FactorialSweep = std::function<void(const FactorialModel& model, const Observations& observations,
                                          FactorialState& state, const SweepAddress& address)>;

struct FactorialDesign {
    std::string name;
    FactorialModel model;
    FactorialSweep sweep;
};

// Two chains seen through two channels, with known and with learned weights, and three of them in joint blocks; chain
// by chain and jointly, in both precisions; ragged, with missing cells.
const std::vector<FactorialDesign>& factorial_designs();

// The sweep of `blocked` with bits drawn by something else.
FactorialSweep factorial_sweep_with(BitsDraw draw_bits);

std::vector<std::string> factorial_functionals();

std::vector<GewekeScore> factorial_geweke(const FactorialDesign& design, const GewekeOptions& options);

}  // namespace hmmlt::testing
