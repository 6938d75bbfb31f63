#include "hmmlt/conditionals/state_pairs.hpp"

#include <cmath>

#include "hmmlt/math/log_rising.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

void collect_steps(const arma::uvec& z, const Sequences& sequences, arma::uword n_states, arma::uword j, arma::uword k,
                   PairSteps& steps) {
    steps.t.clear();
    steps.before.clear();
    steps.after.clear();
    steps.n_states = n_states;
    const auto around = [&](arma::uword state) { return state == j || state == k ? PairSteps::among_steps : state; };
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const arma::uword first = sequences.first[s];
        const arma::uword last = sequences.first[s + 1];
        for (arma::uword t = first; t < last; ++t) {
            if (z[t] != j && z[t] != k) continue;
            steps.t.push_back(t);
            steps.before.push_back(t == first ? n_states : around(z[t - 1]));
            steps.after.push_back(t + 1 == last ? n_states : around(z[t + 1]));
        }
    }
}

double PairCounts::departures(arma::uword label) const {
    return arma::accu(from.col(label)) + within[label][0] + within[label][1];
}

double PairCounts::rows_into(arma::uword label) const {
    double rows = within[1 - label][label] > 0.0 ? 1.0 : 0.0;
    for (arma::uword row = 0; row < into.n_rows; ++row) rows += into.at(row, label) > 0.0 ? 1.0 : 0.0;
    return rows;
}

void count_pair(const PairSteps& steps, const Labels& labels, PairCounts& counts) {
    counts.into.zeros(steps.n_states + 1, 2);
    counts.from.zeros(steps.n_states, 2);
    for (auto& row : counts.within) row[0] = row[1] = 0.0;
    for (std::size_t i = 0; i < steps.t.size(); ++i) {
        const arma::uword label = labels[i];
        if (steps.before[i] == PairSteps::among_steps)
            counts.within[labels[i - 1]][label] += 1.0;
        else
            counts.into.at(steps.before[i], label) += 1.0;
        if (steps.after[i] < steps.n_states) counts.from.at(steps.after[i], label) += 1.0;
    }
}

PairCounts joined(const PairCounts& counts) {
    PairCounts one = counts;
    one.into.col(0) += one.into.col(1);
    one.from.col(0) += one.from.col(1);
    one.into.col(1).zeros();
    one.from.col(1).zeros();
    one.within[0][0] = counts.within[0][0] + counts.within[0][1] + counts.within[1][0] + counts.within[1][1];
    one.within[0][1] = one.within[1][0] = one.within[1][1] = 0.0;
    return one;
}

double log_density_of_transitions(const PairCounts& counts, const PairConditions& given,
                                  const std::array<double, 2>& log_beta) {
    const double log_c = std::log(given.c);
    const double log_alpha = log_c + std::log1p(-given.rho);
    const double kappa = given.rho * given.c;
    const arma::uword n_states = counts.from.n_rows;
    double sum = 0.0;
    for (arma::uword label = 0; label < 2; ++label) {
        const auto rising = [](double log_a, double n) {
            return n > 0.0 ? log_rising(std::exp(log_a), log_a, n) : 0.0;
        };
        for (arma::uword row = 0; row <= n_states; ++row)
            sum += rising((row == n_states ? log_c : log_alpha) + log_beta[label], counts.into.at(row, label));
        for (arma::uword to = 0; to < n_states; ++to)
            sum += rising(log_alpha + given.log_beta[to], counts.from.at(to, label));
        for (arma::uword to = 0; to < 2; ++to) {
            const double log_a = log_alpha + log_beta[to];
            sum += rising(to == label && kappa > 0.0 ? std::log(std::exp(log_a) + kappa) : log_a,
                          counts.within[label][to]);
        }
        sum -= log_rising(given.c, log_c, counts.departures(label));
    }
    return sum;
}

double log_density_of_weights(double g, arma::uword n_empty, const std::vector<double>& log_beta, double log_left) {
    double sum = 0.0;
    for (const double value : log_beta) sum += (g - 1.0) * value - fast_log_gamma(g);
    if (n_empty == 0) return sum;
    const double shape = static_cast<double>(n_empty) * g;
    return sum + (shape - 1.0) * log_left - fast_log_gamma(shape);
}

}  // namespace hmmlt
