// How far bits over time agree with the truth: the scores of the paper, over all cells together.
#pragma once

#include <armadillo>

namespace hmmlt {

struct Scores {
    double precision;  // of the cells called 1, the share that is; 1 if none is called 1
    double recall;     // of the cells that are 1, the share called so; 1 if there are none
    double f1;         // 2 true positives / (2 true positives + false positives + false negatives); 1 if all are 0
    double accuracy;   // 1 - Hamming distance / cells
};

// Both n_dims x n_steps, 0 or 1.
Scores score_bits(const arma::umat& truth, const arma::umat& found);

}  // namespace hmmlt
