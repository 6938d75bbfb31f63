#include "hmmlt/similarity/lambda.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

using Weighted = std::pair<double, double>;  // (distance, weight)

// Sorts by distance and merges what lies at the same distance: Hamming distances take few values.
template <typename Merge>
void collect(std::vector<Weighted>& values, const Merge& merge) {
    std::sort(values.begin(), values.end());
    std::size_t last = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i].first == values[last].first)
            values[last].second = merge(values[last].second, values[i].second);
        else
            values[++last] = values[i];
    }
    if (!values.empty()) values.resize(last + 1);
}

double distance_travelled(const arma::mat& distance, const arma::mat& n) {
    return arma::accu(distance % n.head_rows(distance.n_rows));
}

double draw_from(const std::function<LogDensity(double)>& density, double lambda, Stream& rng) {
    return draw_log_concave(density, {.lower = 0.0}, lambda, rng);
}

}  // namespace

LambdaGivenFailedJumps::LambdaGivenFailedJumps(const ExponentialPrior& prior, const arma::mat& distance,
                                               const arma::mat& n, const arma::mat& q)
    : rate(prior.rate + distance_travelled(distance, n)) {
    for (arma::uword cell = 0; cell < q.n_elem; ++cell)
        if (q(cell) > 0.0) failures.emplace_back(distance(cell), q(cell));
    collect(failures, std::plus<>());
    for (const auto& [delta, count] : failures) n_failures += count;
}

LogDensity LambdaGivenFailedJumps::operator()(double lambda) const {
    LogDensity density{-rate * lambda, -rate};
    for (const auto& [delta, count] : failures) {
        density.value += count * log1m_exp(-lambda * delta);
        density.slope += count * delta / std::expm1(lambda * delta);
    }
    return density;
}

LambdaGivenRates::LambdaGivenRates(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                                   const arma::mat& log_pi)
    : rate(prior.rate + distance_travelled(distance, n)) {
    const arma::vec departures = count_departures(n);
    const arma::mat scaled = scale_rows(log_pi);
    for (arma::uword from = 0; from < distance.n_rows; ++from) {
        if (departures(from) == 0.0) continue;
        Row row{departures(from), {}};
        for (arma::uword to = 0; to < distance.n_cols; ++to)
            if (scaled(from, to) > minus_infinity) row.log_rates.emplace_back(distance(from, to), scaled(from, to));
        collect(row.log_rates, log_add_exp);
        rows.push_back(std::move(row));
    }
}

LogDensity LambdaGivenRates::operator()(double lambda) const {
    LogDensity density{-rate * lambda, -rate};
    for (const Row& row : rows) {
        double largest = minus_infinity;
        for (const auto& [delta, log_rate] : row.log_rates) largest = std::max(largest, log_rate - lambda * delta);
        double total = 0.0;
        double weighted = 0.0;
        for (const auto& [delta, log_rate] : row.log_rates) {
            const double term = std::exp(log_rate - lambda * delta - largest);
            total += term;
            weighted += delta * term;
        }
        density.value -= row.departures * (largest + std::log(total));
        density.slope += row.departures * weighted / total;
    }
    return density;
}

double sample_lambda_given_failed_jumps(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                                        const arma::mat& q, double lambda, Stream& rng) {
    const LambdaGivenFailedJumps density(prior, distance, n, q);
    return density.n_failures > most_failed_jumps_for_lambda ? lambda : draw_from(density, lambda, rng);
}

double sample_lambda(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                     const arma::mat& log_pi, double lambda, Stream& rng) {
    return draw_from(LambdaGivenRates(prior, distance, n, log_pi), lambda, rng);
}

}  // namespace hmmlt
