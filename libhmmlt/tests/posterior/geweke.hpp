// The joint-distribution test of Geweke (JASA 2004) for a whole sweep. Draws from the prior (parameters, states, data)
// are compared with a chain that alternates the sweep under test with fresh data given its state: both have the same
// law exactly if every block leaves its conditional invariant and the order of the blocks is legal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hmmlt/sampler/sweep.hpp"
#include "posterior/batch_means.hpp"

namespace hmmlt::testing {

struct Functional {
    std::string name;
    std::function<double(const State&, const Observations&)> value;
};

// Functionals that make sense for the model: concentrations, weights, transitions, locations, emission, data.
std::vector<Functional> functionals_of(const Model& model);

struct GewekeDesign {
    std::string name;
    Model model;
    Sequences sequences;
    std::vector<arma::uword> missing_cells;  // linear indices into y, or steps of symbol
    Sweep sweep;
};

struct GewekeOptions {
    std::uint32_t n_sweeps = 100000;
    std::uint64_t seed = 1;
};

// Throws if the sweep fails.
std::vector<GewekeScore> geweke(const GewekeDesign& design, const GewekeOptions& options);

}  // namespace hmmlt::testing
