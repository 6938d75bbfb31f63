// Rows of the tables and of what they make conjugate: m, w, r, eta, gamma, c, rho, beta.
#include <algorithm>
#include <cmath>

#include "hmmlt/conditionals/base_weights.hpp"
#include "hmmlt/conditionals/concentrations.hpp"
#include "hmmlt/conditionals/table_counts.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/random/beta.hpp"
#include "hmmlt/random/binomial.hpp"
#include "hmmlt/random/crt.hpp"
#include "hmmlt/random/dirichlet.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/normal.hpp"
#include "hmmlt/random/poisson.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"
#include "statistics.hpp"

namespace hmmlt::testing {

namespace {

// The laws are the same whether Q is there or summed out: both are compared.
template <typename Value, typename Put, typename Law>
void compare_with_tables(const AugmentedPoint& point, const std::vector<Value>& values, const Put& put, const Law& law,
                         Comparison& comparison) {
    for (const FailedJumps failed_jumps : {FailedJumps::kept, FailedJumps::summed_out})
        compare(
            point, values, put, law,
            [failed_jumps](const AugmentedPoint& moved) { return log_joint_with_tables(moved, failed_jumps); },
            comparison);
}

}  // namespace

void check_table_counts_given_failed_jumps(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const ConditionalInputs in(point);
    arma::mat customers = in.n;
    customers.head_rows(point.q.n_rows) += point.q;
    arma::mat drawn;
    sample_table_counts_given_failed_jumps(in.a, in.n, point.q, drawn, row_streams);
    for (arma::uword k = 0; k < customers.n_cols; ++k) {
        Stream column = row_streams.item(k);
        for (arma::uword j = 0; j < customers.n_rows; ++j) {
            comparison.equal(drawn(j, k), static_cast<double>(draw_crt(customers(j, k), in.a(j, k), column)));
            const auto pmf = crt_pmf(static_cast<int>(customers(j, k)), in.a(j, k));
            std::vector<double> tables;
            for (std::size_t m = 0; m < std::min<std::size_t>(pmf.size(), 5); ++m)
                tables.push_back(static_cast<double>(m));
            compare(
                point, tables, [j, k](AugmentedPoint& moved, double m) { moved.m(j, k) = m; },
                [&pmf](double m) { return std::log(pmf[static_cast<std::size_t>(m)]); },
                [](const AugmentedPoint& moved) {
                    return log_joint_without_pi(moved, FailedJumps::kept) + log_law_of_tables(moved, FailedJumps::kept);
                },
                comparison);
        }
    }
}

void check_table_counts(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const ConditionalInputs in(point);
    arma::mat drawn;
    sample_table_counts(in.a, in.n, in.log_u, in.log_phi, drawn, row_streams);
    for (arma::uword k = 0; k < in.n.n_cols; ++k) {
        std::vector<double> means;
        Stream column = row_streams.item(k);
        for (arma::uword j = 0; j < in.n.n_rows; ++j) {
            const auto crt = crt_pmf(static_cast<int>(in.n(j, k)), in.a(j, k));
            const bool start_row = j == in.n.n_cols;
            const double excess = start_row ? 0.0 : excess_log_rate(in.log_u(j), in.log_phi(j, k));
            const double log_mean = std::log(in.a(j, k) * excess);
            drawn(j, k) -= static_cast<double>(draw_crt(in.n(j, k), in.a(j, k), column));
            means.push_back(in.a(j, k) * excess);
            const auto law = [&](double m) {
                double sum = 0.0;
                for (std::size_t x = 0; x < crt.size() && static_cast<double>(x) <= m; ++x)
                    sum += crt[x] * std::exp(log_poisson(m - static_cast<double>(x), log_mean));
                return std::log(sum);
            };
            compare(
                point, std::vector<double>{0.0, 1.0, 2.0, 3.0, 5.0},
                [j, k](AugmentedPoint& moved, double m) { moved.m(j, k) = m; }, law,
                [](const AugmentedPoint& moved) {
                    return log_joint_without_pi(moved, FailedJumps::summed_out) +
                           log_law_of_tables(moved, FailedJumps::summed_out);
                },
                comparison);
        }
        std::vector<CellCount> cells;
        draw_poisson_row(means, cells, column);
        for (const CellCount& cell : cells) drawn(cell.index, k) -= cell.count;
    }
    comparison.equal(arma::abs(drawn).max(), 0.0);
}

void check_sticky_tables(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const arma::vec drawn = sample_sticky_tables(point.m, point.state.log_beta, point.state.rho, row_streams);
    for (arma::uword j = 0; j < point.w.n_elem; ++j) {
        const double m = point.m(j, j);
        const double share = sticky_share(point.state.log_beta(j), point.state.rho);
        Stream row = row_streams.item(j);
        comparison.equal(drawn(j), static_cast<double>(draw_binomial(static_cast<std::uint64_t>(m), share, row)));
        if (share == 0.0) continue;
        std::vector<double> sticky;
        for (double w = 0.0; w <= m; w += 1.0) sticky.push_back(w);
        const auto law = [m, share](double w) {
            return -std::lgamma(w + 1.0) - std::lgamma(m - w + 1.0) + w * std::log(share) +
                   (m - w) * std::log1p(-share);
        };
        compare_with_tables(
            point, sticky, [j](AugmentedPoint& moved, double w) { moved.w(j) = w; }, law, comparison);
    }
}

void check_top_tables(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const arma::vec base = base_tables(point.m, point.w);
    const double share = point.state.gamma / static_cast<double>(point.model.n_states);
    double drawn = 0.0;
    for (arma::uword k = 0; k < base.n_elem; ++k) {
        Stream rng_of_state = row_streams.item(k);
        drawn += static_cast<double>(draw_crt(base(k), share, rng_of_state));
        const auto pmf = crt_pmf(static_cast<int>(base(k)), share);
        std::vector<double> tables;
        for (std::size_t r = 0; r < pmf.size(); ++r) tables.push_back(static_cast<double>(r));
        compare(
            point, tables, [k](AugmentedPoint& moved, double r) { moved.r(k) = r; },
            [&pmf](double r) { return std::log(pmf[static_cast<std::size_t>(r)]); },
            [](const AugmentedPoint& moved) { return log_joint_with_top_tables(moved, FailedJumps::kept); },
            comparison);
    }
    comparison.equal(sample_top_tables(base, point.state.gamma, row_streams), drawn);
}

void check_eta(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const arma::vec base = base_tables(point.m, point.w);
    const BetaPrior law{point.state.gamma, arma::accu(base)};
    compare_draws([&](Stream& stream) { return sample_log_eta(base, point.state.gamma, stream); },
                  [law](Stream& stream) { return draw_log_beta(law.a, law.b, stream).log_x; }, comparison);
    compare(
        point, values_between_0_and_1(rng), [](AugmentedPoint& moved, double eta) { moved.eta = eta; },
        [law](double eta) { return log_beta_density(eta, law); },
        [](const AugmentedPoint& moved) { return log_joint_with_top_tables(moved, FailedJumps::kept); }, comparison);
}

void check_gamma(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto& prior = std::get<GammaPrior>(point.model.gamma);
    const GammaPrior law = top_concentration_law(prior, arma::accu(point.r), std::log(point.eta));
    compare_draws([&](Stream& stream) { return sample_gamma(prior, arma::accu(point.r), std::log(point.eta), stream); },
                  [law](Stream& stream) { return draw_gamma(law.shape, law.rate, stream); }, comparison);
    for (const FailedJumps failed_jumps : {FailedJumps::kept, FailedJumps::summed_out})
        compare(
            point, positive_values(rng), [](AugmentedPoint& moved, double gamma) { moved.state.gamma = gamma; },
            [law](double gamma) { return log_gamma_density(gamma, law); },
            [failed_jumps](const AugmentedPoint& moved) { return log_joint_with_top_tables(moved, failed_jumps); },
            comparison);
}

void check_concentration(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto& prior = std::get<GammaPrior>(point.model.c);
    const arma::vec log_u = arma::log(point.u);
    const GammaPrior law = concentration_law(prior, point.m, log_u);
    compare_draws([&](Stream& stream) { return sample_concentration(prior, point.m, log_u, stream); },
                  [law](Stream& stream) { return draw_gamma(law.shape, law.rate, stream); }, comparison);
    compare_with_tables(
        point, positive_values(rng), [](AugmentedPoint& moved, double c) { moved.state.c = c; },
        [law](double c) { return log_gamma_density(c, law); }, comparison);
}

void check_stickiness(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const auto* prior = std::get_if<BetaPrior>(&point.model.rho);
    if (prior == nullptr) return;
    const BetaPrior law = stickiness_law(*prior, point.m, point.w);
    compare_draws([&](Stream& stream) { return sample_stickiness(*prior, point.m, point.w, stream); },
                  [law](Stream& stream) { return draw_beta(law.a, law.b, stream); }, comparison);
    compare_with_tables(
        point, values_between_0_and_1(rng), [](AugmentedPoint& moved, double rho) { moved.state.rho = rho; },
        [law](double rho) { return log_beta_density(rho, law); }, comparison);
}

void check_base_weights(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    std::vector<arma::vec> values(n_values, point.state.log_beta);
    for (std::size_t i = 1; i < n_values; ++i) {
        values[i].for_each([&rng](double& log_beta) { log_beta += draw_standard_normal(rng); });
        values[i] -= std::log(arma::accu(arma::exp(values[i])));
    }
    const arma::vec base = base_tables(point.m, point.w);
    const arma::vec concentration = base_weight_concentration(base, point.state.gamma);
    arma::vec drawn;
    arma::vec expected(base.n_elem);
    Stream of_conditional({.seed = 1});
    Stream of_law({.seed = 1});
    sample_base_weights(base, point.state.gamma, drawn, of_conditional);
    draw_log_dirichlet(concentration, expected, of_law);
    for (arma::uword k = 0; k < base.n_elem; ++k) comparison.equal(drawn(k), expected(k));
    compare_with_tables(
        point, values, [](AugmentedPoint& moved, const arma::vec& log_beta) { moved.state.log_beta = log_beta; },
        [&](const arma::vec& log_beta) { return arma::dot(concentration, log_beta); }, comparison);
}

}  // namespace hmmlt::testing
