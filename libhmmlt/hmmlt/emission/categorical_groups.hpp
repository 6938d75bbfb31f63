// Steps that share the probabilities of their symbols, integrated out. The contract is that of groups.hpp.
#pragma once

#include <armadillo>
#include <span>
#include <vector>

#include "hmmlt/emission/categorical.hpp"

namespace hmmlt {

// How often each symbol was seen. Most symbols of a large vocabulary were not: those that were are listed.
struct CategoricalGroup {
    arma::vec count;  // n_symbols
    std::vector<arma::uword> seen;
    double n = 0.0;
};

class CategoricalGroups {
  public:
    using Group = CategoricalGroup;

    CategoricalGroups(const CategoricalSpec& spec, const Observations& observations);

    Group nothing() const;
    void add(arma::uword t, Group& group) const;
    Group joined(const Group& a, const Group& b) const;
    double log_marginal_likelihood(const Group& group) const;  // docs/model.md (132)
    double log_gain(const Group& a, const Group& b, double log_apart) const;
    void log_predictive(const Group& group, std::span<const arma::uword> steps, std::span<double> log_density) const;

  private:
    const CategoricalSpec& spec_;
    const Observations& observations_;
    arma::vec log_concentration_;
    double total_;  // of the concentration
};

CategoricalGroups groups_of(const CategoricalSpec& spec, const Observations& observations);

}  // namespace hmmlt
