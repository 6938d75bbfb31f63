// Data as tables: the columns of docs/formats.md from the library's own values.
#pragma once

#include <armadillo>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt {

// sequence, t, and y_0 .. or symbol; missing values are null.
Table observations_table(const Observations& observations);

// sequence, t, theta_0 .. and z; theta: n_dims x n_steps. Either may be empty, and its columns are then left out.
Table truth_table(const Sequences& sequences, const arma::uvec& z, const arma::umat& theta);

// sequence, t, p_0 ..; p: (features or states) x n_steps.
Table state_mean_table(const Sequences& sequences, const arma::mat& p);

// sequence, t, log_density, filtered_0 .., smoothed_0 .., state; filtered, smoothed: (features or states) x n_steps.
Table predictions_table(const Sequences& sequences, const arma::vec& log_density, const arma::mat& filtered,
                        const arma::mat& smoothed, const arma::uvec& state);

// feature, w_0 ..; weights: (n_dims + 1) x n_channels, feature 0 the bias.
Table weights_table(const arma::mat& weights);

}  // namespace hmmlt
