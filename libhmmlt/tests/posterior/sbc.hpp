// Simulation-based calibration (Talts et al. 2018). Parameters and data are drawn from the model; among draws from the
// posterior given those data, the rank of the true value of any functional is uniform exactly if the posterior is
// right. Unlike the Geweke test, the chain here works as a user's does: from a fresh start, with the data held fixed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posterior/geweke.hpp"

namespace hmmlt::testing {

struct SbcModel {
    std::string name;
    Model model;
    Sequences sequences;
    Sweep sweep;
    std::uint32_t burn_in;  // sweeps before the first draw; step sizes adapt in them
    std::uint32_t thin;     // sweeps per draw, so that draws are nearly independent
};

// LT-binary and LT-Euclidean, each with both samplers; LT-binary in a beam; both with durations; the Indian buffet, the
// factorial limit and learnt weights, alone and with one another's dynamics.
const std::vector<SbcModel>& sbc_models();

// Functionals that do not depend on the labels of states.
std::vector<Functional> sbc_functionals(const Model& model);

// Draws per simulation; ranks are 0..n_draws, a power of two of them.
inline constexpr std::uint32_t n_sbc_draws = 127;

struct SbcSimulation {
    std::vector<std::uint32_t> ranks;     // of the true value among the draws, per functional; ties broken at random
    std::vector<double> autocorrelation;  // of successive draws
};
// Simulation number `simulation` of a model: depends on nothing but its arguments.
SbcSimulation simulate(const SbcModel& model, std::uint64_t seed, std::uint32_t simulation);

// Simultaneous band for the empirical distribution function of uniform ranks (Saeilynoja et al. 2022). At each rank i
// the number of ranks <= i is binomial; a sample's p-value is the smallest of its two-sided pointwise p-values.
class EcdfBand {
  public:
    EcdfBand(std::uint32_t n_simulations, std::uint32_t n_draws);
    double smallest_pointwise_p(const std::vector<std::uint32_t>& ranks) const;
    // The bound below which smallest_pointwise_p falls with probability `false_alarms` for uniform ranks, from
    // n_trials samples of uniform ranks. n_draws + 1 must be a power of two; false_alarms * n_trials at least 20.
    double bound(double false_alarms, std::uint32_t n_trials, std::uint64_t seed) const;

  private:
    double smallest_p(const std::vector<std::uint32_t>& counts) const;  // counts of each rank

    std::uint32_t n_simulations_;
    std::uint32_t n_draws_;
    std::vector<double> p_;  // (i, count): two-sided p-value of that many ranks <= i
};

// P-value of the chi-square test of uniform ranks, neighbouring ranks pooled.
double chi_square_of_ranks(const std::vector<std::uint32_t>& ranks, std::uint32_t n_draws);

}  // namespace hmmlt::testing
