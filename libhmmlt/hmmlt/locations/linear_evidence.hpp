// What the data say about the bits of a state under the linear-Gaussian emission: sufficient statistics per state and
// channel, docs/model.md (44), (48), (49). An emission that does not depend on the bits gives an empty one.
#pragma once

#include <armadillo>

namespace hmmlt {

struct LinearEvidence {
    arma::mat n_observed;  // n_channels x n_states: N_ji, observed cells of channel i while in state j
    arma::mat sum_y;       // n_channels x n_states: their sum
    arma::mat weights;     // (n_dims + 1) x n_channels, row 0 the bias
    arma::vec h;           // n_channels, noise precisions

    bool empty() const { return h.is_empty(); }
};

}  // namespace hmmlt
