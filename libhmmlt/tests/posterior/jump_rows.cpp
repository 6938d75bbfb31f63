// Rows of the jump process: u, Q and pi.
#include <cmath>

#include "hmmlt/conditionals/failed_jumps.hpp"
#include "hmmlt/conditionals/holding_times.hpp"
#include "hmmlt/conditionals/rates.hpp"
#include "hmmlt/conditionals/row_scales.hpp"
#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/log_density.hpp"
#include "hmmlt/model/log_joint.hpp"
#include "hmmlt/random/gamma.hpp"
#include "hmmlt/random/poisson.hpp"
#include "posterior/conditional_inputs.hpp"
#include "posterior/conditional_rows.hpp"

namespace hmmlt::testing {

namespace {

// pi with respect to d log pi, as in log_joint; all cells at once.
double log_density_of_gammas(const arma::mat& log_pi, const arma::mat& shape, const arma::mat& log_rate) {
    return arma::accu(shape % (log_pi + log_rate) - arma::exp(log_pi + log_rate)) -
           arma::accu(arma::lgamma(arma::mat(shape)));
}

// The library draws rates without showing their laws. Gamma draws scale with 1 / rate, so the same streams with u and
// without it differ by the logarithm of the rate; and equal draws without u mean equal shapes.
void compare_rates(const AugmentedPoint& point, FailedJumps failed_jumps, Stream& rng, Comparison& comparison) {
    const ConditionalInputs in(point);
    const bool kept = failed_jumps == FailedJumps::kept;
    const auto draw = [&](const arma::mat& a, const arma::mat& n, const arma::mat& q, const arma::vec& log_u) {
        arma::mat log_pi;
        if (kept)
            sample_rates_given_failed_jumps(a, n, q, log_u, log_pi, row_streams);
        else
            sample_rates(a, n, log_u, in.log_phi, log_pi, row_streams);
        return log_pi;
    };
    arma::vec no_time(arma::size(in.log_u));
    no_time.fill(-arma::datum::inf);
    const arma::mat none(arma::size(in.n), arma::fill::zeros);
    const arma::mat no_failures(arma::size(point.q), arma::fill::zeros);
    const arma::mat without_time = draw(in.a, in.n, point.q, no_time);
    const arma::mat log_rate = without_time - draw(in.a, in.n, point.q, in.log_u);
    arma::mat shape = in.a + in.n;
    if (kept) shape.head_rows(point.q.n_rows) += point.q;
    const arma::mat of_shape = draw(shape, none, no_failures, no_time);
    for (arma::uword cell = 0; cell < shape.n_elem; ++cell) comparison.equal(without_time(cell), of_shape(cell));
    compare(
        point, values_around(point.state.log_pi, rng),
        [](AugmentedPoint& moved, const arma::mat& log_pi) { moved.state.log_pi = log_pi; },
        [&](const arma::mat& log_pi) { return log_density_of_gammas(log_pi, shape, log_rate); },
        kept ? log_joint_with_u_q : log_joint_with_u, comparison);
}

}  // namespace

void check_jump_process(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const ConditionalInputs in(point);
    const double states = log_density_of_states(in.n, point.state.log_pi, in.log_phi);
    comparison.equal(states + log_law_of_holding_times(point) + log_law_of_failed_jumps(point),
                     log_jump_process(point));
}

void check_row_scales(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const ConditionalInputs in(point);
    const arma::mat& log_pi = point.state.log_pi;
    arma::mat drawn = log_pi;
    sample_row_scales(point.state.c, drawn, row_streams);
    for (arma::uword j = 0; j < log_pi.n_rows; ++j) {
        Stream row = row_streams.item(j);
        const double log_factor = draw_log_gamma(point.state.c, row) - std::log(arma::accu(arma::exp(log_pi.row(j))));
        for (arma::uword k = 0; k < log_pi.n_cols; ++k) comparison.equal(drawn(j, k), log_pi(j, k) + log_factor);
        const auto log_density = [&](double scale) {  // with respect to d log, as all of log_joint
            return log_gamma_density(scale, {point.state.c, 1.0}) + std::log(scale);
        };
        compare(
            point, positive_values(rng),
            [j](AugmentedPoint& moved, double scale) {
                moved.state.log_pi.row(j) +=
                    std::log(scale) - std::log(arma::accu(arma::exp(moved.state.log_pi.row(j))));
            },
            log_density, [](const AugmentedPoint& moved) { return moved.log_joint(moved.state); }, comparison);
    }
}

void check_scales_of_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    if (!has_durations(point.state.durations)) return;
    const arma::mat& log_pi = point.state.log_pi;
    const arma::uword n_states = log_pi.n_cols;
    arma::mat a;
    rate_shapes(point.state.log_beta, point.state.c, point.state.rho, a);
    // log of the sum of a row off its diagonal; the start row has none
    const auto log_scale = [n_states](const arma::mat& rates, arma::uword j) {
        double sum = 0.0;
        for (arma::uword k = 0; k < n_states; ++k)
            if (k != j) sum += std::exp(rates(j, k));
        return std::log(sum);
    };
    arma::mat drawn = log_pi;
    sample_scales_of_jumps(a, drawn, row_streams);
    for (arma::uword j = 0; j <= n_states; ++j) {
        Stream row = row_streams.item(j);
        const double shape = arma::accu(a.row(j)) - (j < n_states ? a(j, j) : 0.0);
        const double log_factor = draw_log_gamma(shape, row) - log_scale(log_pi, j);
        for (arma::uword k = 0; k < n_states; ++k)
            comparison.equal(drawn(j, k), k == j ? draw_log_gamma(a(j, j), row) : log_pi(j, k) + log_factor);
        const auto log_density_of = [](double shape_of) {  // with respect to d log, as all of log_joint
            return [shape_of](double x) { return log_gamma_density(x, {shape_of, 1.0}) + std::log(x); };
        };
        const auto joint = [](const AugmentedPoint& moved) { return moved.log_joint(moved.state); };
        compare(
            point, positive_values(rng),
            [j, n_states, log_scale](AugmentedPoint& moved, double scale) {
                const double log_ratio = std::log(scale) - log_scale(moved.state.log_pi, j);
                for (arma::uword k = 0; k < n_states; ++k)
                    if (k != j) moved.state.log_pi(j, k) += log_ratio;
            },
            log_density_of(shape), joint, comparison);
        if (j == n_states) continue;
        compare(
            point, positive_values(rng),
            [j](AugmentedPoint& moved, double rate) { moved.state.log_pi(j, j) = std::log(rate); },
            log_density_of(a(j, j)), joint, comparison);
    }
}

void check_holding_times(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    const ConditionalInputs in(point);
    const arma::vec departures = count_departures(in.n);
    const arma::vec log_total = log_total_rates(point.state.log_pi, in.log_phi);
    arma::vec drawn;
    sample_holding_times(departures, log_total, drawn, row_streams);
    for (arma::uword j = 0; j < departures.n_elem; ++j) {
        Stream row = row_streams.item(j);
        comparison.equal(std::exp(drawn(j)),
                         departures(j) == 0.0 ? 0.0 : std::exp(draw_log_gamma(departures(j), row) - log_total(j)));
        if (departures(j) == 0.0) continue;
        const GammaPrior law{departures(j), std::exp(log_total(j))};
        compare(
            point, positive_values(rng), [j](AugmentedPoint& moved, double u) { moved.u(j) = u; },
            [law](double u) { return log_gamma_density(u, law); }, log_joint_with_u, comparison);
    }
}

void check_failed_jumps(const AugmentedPoint& point, Stream&, Comparison& comparison) {
    const ConditionalInputs in(point);
    arma::mat drawn;
    comparison.equal(
        static_cast<double>(sample_failed_jumps(in.log_u, point.state.log_pi, in.log_phi, drawn, row_streams)), 0.0);
    for (arma::uword k = 0; k < point.q.n_cols; ++k) {
        std::vector<double> means;
        for (arma::uword j = 0; j < point.q.n_rows; ++j) {
            const double log_mean = log_mean_failed_jumps(in.log_u(j), point.state.log_pi(j, k), in.log_phi(j, k));
            compare(
                point, std::vector<double>{0.0, 1.0, 2.0, 3.0, 7.0},
                [j, k](AugmentedPoint& moved, double q) { moved.q(j, k) = q; },
                [log_mean](double q) { return log_poisson(q, log_mean); }, log_joint_with_u_q, comparison);
            means.push_back(std::exp(log_mean));
        }
        Stream column = row_streams.item(k);
        std::vector<CellCount> cells;
        draw_poisson_row(means, cells, column);
        for (const CellCount& cell : cells) drawn(cell.index, k) -= cell.count;
    }
    comparison.equal(arma::abs(drawn).max(), 0.0);
}

void check_rates_given_failed_jumps(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    compare_rates(point, FailedJumps::kept, rng, comparison);
}

void check_rates(const AugmentedPoint& point, Stream& rng, Comparison& comparison) {
    compare_rates(point, FailedJumps::summed_out, rng, comparison);
}

}  // namespace hmmlt::testing
