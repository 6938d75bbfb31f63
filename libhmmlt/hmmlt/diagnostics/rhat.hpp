// R-hat: do chains agree on where they are and how far they spread? Definitions of Vehtari, Gelman, Simpson, Carpenter
// and Buerkner (2021), with the conventions of ArviZ.
#pragma once

#include <armadillo>

namespace hmmlt {

// Rank-normalised split R-hat: the larger one of the draws' and of the folded draws' (draws x chains). NaN for fewer
// than 4 draws or 2 chains, for draws that are all equal, and if a draw is not finite. Infinite if every half chain
// stands still, not all at the same value (rounding lets ArviZ report a huge number there).
double rhat(const arma::mat& draws);

}  // namespace hmmlt
