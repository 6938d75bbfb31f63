#include "hmmlt/conditionals/table_counts.hpp"

#include <cmath>
#include <vector>

#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/binomial.hpp"
#include "hmmlt/random/crt.hpp"
#include "hmmlt/random/poisson.hpp"

namespace hmmlt {

namespace {

// Tables of the customers in one column, where there are any.
void seat(const arma::mat& a, arma::uword to, const arma::vec& customers, arma::mat& m, Stream& rng) {
    for (arma::uword from = 0; from < customers.n_elem; ++from)
        if (customers[from] > 0.0) m.at(from, to) = static_cast<double>(draw_crt(customers[from], a.at(from, to), rng));
}

}  // namespace

void sample_table_counts_given_failed_jumps(const arma::mat& a, const arma::mat& n, const arma::mat& q, arma::mat& m,
                                            const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    m.zeros(n_states + 1, n_states);
    arma::vec customers(n_states + 1);
    for (arma::uword to = 0; to < n_states; ++to) {
        customers = n.col(to);
        customers.head(n_states) += q.col(to);
        Stream column = rng.item(to);
        seat(a, to, customers, m, column);
    }
}

void sample_table_counts(const arma::mat& a, const arma::mat& n, const arma::vec& log_u, const arma::mat& log_phi,
                         arma::mat& m, const BlockStreams& rng) {
    const arma::uword n_states = a.n_cols;
    const arma::uvec departed = departed_states(log_u);
    m.zeros(n_states + 1, n_states);
    const arma::vec u = log_u.elem(departed);
    arma::vec phi(departed.n_elem);
    arma::vec means(departed.n_elem);
    std::vector<CellCount> cells;
    for (arma::uword to = 0; to < n_states; ++to) {
        Stream column = rng.item(to);
        seat(a, to, n.unsafe_col(to), m, column);
        for (arma::uword i = 0; i < departed.n_elem; ++i) {  // gathered first, so that the rest is vector code
            means[i] = a.at(departed[i], to);
            phi[i] = log_phi.at(departed[i], to);
        }
        for (arma::uword i = 0; i < departed.n_elem; ++i) means[i] *= excess_log_rate(u[i], phi[i]);
        draw_poisson_row(means, cells, column);
        for (const CellCount& cell : cells) m(departed[cell.index], to) += cell.count;
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
