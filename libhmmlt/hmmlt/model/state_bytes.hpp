// The state of a chain as bytes and back: equal states have equal bytes, and nothing is lost. Little-endian, without
// padding; the layout belongs to the version below, which every string of bytes begins with.
#pragma once

#include <string>
#include <string_view>

#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/model/state.hpp"

namespace hmmlt {

inline constexpr std::uint64_t state_bytes_version = 2;

std::string to_bytes(const State& state);
std::string to_bytes(const FactorialState& state);

// Throws std::runtime_error if the bytes are not a state of this kind and version, or if any are missing or left over.
void from_bytes(std::string_view bytes, State& state);
void from_bytes(std::string_view bytes, FactorialState& state);

}  // namespace hmmlt
