// Plain sums over all cells of tiny models; nothing is shared with the library but log_joint.
#include "posterior/augmented_joint.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace hmmlt::testing {

namespace {

// Gamma(shape, rate) at x, with respect to dx.
double log_gamma_law(double x, double shape, double rate) {
    return shape * std::log(rate) - std::lgamma(shape) + (shape - 1.0) * std::log(x) - rate * x;
}

double log_choose(double n, double k) {
    return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

// 0 log 0 = 0
double times_log(double count, double x) {
    return count == 0.0 ? 0.0 : count * std::log(x);
}

// P(CRT(n, a) = k) for k = 0 .. largest, seating one customer after the other.
class Seating {
  public:
    Seating(double a, std::size_t largest) : a_(a), pmf_(largest + 1, 0.0) { pmf_[0] = 1.0; }

    void seat() {
        const double opens = customers_ == 0.0 ? 1.0 : a_ / (a_ + customers_);
        for (std::size_t k = pmf_.size(); k-- > 0;)
            pmf_[k] = pmf_[k] * (1.0 - opens) + (k > 0 ? pmf_[k - 1] * opens : 0.0);
        customers_ += 1.0;
    }
    double probability(std::size_t tables) const { return pmf_[tables]; }

  private:
    double a_;
    double customers_ = 0.0;
    std::vector<double> pmf_;
};

double log_crt(double tables, double customers, double a) {
    const auto count = static_cast<std::size_t>(tables);
    Seating seating(a, count);
    for (double i = 0.0; i < customers; i += 1.0) seating.seat();
    return std::log(seating.probability(count));
}

// log sum_q p(q | z, u) P(CRT(n + q, a) = tables), pi being integrated out: q is negative binomial, docs/model.md,
// section 6.
double log_crt_averaged(double tables, double n, double a, double u, double phi) {
    const auto count = static_cast<std::size_t>(tables);
    const double fails = u * (1.0 - phi) / (1.0 + u);
    Seating seating(a, count);
    for (double i = 0.0; i < n; i += 1.0) seating.seat();
    const double mean = (a + n) * fails / (1.0 - fails);
    double weight = std::exp((a + n) * std::log1p(-fails));
    double sum = 0.0;
    for (double q = 0.0; weight > 1e-200 && !(q > mean && weight < 1e-18 * sum); q += 1.0) {
        sum += weight * seating.probability(count);
        weight *= fails * (a + n + q) / (q + 1.0);
        seating.seat();
    }
    return std::log(sum);
}

arma::mat rates(const AugmentedPoint& point) {
    return arma::exp(point.state.log_pi);
}

double squared_or_hamming_distance(const LocationState& locations, arma::uword j, arma::uword k) {
    double distance = 0.0;
    if (const arma::umat& theta = bits(locations); !theta.is_empty()) {
        for (arma::uword d = 0; d < theta.n_rows; ++d) distance += theta(d, j) != theta(d, k) ? 1.0 : 0.0;
    } else if (const auto* euclidean = std::get_if<EuclideanLocationState>(&locations)) {
        for (arma::uword d = 0; d < euclidean->location.n_rows; ++d)
            distance += std::pow(euclidean->location(d, j) - euclidean->location(d, k), 2.0);
    }
    return distance;
}

arma::vec departures(const AugmentedPoint& point) {
    return arma::sum(transition_counts(point), 1);
}

}  // namespace

arma::mat transition_counts(const AugmentedPoint& point) {
    const arma::uword n_states = point.model.n_states;
    const std::vector<arma::uword>& first = point.observations.sequences.first;
    arma::mat n(n_states + 1, n_states, arma::fill::zeros);
    for (std::size_t s = 0; s + 1 < first.size(); ++s)
        for (arma::uword t = first[s]; t < first[s + 1]; ++t)
            n(t == first[s] ? n_states : point.state.z(t - 1), point.state.z(t)) += 1.0;
    if (has_durations(point))
        for (arma::uword j = 0; j < n_states; ++j) n(j, j) = 0.0;
    return n;
}

arma::mat similarities(const AugmentedPoint& point) {
    arma::mat phi(point.model.n_states + 1, point.model.n_states, arma::fill::ones);
    if (!point.fixed_phi.is_empty()) {
        phi.head_rows(point.model.n_states) = point.fixed_phi;
        return phi;
    }
    if (!point.state.bit_logits.is_empty()) {
        const arma::umat& theta = bits(point.state.locations);
        const arma::mat on = 1.0 / (1.0 + arma::exp(-point.state.bit_logits));  // A^(d)[v, 1]
        for (arma::uword j = 0; j < phi.n_cols; ++j)
            for (arma::uword k = 0; k < phi.n_cols; ++k)
                for (arma::uword d = 0; d < theta.n_rows; ++d)
                    phi(j, k) *= theta(d, k) == 1 ? on(theta(d, j), d) : 1.0 - on(theta(d, j), d);
    } else {
        for (arma::uword j = 0; j < phi.n_cols; ++j)
            for (arma::uword k = 0; k < phi.n_cols; ++k)
                phi(j, k) = std::exp(-point.state.lambda * squared_or_hamming_distance(point.state.locations, j, k));
    }
    if (has_durations(point))
        for (arma::uword j = 0; j < phi.n_cols; ++j) phi(j, j) = 0.0;
    return phi;
}

arma::mat prior_shapes(const AugmentedPoint& point) {
    const arma::uword n_states = point.model.n_states;
    const double alpha = (1.0 - point.state.rho) * point.state.c;
    const double kappa = point.state.rho * point.state.c;
    arma::mat a(n_states + 1, n_states);
    for (arma::uword k = 0; k < n_states; ++k) {
        const double beta = std::exp(point.state.log_beta(k));
        for (arma::uword j = 0; j < n_states; ++j) a(j, k) = alpha * beta + (j == k ? kappa : 0.0);
        a(n_states, k) = point.state.c * beta;
    }
    return a;
}

arma::vec tables_of_base_weights(const AugmentedPoint& point) {
    return arma::sum(point.m, 0).t() - point.w;
}

double log_jump_process(const AugmentedPoint& point) {
    const arma::mat n = transition_counts(point);
    const arma::mat pi = rates(point);
    const arma::mat phi = similarities(point);
    double sum = 0.0;
    for (arma::uword j = 0; j < n.n_rows; ++j) {
        const double left = arma::accu(n.row(j));
        if (left == 0.0) continue;
        sum += (left - 1.0) * std::log(point.u(j)) - std::lgamma(left);
        for (arma::uword k = 0; k < n.n_cols; ++k) {
            const double q = j < point.q.n_rows ? point.q(j, k) : 0.0;
            sum += (n(j, k) + q) * std::log(pi(j, k)) + times_log(n(j, k), phi(j, k)) + times_log(q, 1.0 - phi(j, k)) +
                   q * std::log(point.u(j)) - point.u(j) * pi(j, k) - std::lgamma(q + 1.0);
        }
    }
    return sum;
}

double log_law_of_holding_times(const AugmentedPoint& point) {
    const arma::vec n = departures(point);
    const arma::vec total = arma::sum(rates(point) % similarities(point), 1);
    double sum = 0.0;
    for (arma::uword j = 0; j < n.n_elem; ++j)
        if (n(j) > 0.0) sum += log_gamma_law(point.u(j), n(j), total(j));
    return sum;
}

double log_law_of_failed_jumps(const AugmentedPoint& point) {
    const arma::mat pi = rates(point);
    const arma::mat phi = similarities(point);
    double sum = 0.0;
    for (arma::uword j = 0; j < point.q.n_rows; ++j)
        for (arma::uword k = 0; k < point.q.n_cols; ++k) {
            const double mean = point.u(j) * pi(j, k) * (1.0 - phi(j, k));
            const double q = point.q(j, k);
            if (mean == 0.0 && q > 0.0) return -arma::datum::inf;
            sum += times_log(q, mean) - mean - std::lgamma(q + 1.0);
        }
    return sum;
}

double log_law_of_tables(const AugmentedPoint& point, FailedJumps failed_jumps) {
    const arma::mat a = prior_shapes(point);
    const arma::mat n = transition_counts(point);
    const arma::mat phi = similarities(point);
    double sum = 0.0;
    for (arma::uword j = 0; j < n.n_rows; ++j)
        for (arma::uword k = 0; k < n.n_cols; ++k) {
            const double q = j < point.q.n_rows ? point.q(j, k) : 0.0;
            sum += failed_jumps == FailedJumps::kept
                       ? log_crt(point.m(j, k), n(j, k) + q, a(j, k))
                       : log_crt_averaged(point.m(j, k), n(j, k), a(j, k), point.u(j), phi(j, k));
        }
    return sum;
}

double log_law_of_sticky_tables(const AugmentedPoint& point) {
    const arma::mat a = prior_shapes(point);
    double sum = 0.0;
    for (arma::uword j = 0; j < point.w.n_elem; ++j) {
        const double sticky = point.state.rho * point.state.c / a(j, j);  // kappa out of alpha beta_j + kappa
        sum += log_choose(point.m(j, j), point.w(j)) + times_log(point.w(j), sticky) +
               times_log(point.m(j, j) - point.w(j), 1.0 - sticky);
    }
    return sum;
}

double log_law_of_top_tables(const AugmentedPoint& point) {
    const arma::vec base = tables_of_base_weights(point);
    double sum = 0.0;
    for (arma::uword k = 0; k < base.n_elem; ++k)
        sum += log_crt(point.r(k), base(k), point.state.gamma / static_cast<double>(base.n_elem));
    return sum;
}

double log_law_of_eta(const AugmentedPoint& point) {
    const double tables = arma::accu(tables_of_base_weights(point));
    const double gamma = point.state.gamma;
    return std::lgamma(gamma + tables) - std::lgamma(gamma) - std::lgamma(tables) +
           (gamma - 1.0) * std::log(point.eta) + (tables - 1.0) * std::log1p(-point.eta);
}

double log_joint_without_u_q(const AugmentedPoint& point) {
    return point.log_joint(point.state);
}

double log_joint_with_u(const AugmentedPoint& point) {
    return point.log_joint(point.state) + log_law_of_holding_times(point);
}

double log_joint_with_u_q(const AugmentedPoint& point) {
    return log_joint_with_u(point) + log_law_of_failed_jumps(point);
}

double log_joint_without_pi(const AugmentedPoint& point, FailedJumps failed_jumps) {
    const bool kept = failed_jumps == FailedJumps::kept;
    const arma::mat a = prior_shapes(point);
    const arma::mat n = transition_counts(point);
    const arma::mat pi = rates(point);
    const arma::mat phi = similarities(point);
    double joint = kept ? log_joint_with_u_q(point) : log_joint_with_u(point);
    for (arma::uword j = 0; j < n.n_rows; ++j)
        for (arma::uword k = 0; k < n.n_cols; ++k) {
            const double q = kept && j < point.q.n_rows ? point.q(j, k) : 0.0;
            const double rate = 1.0 + point.u(j) * (kept ? 1.0 : phi(j, k));
            // log_joint has pi with respect to d log pi
            joint -= log_gamma_law(pi(j, k), a(j, k) + n(j, k) + q, rate) + point.state.log_pi(j, k);
        }
    return joint;
}

double log_joint_with_tables(const AugmentedPoint& point, FailedJumps failed_jumps) {
    return log_joint_without_pi(point, failed_jumps) + log_law_of_tables(point, failed_jumps) +
           log_law_of_sticky_tables(point);
}

double log_joint_with_top_tables(const AugmentedPoint& point, FailedJumps failed_jumps) {
    const arma::vec concentration =
        tables_of_base_weights(point) + point.state.gamma / static_cast<double>(point.model.n_states);
    double log_dirichlet = std::lgamma(arma::accu(concentration));
    for (arma::uword k = 0; k < concentration.n_elem; ++k)
        log_dirichlet += concentration(k) * point.state.log_beta(k) - std::lgamma(concentration(k));
    return log_joint_with_tables(point, failed_jumps) - log_dirichlet + log_law_of_top_tables(point) +
           log_law_of_eta(point);
}

}  // namespace hmmlt::testing
