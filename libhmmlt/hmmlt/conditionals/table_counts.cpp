#include "hmmlt/conditionals/table_counts.hpp"

#include <cmath>

#include "hmmlt/math/log_space.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/binomial.hpp"
#include "hmmlt/random/crt.hpp"
#include "hmmlt/random/poisson.hpp"

namespace hmmlt {

void sample_table_counts_given_failed_jumps(const arma::mat& a, const arma::mat& n, const arma::mat& q, arma::mat& m,
                                            const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    m.zeros(n_states + 1, n_states);
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream row = rng.item(from);
        for (arma::uword to = 0; to < n_states; ++to) {
            const double customers = n(from, to) + (from < n_states ? q(from, to) : 0.0);
            if (customers > 0.0) m(from, to) = static_cast<double>(draw_crt(customers, a(from, to), row));
        }
    }
}

double excess_log_rate(double log_u, double log_phi) {
    // log1p(u (1 - phi) / (1 + u phi))
    const double log_ratio = log_u + log1m_exp(log_phi) - log1p_exp(log_u + log_phi);
    return log1p_exp(log_ratio);
}

void sample_table_counts(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                         arma::mat& m, const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    m.zeros(n_states + 1, n_states);
    for (arma::uword from = 0; from <= n_states; ++from) {
        Stream row = rng.item(from);
        const bool departed = from < n_states && log_u(from) > minus_infinity;
        for (arma::uword to = 0; to < n_states; ++to) {
            if (n(from, to) > 0.0) m(from, to) = static_cast<double>(draw_crt(n(from, to), a(from, to), row));
            if (departed)
                m(from, to) += draw_poisson(a(from, to) * excess_log_rate(log_u(from), log_phi(from, to)), row);
        }
    }
}

double sticky_share(double log_beta, double rho) {
    return rho / (rho + (1.0 - rho) * std::exp(log_beta));
}

arma::vec sample_sticky_tables(const arma::mat& m, const arma::vec& log_beta, double rho, const BlockStreams& rng) {
    const arma::uword n_states = m.n_cols;
    arma::vec w(n_states, arma::fill::zeros);
    if (rho == 0.0) return w;
    for (arma::uword state = 0; state < n_states; ++state) {
        if (m(state, state) == 0.0) continue;
        Stream rng_of_state = rng.item(state);
        const auto tables = static_cast<std::uint64_t>(m(state, state));
        w(state) = static_cast<double>(draw_binomial(tables, sticky_share(log_beta(state), rho), rng_of_state));
    }
    return w;
}

arma::vec base_tables(const arma::mat& m, const arma::vec& w) {
    return arma::sum(m, 0).t() - w;
}

double sample_top_tables(const arma::vec& base, double gamma, const BlockStreams& rng) {
    double r = 0.0;
    const double share = gamma / static_cast<double>(base.n_elem);
    for (arma::uword state = 0; state < base.n_elem; ++state) {
        if (base(state) == 0.0) continue;
        Stream rng_of_state = rng.item(state);
        r += static_cast<double>(draw_crt(base(state), share, rng_of_state));
    }
    return r;
}

double sample_log_eta(const arma::vec& base, double gamma, Stream& rng) {
    const double total = arma::accu(base);
    return total == 0.0 ? 0.0 : draw_log_beta(gamma, total, rng).log_x;
}

}  // namespace hmmlt
