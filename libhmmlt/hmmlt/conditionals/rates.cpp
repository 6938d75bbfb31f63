#include "hmmlt/conditionals/rates.hpp"

#include <cmath>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/gamma.hpp"

namespace hmmlt {

namespace {

// log Gamma(shape, 1); a shape that underflows is an exact zero.                                  docs/model.md (75)
double draw_log_rate(double shape, Stream& rng) {
    return shape < smallest_gamma_shape ? minus_infinity : draw_log_gamma(shape, rng);
}

}  // namespace

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
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream row = rng.item(from);
        const double log_rate = log1p_exp(log_u(from));
        for (arma::uword to = 0; to < n_states; ++to) {
            const double failed = from < n_states ? q(from, to) : 0.0;
            log_pi(from, to) = draw_log_rate(a(from, to) + n(from, to) + failed, row) - log_rate;
        }
    }
}

void sample_rates(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                  arma::mat& log_pi, const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    log_pi.set_size(n_states + 1, n_states);
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream row = rng.item(from);
        for (arma::uword to = 0; to < n_states; ++to) {
            const double log_similarity = from < n_states ? log_phi(from, to) : 0.0;
            const double log_rate = log1p_exp(log_u(from) + log_similarity);
            log_pi(from, to) = draw_log_rate(a(from, to) + n(from, to), row) - log_rate;
        }
    }
}

}  // namespace hmmlt
