#include "hmmlt/conditionals/rates.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

void rate_shapes(const arma::vec& log_beta, double c, double rho, arma::mat& a) {
    check_positive_finite("rate_shapes", "c", c);
    check_probability("rate_shapes", "rho", rho);
    const arma::uword n_states = log_beta.n_elem;
    const double log_c = std::log(c);
    a.set_size(n_states + 1, n_states);
    for (arma::uword to = 0; to < n_states; ++to) {
        const double start = std::exp(log_c + log_beta(to));
        a.col(to).fill((1.0 - rho) * start);
        a(to, to) += rho * c;
        a(n_states, to) = start;
    }
}

arma::vec shapes_of_jumps(const arma::mat& a) {
    arma::mat jumps = a;
    jumps.diag().zeros();
    return arma::sum(jumps, 1);  // not the sum of all less that on the diagonal, which would leave no digits
}

void sample_rates_given_failed_jumps(const arma::mat& a, const arma::mat& n, const arma::mat& q, const arma::vec& log_u,
                                     arma::mat& log_pi, const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    log_pi.set_size(n_states + 1, n_states);
    arma::vec log_rate = log_u;
    for (double& value : log_rate) value = log1p_exp(value);
    arma::vec shape(n_states + 1);
    for (arma::uword to = 0; to < n_states; ++to) {
        shape = a.col(to) + n.col(to);
        shape.head(n_states) += q.col(to);
        Stream column = rng.item(to);
        draw_log_gammas(shape, std::span(log_pi.colptr(to), n_states + 1), column);
        log_pi.col(to) -= log_rate;
    }
}

void sample_rates(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                  arma::mat& log_pi, const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    log_pi.set_size(n_states + 1, n_states);
    arma::vec log_rate(n_states + 1);
    arma::vec shape(n_states + 1);
    for (arma::uword to = 0; to < n_states; ++to) {
        log_rate = log_u;
        log_rate.head(n_states) += log_phi.col(to);
        for (double& value : log_rate) value = log1p_exp(value);
        shape = a.col(to) + n.col(to);
        Stream column = rng.item(to);
        draw_log_gammas(shape, std::span(log_pi.colptr(to), n_states + 1), column);
        log_pi.col(to) -= log_rate;
    }
}

void sample_only_jumps(const arma::mat& a, const arma::vec& departures, const arma::vec& log_beta, arma::mat& log_pi,
                       const BlockStreams& rng) {
    const arma::uword n_states = log_pi.n_cols;
    const arma::vec shape = shapes_of_jumps(a);
    std::vector<double> log_weight;
    for (arma::uword from = 0; from < n_states; ++from) {
        if (departures[from] > 0.0 || shape[from] >= smallest_shape_of_jumps) continue;
        log_weight.assign(log_beta.begin(), log_beta.end());
        log_weight[from] = minus_infinity;
        // beta itself below what a double can hold: all alike, as they are under its prior
        if (std::all_of(log_weight.begin(), log_weight.end(), [](double w) { return w == minus_infinity; })) {
            std::fill(log_weight.begin(), log_weight.end(), 0.0);
            log_weight[from] = minus_infinity;
        }
        for (arma::uword to = 0; to < n_states; ++to)
            if (to != from) log_pi.at(from, to) = minus_infinity;
        Stream row = rng.item(from);
        const std::size_t to = draw_categorical_log(log_weight, row);
        log_pi.at(from, to) = draw_log_gamma(smallest_shape_of_jumps, row);
    }
}

}  // namespace hmmlt
