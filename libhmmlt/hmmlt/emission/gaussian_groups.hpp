// Steps that share a mean and a precision per channel, both integrated out. The contract is that of groups.hpp.
#pragma once

#include <armadillo>
#include <span>
#include <vector>

#include "hmmlt/emission/gaussian.hpp"

namespace hmmlt {

// Of each channel: N, the observed cells, their mean (0 where N = 0), and the sum of squares about it.
struct GaussianGroup {
    arma::vec n;
    arma::vec mean;
    arma::vec s;
};

class GaussianGroups {
  public:
    using Group = GaussianGroup;

    GaussianGroups(const GaussianSpec& spec, const Observations& observations);

    Group nothing() const;
    void add(arma::uword t, Group& group) const;
    Group joined(const Group& a, const Group& b) const;
    double log_marginal_likelihood(const Group& group) const;  // docs/model.md (131)
    double log_gain(const Group& a, const Group& b, double log_apart) const;
    void log_predictive(const Group& group, std::span<const arma::uword> steps, std::span<double> log_density) const;

  private:
    NormalGammaLaw law(const Group& group, arma::uword channel) const;

    const GaussianSpec& spec_;
    const Observations& observations_;
    // what (131) has of N alone, for N = 0 .. n_steps + 1, once for all channels of equal a and k
    std::vector<std::vector<double>> constants_;
    std::vector<std::size_t> constants_of_;  // channel
};

GaussianGroups groups_of(const GaussianSpec& spec, const Observations& observations);

}  // namespace hmmlt
