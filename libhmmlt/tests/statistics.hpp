// Goodness-of-fit tests for draws, with a stated false-alarm rate. `make test` and `make test-all` have fewer than 1000
// statistical assertions; each is made at level 1e-9, so that all of them together raise a false alarm with probability
// below 1e-6. Seeds are fixed, so a test that passes today passes tomorrow.
#pragma once

#include <functional>
#include <vector>

namespace hmmlt::testing {

inline constexpr double level = 1e-9;

// P-value of the Kolmogorov-Smirnov test of a continuous law with distribution function cdf, which must not fall.
double kolmogorov_smirnov(std::vector<double> sample, const std::function<double(double)>& cdf);

// P-value of a distance between the distribution functions of a law and of n independent draws.
double kolmogorov_p_value(std::size_t n_draws, double distance);

// P-value of the chi-square test of counts against expected counts; neighbouring cells are pooled until each expects at
// least 50. The expected counts must add up to the same total (1e-6 relative), which catches a wrong pmf.
double chi_square(const std::vector<double>& observed, const std::vector<double>& expected);

// The same for integer-valued draws with the given pmf on 0, 1, ..., n_cells - 1; the last cell takes all the rest.
double chi_square_of_counts(const std::vector<double>& sample, const std::function<double(double)>& pmf,
                            std::size_t n_cells);

// P-value of a two-sided test that the mean of the sample is `mean`, given the exact standard deviation of one draw.
double z_test(const std::vector<double>& sample, double mean, double sd);

// n draws of `draw`.
std::vector<double> sample(std::size_t n, const std::function<double()>& draw);

double normal_cdf(double z);

// P(CRT(n, a) = k), k = 0 .. n, by seating one customer after the other: docs/model.md (26).
std::vector<double> crt_pmf(int n, double a);

}  // namespace hmmlt::testing
