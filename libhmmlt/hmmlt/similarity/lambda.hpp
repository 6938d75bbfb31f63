// lambda: how fast similarity falls with distance. Both of its conditionals are log-concave and drawn by adaptive
// rejection; they hold for any distance.
#pragma once

#include <armadillo>
#include <utility>
#include <vector>

#include "hmmlt/math/priors.hpp"
#include "hmmlt/random/adaptive_rejection.hpp"
#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// lambda given z and Q, docs/model.md (39), (40).
struct LambdaGivenFailedJumps {
    double rate = 0.0;                                // b_lambda + sum delta n
    std::vector<std::pair<double, double>> failures;  // (delta, q at that distance), q > 0
    double n_failures = 0.0;

    // distance, q: n_states x n_states, the diagonal of q without influence; n: (n_states + 1) x n_states, the start
    // row last.
    LambdaGivenFailedJumps(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                           const arma::mat& q);
    LogDensity operator()(double lambda) const;
};

// lambda given z and pi, u and Q integrated out, docs/model.md (41), (42).
struct LambdaGivenRates {
    // One row with departures: its rates, those at the same Hamming distance together.
    struct Row {
        double departures;
        std::vector<double> deltas;
        std::vector<double> log_rates;  // log of the (sum of) scaled pi at that distance
        void add(double delta, double log_rate);
    };
    double rate = 0.0;
    std::vector<Row> rows;

    // A jump that never succeeds, whatever lambda is, has a log_pi of -infinity.
    LambdaGivenRates(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                     const arma::mat& log_pi);
    LogDensity operator()(double lambda) const;

  private:
    // The rows where distances are the whole numbers below n_distances.
    void collect_by_distance(const arma::vec& departures, const arma::mat& distance, const arma::mat& log_pi,
                             arma::uword n_distances);
};

// Near 1e14 failed jumps the digits of (39) run out: beyond this many, lambda stays as it is. This is exact, because
// whether it moves depends on Q alone.
inline constexpr double most_failed_jumps_for_lambda = 1e12;

double sample_lambda_given_failed_jumps(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                                        const arma::mat& q, double lambda, Stream& rng);
double sample_lambda(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                     const arma::mat& log_pi, double lambda, Stream& rng);

}  // namespace hmmlt
