// The models under test: rows in which every possible pair of (similarity, emission, sticky, sampler, data, precision,
// dynamics) occurs, and further ones for parts that go with few others.
#pragma once

#include <vector>

#include "posterior/geweke.hpp"

namespace hmmlt::testing {

struct DesignRow {
    enum class Kind { constant, laplacian, gaussian } similarity;
    enum class Emits { linear_gaussian, categorical, gaussian } emission;
    bool sticky;
    bool blocked;
    bool ragged;     // several sequences, one of a single step, with missing cells and a missing step
    bool in_double;  // precision of the filter
    enum class Follows { markov, beam, poisson, negative_binomial } dynamics = Follows::markov;
};

const std::vector<DesignRow>& design_rows();

GewekeDesign make_design(const DesignRow& row);

// The designs of all rows, in their order, then the further ones: the Indian buffet, the factorial limit, a learnt
// precision of W, Gaussian states that split and merge.
const std::vector<GewekeDesign>& all_designs();

}  // namespace hmmlt::testing
