// The referees' own test: known and possible bugs, each of which a named referee must find. A referee that lets a
// mutant live is too weak; one that kills a control (the same replacement code without the bug) is wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hmmlt/sampler/factorial_sweep.hpp"
#include "posterior/geweke.hpp"

namespace hmmlt::testing {

struct Mutant {
    std::string name;
    std::string bug;      // one line
    std::string referee;  // "geweke", "finite differences" or "enumeration"

    // Geweke: the design of all_designs() that it is tried on, the bug put into its sweep, and what makes the design
    // more sensitive (data, priors): it stays a right model.
    std::size_t design = 0;
    std::function<void(Sweep&)> change = {};
    std::function<void(GewekeDesign&)> sharpen = {};
    std::uint32_t effort = 1;  // times as many sweeps, for bugs that hide

    // Geweke of the factorial HMM: the factorial design that it is tried on, its bits drawn by this.
    std::size_t factorial_design = 0;
    BitsDraw draw_bits = {};

    // The other referees are exact: the largest relative error of the mutant, and the error that they allow.
    std::function<double()> error = {};
    double tolerance = 0.0;
};

const std::vector<Mutant>& mutants();

// Right code in the same clothes: replacements that the mutants share, without a bug, and the right sweep on every
// sharpened design. None may be killed.
const std::vector<Mutant>& controls();

// A mutant is killed by the Geweke test if P(largest |z| of all functionals) is below this under a right sampler
// (Bonferroni).
inline constexpr double killing_level = 1e-6;

struct Verdict {
    std::string model;       // what it was tried on
    double statistic = 0.0;  // the largest |z| (infinite if the sweep threw), or the error
    double bound = 0.0;      // killed above it
    bool killed = false;
};
Verdict judge(const Mutant& mutant, const GewekeOptions& options);

// The |z| whose two-sided p-value is `level / n_scores`.
double bound_of_z(double level, std::size_t n_scores);

}  // namespace hmmlt::testing
