// What draws together say about new data without naming states: densities of steps and probabilities of bits, for data
// that are there as a whole and for data that arrive one by one.
#pragma once

#include <armadillo>
#include <vector>

#include "hmmlt/emission/emission.hpp"
#include "hmmlt/model/state.hpp"
#include "hmmlt/sampler/filtered_data.hpp"

namespace hmmlt {

// What draws say about every step, together; of bits, where states have them.
struct PooledSteps {
    arma::vec log_density;  // n_steps: log p(y_t | y_1 .. y_t-1, data)                            docs/model.md (96)
    arma::mat filtered;     // n_dims x n_steps: sum_g P(bit is on | y_1 .. y_t, draw g); empty without bits
    arma::mat smoothed;     // the same given all of the sequence
    arma::uword n_draws = 0;
};
// Bits that have no names (emission.hpp) are another feature's in another draw, and are not pooled.
enum class Bits { named, unnamed };
void add_draw(PooledSteps& pooled, const State& draw, const FilteredData& data, const Sequences& sequences,
              Bits bits = Bits::named);
void add_pooled(PooledSteps& pooled, const PooledSteps& more, const Sequences& sequences);

// The same for data that arrive one by one: O(n_draws n_states^2) a step, and nothing grows with time.
class OnlineFilter {
  public:
    // At least one, all of Markov chains: with durations, what must be remembered of the past has no bound.
    explicit OnlineFilter(const std::vector<State>& draws);

    // The next step begins a sequence.
    void restart();

    // log p(y_t | y_1 .. y_t-1, data); `step` holds a single step.                                 docs/model.md (96)
    // Throws std::runtime_error if a draw gives it no probability at all; the filter is then as it was.
    double step(const Observations& step);

    // After a step: P(bit is on | y_1 .. y_t), averaged over draws, n_dims or empty; and P(z_t = j) of one draw.
    arma::vec bits() const;
    arma::vec states(arma::uword draw) const;

  private:
    struct Draw {
        TransitionMatrix transition;
        EmissionState emission;  // with the bits put in, where it depends on them
        arma::mat theta;         // n_dims x n_states
        arma::vec log_f;         // empty before the first step
    };
    std::vector<Draw> draws_;
    arma::vec log_weight_;  // w_g, normalised
};

}  // namespace hmmlt
