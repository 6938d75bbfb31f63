// How the hidden states follow each other, and how they are drawn: the list of what a model can have. The factorial
// HMM is not in it: it has no states of this kind (factorial.hpp).
#pragma once

#include <string_view>
#include <variant>

namespace hmmlt {

// A Markov chain, drawn by the forward-backward pass over all transitions. docs/model.md, section 13
struct MarkovDynamics {
    static constexpr const char* kind = "markov";
    bool operator==(const MarkovDynamics&) const = default;
};

// The same chain; a path is drawn among the transitions that slices under the path before it leave.
// docs/model.md, section 18
struct BeamDynamics {
    static constexpr const char* kind = "beam";
    bool operator==(const BeamDynamics&) const = default;
};

using Dynamics = std::variant<MarkovDynamics, BeamDynamics>;

inline std::string_view dynamics_kind(const Dynamics& dynamics) {
    return std::visit([](const auto& part) { return std::string_view(part.kind); }, dynamics);
}

}  // namespace hmmlt
