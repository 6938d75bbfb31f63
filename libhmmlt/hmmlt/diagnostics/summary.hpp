// All that is said about one scalar over several chains.
#pragma once

#include <armadillo>

namespace hmmlt {

struct ScalarSummary {
    double mean;
    double sd;
    double q5;
    double q95;
    double rhat;
    double ess_bulk;
    double ess_tail;
};

// draws x chains, at least one draw. NaN where a number is undefined: all of them if a draw is not finite.
ScalarSummary summarise(const arma::mat& draws);

}  // namespace hmmlt
