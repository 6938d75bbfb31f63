// What the first sweeps of a chain say about the later ones, which may cost far more or less than those at the start.
#pragma once

#include <cstddef>
#include <vector>

namespace hmmlt {

// The seconds of the sweeps from the start of a chain on, in their order.
class SweepTimes {
  public:
    void add(double seconds);

    // Of those after the start: the later half. Where the start state has segments or states that the chain gives up
    // soon, its sweeps cost many times as much as all that follow.
    std::size_t n_later() const { return (count() + 1) / 2; }
    double later() const;  // mean, since those that were held up count too; at least one sweep is needed

    // The two halves of the later ones cost the same, but for a tenth: they go neither down nor up any more.
    bool has_settled() const;
    // Nothing is gained by another one: they have settled and are many or were long, or it has taken a minute.
    bool is_enough() const;

    // Of so many sweeps from the start of the chain, of which these are the first.
    double total(std::size_t n_sweeps) const;
    std::size_t count() const { return until_.size() - 1; }

  private:
    double between(std::size_t first, std::size_t last) const;  // of the sweeps from first to before last

    std::vector<double> until_{0.0};  // sums: short sweeps are many, and are asked about after each
};

}  // namespace hmmlt
