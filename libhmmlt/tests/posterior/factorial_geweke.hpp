// The joint-distribution test (posterior/geweke.hpp) of the factorial model's sweep, which has a state of its own.
#pragma once

#include <string>

#include "hmmlt/model/factorial_model.hpp"
#include "posterior/geweke.hpp"

namespace hmmlt::testing {

struct FactorialDesign {
    std::string name;
    FactorialModel model;
};

// Two chains seen through two channels, with known and with learned weights; ragged, with missing cells.
std::vector<FactorialDesign> factorial_designs();

std::vector<std::string> factorial_functionals();

std::vector<GewekeScore> factorial_geweke(const FactorialDesign& design, const GewekeOptions& options);

}  // namespace hmmlt::testing
