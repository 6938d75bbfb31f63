#include "hmmlt/conditionals/rates.hpp"

#include <cmath>
#include <span>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
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

}  // namespace hmmlt
