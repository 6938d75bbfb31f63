// How the hidden states follow each other, and how they are drawn: the list of what a model can have. The factorial
// HMM is not in it: it has no states of this kind (factorial.hpp).
#pragma once

#include <string_view>
#include <variant>

#include "hmmlt/dynamics/durations.hpp"

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

// A state lasts for a random number of steps and then leaves for another one: phi_jj = 0. docs/model.md, section 18
struct SemiMarkovDynamics {
    static constexpr const char* kind = "semi_markov";
    DurationSpec durations = PoissonDurations{};

    explicit SemiMarkovDynamics(DurationSpec spec = PoissonDurations{});
    // Never inlined: GCC 12 would take the parts of a variant inside a variant for uninitialised.
    SemiMarkovDynamics(const SemiMarkovDynamics&);
    SemiMarkovDynamics(SemiMarkovDynamics&&) noexcept;
    SemiMarkovDynamics& operator=(const SemiMarkovDynamics&);
    SemiMarkovDynamics& operator=(SemiMarkovDynamics&&) noexcept;
    ~SemiMarkovDynamics();
    bool operator==(const SemiMarkovDynamics&) const = default;
};

using Dynamics = std::variant<MarkovDynamics, BeamDynamics, SemiMarkovDynamics>;

// The durations that the states of a model have; none but in a semi-Markov chain.
inline const DurationSpec* durations_of(const Dynamics& dynamics) {
    const auto* segments = std::get_if<SemiMarkovDynamics>(&dynamics);
    return segments == nullptr ? nullptr : &segments->durations;
}

inline std::string_view dynamics_kind(const Dynamics& dynamics) {
    return std::visit([](const auto& part) { return std::string_view(part.kind); }, dynamics);
}

}  // namespace hmmlt
