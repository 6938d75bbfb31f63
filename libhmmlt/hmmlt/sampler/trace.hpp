// What the trace of a chain records at every sweep: one number per name, the names fixed by the model.
#pragma once

#include <string>
#include <vector>

#include "hmmlt/model/factorial_model.hpp"
#include "hmmlt/sampler/sweep.hpp"

namespace hmmlt {

// log_joint, log_likelihood, states_used, gamma, alpha, kappa, rho, lambda, a_ibp, ...: docs/formats.md, "trace". Fixed
// hyperparameters are left out.
std::vector<std::string> trace_names(const Model& model);
std::vector<std::string> trace_names(const FactorialModel& model);

// In the order of the names; NaN where a sweep does not know a number.
std::vector<double> trace_values(const Model& model, const Observations& observations, const State& state,
                                 const SweepInfo& info);
std::vector<double> trace_values(const FactorialModel& model, const Observations& observations,
                                 const FactorialState& state, const SweepInfo& info);

// The bits at each step, n_dims x n_steps; empty where states have none. What scores and posterior means are made of.
arma::umat bits_over_time(const State& state);
arma::umat bits_over_time(const FactorialState& state);

}  // namespace hmmlt
