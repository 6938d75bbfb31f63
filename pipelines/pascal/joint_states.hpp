// Who speaks at a step, all speakers together, as one number: the state z of the truth.
#pragma once

#include <armadillo>
#include <map>
#include <vector>

namespace hmmlt::pascal {

// Distinct columns are numbered from 0 in the order in which they appear, over all calls of number().
class JointStates {
  public:
    arma::uvec number(const arma::umat& on);  // n_dims x n_steps -> n_steps
    arma::umat columns() const;               // n_dims x count so far

  private:
    std::map<std::vector<arma::uword>, arma::uword> number_of_;
};

}  // namespace hmmlt::pascal
