// The score of a joint-distribution test: two long runs that should have the same means, compared by batch means.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hmmlt::testing {

struct GewekeScore {
    std::string functional;
    double z;  // difference of the two means in standard errors
};

// One vector of batch means per functional.
using BatchMeans = std::vector<std::vector<double>>;

// Calls next(1), next(2), ... and after each of them values(row), which fills one number per functional.
BatchMeans record_batches(std::size_t n_functionals, std::uint32_t n_draws,
                          const std::function<void(std::uint32_t)>& next,
                          const std::function<void(std::vector<double>&)>& values);

std::vector<GewekeScore> compare_batches(const std::vector<std::string>& functionals, const BatchMeans& prior,
                                         const BatchMeans& chain);

double largest(const std::vector<GewekeScore>& scores);

// P(|z| > x) for a difference with a batch-means error: Student's t, conservatively.
double p_value_of(double z);

}  // namespace hmmlt::testing
