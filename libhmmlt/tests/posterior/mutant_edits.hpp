// What is done to a sweep to make a mutant of it, and to a design to make it more sensitive to one.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "posterior/geweke.hpp"
#include "posterior/mutant_blocks.hpp"

namespace hmmlt::testing {

using Change = std::function<void(Sweep&)>;

Change replace(std::string_view name, BlockFunction block);
// The additional blocks draw from streams that the library does not use.
Change insert_after(std::string_view name, std::vector<BlockFunction> blocks);
Change move_before(std::string_view name, std::string_view before);
Change both(Change first, Change second);
void fill_missing(Sweep& sweep);  // zeros for missing cells, in every block that reads the data

// A sharpened design is still a right model with its right data: the right sweep must pass on it.
using Sharpen = std::function<void(GewekeDesign&)>;

void precise_data(GewekeDesign& design);               // h far from 1
void one_long_sequence(GewekeDesign& design);          // more jumps
void many_jumps_between_states(GewekeDesign& design);  // the same, and fixed concentrations
void jumps_through_noise(GewekeDesign& design);        // between many states, of which the data say little
void clear_directions(GewekeDesign& design);           // of bits, and more jumps
void clear_directions_of_stays(GewekeDesign& design);  // the same, sticky
void starts_only(GewekeDesign& design);                // nothing but the start row speaks about c
void many_clear_steps(GewekeDesign& design);           // of states that differ, and stay
void four_steps(GewekeDesign& design);                 // of a chain that is not sticky, c fixed: gamma moves fast
void fixed_concentrations(GewekeDesign& design);       // few unknowns, so that locations and lambda move fast

}  // namespace hmmlt::testing
