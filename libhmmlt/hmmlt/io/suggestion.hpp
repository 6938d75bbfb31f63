// "did you mean": the known word nearest to a misspelt one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hmmlt {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// `; did you mean x?`, or nothing if no candidate is near enough to be a slip of the finger.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hmmlt
