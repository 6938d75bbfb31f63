#include "hmmlt/similarity/lambda.hpp"

#include <algorithm>
#include <cmath>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/sum_in_lanes.hpp"

namespace hmmlt {

namespace {

// Hamming distances are small whole numbers, and cells at the same distance are collected: one more than the largest,
// or 0 for other distances, which are hardly ever the same.
arma::uword n_whole_distances(const arma::mat& distance) {
    constexpr double most = 1024.0;
    bool whole = true;
    double largest = 0.0;
    for (const double delta : distance) {
        whole &= delta == std::floor(delta);
        largest = delta > largest ? delta : largest;
    }
    return whole && largest < most ? static_cast<arma::uword>(largest) + 1 : 0;
}

double distance_travelled(const arma::mat& distance, const arma::mat& n) {
    double sum = 0.0;
    for (arma::uword to = 0; to < distance.n_cols; ++to) {
        const double* const delta = distance.colptr(to);
        const double* const jumps = n.colptr(to);
        sum += sum_in_lanes(distance.n_rows, [=](std::size_t from) { return delta[from] * jumps[from]; });
    }
    return sum;
}

// q at one distance. A jump to the state itself has no distance to fail for: where such jumps fail, it is for another
// reason than lambda.
bool failed_for_distance(const arma::mat& q, arma::uword cell) {
    return q[cell] > 0.0 && cell % (q.n_rows + 1) != 0;
}

double draw_from(const std::function<LogDensity(double)>& density, double lambda, Stream& rng) {
    return draw_log_concave(density, {.lower = 0.0}, lambda, rng);
}

}  // namespace

LambdaGivenFailedJumps::LambdaGivenFailedJumps(const ExponentialPrior& prior, const arma::mat& distance,
                                               const arma::mat& n, const arma::mat& q)
    : rate(prior.rate + distance_travelled(distance, n)) {
    if (const arma::uword n_distances = n_whole_distances(distance); n_distances > 0) {
        std::vector<double> sums(n_distances, 0.0);
        for (arma::uword cell = 0; cell < q.n_elem; ++cell)
            if (failed_for_distance(q, cell)) sums[static_cast<std::size_t>(distance[cell])] += q[cell];
        for (arma::uword delta = 0; delta < n_distances; ++delta)
            if (sums[delta] > 0.0) failures.emplace_back(static_cast<double>(delta), sums[delta]);
    } else {
        for (arma::uword cell = 0; cell < q.n_elem; ++cell)
            if (failed_for_distance(q, cell)) failures.emplace_back(distance[cell], q[cell]);
    }
    for (const auto& [delta, count] : failures) n_failures += count;
}

LogDensity LambdaGivenFailedJumps::operator()(double lambda) const {
    LogDensity density{-rate * lambda, -rate};
    for (const auto& [delta, count] : failures) {
        density.value += count * log1m_exp(-lambda * delta);
        density.slope += count * delta / vector_expm1(lambda * delta);
    }
    return density;
}

LambdaGivenRates::LambdaGivenRates(const ExponentialPrior& prior, const arma::mat& distance, const arma::mat& n,
                                   const arma::mat& log_pi)
    : rate(prior.rate + distance_travelled(distance, n)) {
    const arma::vec departures = count_departures(n);
    const arma::mat scaled = scale_rows(log_pi);
    if (const arma::uword n_distances = n_whole_distances(distance); n_distances > 0) {
        collect_by_distance(departures, distance, scaled, n_distances);
        return;
    }
    for (arma::uword from = 0; from < distance.n_rows; ++from) {
        if (departures(from) == 0.0) continue;
        Row row{departures(from), {}, {}};
        for (arma::uword to = 0; to < distance.n_cols; ++to)
            if (scaled(from, to) > minus_infinity) row.add(distance(from, to), scaled(from, to));
        rows.push_back(std::move(row));
    }
}

void LambdaGivenRates::collect_by_distance(const arma::vec& departures, const arma::mat& distance,
                                           const arma::mat& log_pi, arma::uword n_distances) {
    std::vector<arma::uword> departed;
    for (arma::uword from = 0; from < distance.n_rows; ++from)
        if (departures[from] > 0.0) departed.push_back(from);
    // column after column, as they lie in memory
    const auto for_each_cell = [&](const auto& visit) {
        for (arma::uword to = 0; to < distance.n_cols; ++to)
            for (std::size_t i = 0; i < departed.size(); ++i)
                if (const double log_rate = log_pi.at(departed[i], to); log_rate > minus_infinity)
                    visit(static_cast<arma::uword>(distance.at(departed[i], to)), i, log_rate);
    };
    arma::mat largest(n_distances, departed.size());
    arma::mat sum(n_distances, departed.size(), arma::fill::zeros);
    largest.fill(minus_infinity);
    for_each_cell([&](arma::uword delta, std::size_t i, double log_rate) {
        largest.at(delta, i) = std::max(largest.at(delta, i), log_rate);
    });
    for_each_cell([&](arma::uword delta, std::size_t i, double log_rate) {
        sum.at(delta, i) += vector_exp(log_rate - largest.at(delta, i));
    });
    for (std::size_t i = 0; i < departed.size(); ++i) {
        Row row{departures[departed[i]], {}, {}};
        for (arma::uword delta = 0; delta < n_distances; ++delta)
            if (sum.at(delta, i) > 0.0)
                row.add(static_cast<double>(delta), largest.at(delta, i) + std::log(sum.at(delta, i)));
        rows.push_back(std::move(row));
    }
}

void LambdaGivenRates::Row::add(double delta, double log_rate) {
    deltas.push_back(delta);
    log_rates.push_back(log_rate);
}

LogDensity LambdaGivenRates::operator()(double lambda) const {
    LogDensity density{-rate * lambda, -rate};
    std::vector<double> term;
    for (const Row& row : rows) {
        const std::size_t n = row.deltas.size();
        term.resize(n);
        double largest = minus_infinity;
        for (std::size_t i = 0; i < n; ++i) {
            term[i] = row.log_rates[i] - lambda * row.deltas[i];
            largest = term[i] > largest ? term[i] : largest;
        }
        for (double& value : term) value = vector_exp(value - largest);
        const double total = sum_in_lanes(n, [&](std::size_t i) { return term[i]; });
        const double weighted = sum_in_lanes(n, [&](std::size_t i) { return row.deltas[i] * term[i]; });
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
