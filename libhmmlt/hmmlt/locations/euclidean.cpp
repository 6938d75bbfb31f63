// Distances are sums of squared differences, never |l_j|^2 + |l_k|^2 - 2 l_j l_k: failed jumps divide by them, and
// close states must keep their digits. Pairs are visited once, for both directions.
#include "hmmlt/locations/euclidean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/math/sum_in_lanes.hpp"
#include "hmmlt/random/normal.hpp"

namespace hmmlt {

namespace {

// The common shape of (57) and (59): the prior, and for each pair a force along its difference; bracket(j, k) =
// bracket(k, j) is the square bracket there.
arma::mat gradient_of_pairs(const arma::mat& location, double lambda, double location_precision,
                            const arma::mat& bracket) {
    const arma::mat by_state = location.t();
    arma::mat gradient = -location_precision * location;
    for (arma::uword k = 0; k < location.n_cols; ++k) {
        const double* const strength = bracket.colptr(k);
        for (arma::uword d = 0; d < location.n_rows; ++d) {
            const double* const x = by_state.colptr(d);
            const double own = x[k];
            const auto force = [=](std::size_t j) { return strength[j] * (x[j] - own); };
            gradient.at(d, k) += 2.0 * lambda * sum_in_lanes(location.n_cols, force);
        }
    }
    return gradient;
}

void check_matrix(std::string_view function, std::string_view argument, const arma::mat& matrix, arma::uword n_rows,
                  arma::uword n_cols) {
    check_size(function, fmt::format("rows of {}", argument), matrix.n_rows, n_rows);
    check_size(function, fmt::format("columns of {}", argument), matrix.n_cols, n_cols);
}

// What both forms condition on; owns scratch space, so that a path allocates nothing of size J x J.
class JumpTarget {
  protected:
    JumpTarget(std::string_view function, arma::uword n_states, const arma::mat& n, double lambda,
               double location_precision)
        : lambda_(lambda), location_precision_(location_precision) {
        check_not_empty(function, "location", n_states);
        check_matrix(function, "n", n, n_states + 1, n_states);
        check_nonnegative_finite(function, "lambda", lambda);
        check_positive_finite(function, "location_precision", location_precision);
        jumps_ = n.head_rows(n_states);
        departures_ = arma::sum(jumps_, 1);
        jumps_ += jumps_.t().eval();
    }

    // The terms of (56) and (58) in the prior and in the observed jumps.
    double log_density_of_jumps(const arma::mat& location) {
        squared_distances(location, distance_);
        return location_log_prior(location, location_precision_) - 0.5 * lambda_ * arma::dot(jumps_, distance_);
    }

    double lambda_;
    double location_precision_;
    arma::mat jumps_;       // ntilde
    arma::vec departures_;  // n_j.
    arma::mat distance_;
    arma::mat bracket_;
};

class TargetGivenFailedJumps : JumpTarget {
  public:
    TargetGivenFailedJumps(std::string_view function, arma::uword n_states, const arma::mat& n, const arma::mat& q,
                           double lambda, double location_precision)
        : JumpTarget(function, n_states, n, lambda, location_precision) {
        check_matrix(function, "q", q, n_states, n_states);
        failures_ = q + q.t();
    }

    double log_density(const arma::mat& location) {
        double total = log_density_of_jumps(location);
        for (arma::uword k = 0; k < location.n_cols; ++k)
            for (arma::uword j = 0; j < k; ++j)
                if (failures_(j, k) > 0.0) total += failures_(j, k) * log1m_exp(-lambda_ * distance_(j, k));
        return total;
    }

    arma::mat gradient(const arma::mat& location) {
        squared_distances(location, distance_);
        bracket_ = jumps_;
        for (arma::uword cell = 0; cell < bracket_.n_elem; ++cell) {
            const double refused = failures_[cell] / vector_expm1(lambda_ * distance_[cell]);
            bracket_[cell] -= failures_[cell] == 0.0 ? 0.0 : refused;
        }
        bracket_.diag().zeros();  // nobody is pulled by himself
        return gradient_of_pairs(location, lambda_, location_precision_, bracket_);
    }

  private:
    arma::mat failures_;  // qtilde
};

class IntegratedTarget : JumpTarget {
  public:
    IntegratedTarget(std::string_view function, arma::uword n_states, const arma::mat& n, const arma::mat& log_pi,
                     double lambda, double location_precision)
        : JumpTarget(function, n_states, n, lambda, location_precision),
          expected_(n_states, n_states, arma::fill::zeros) {
        check_matrix(function, "log_pi", log_pi, n_states + 1, n_states);
        log_pi_to_from_ = scale_rows(log_pi.head_rows(n_states)).t();
    }

    double log_density(const arma::mat& location) {
        double total = log_density_of_jumps(location);
        for (arma::uword from = 0; from < location.n_cols; ++from)
            if (departures_(from) > 0.0) total -= departures_(from) * log_total_rate(from);
        return total;
    }

    arma::mat gradient(const arma::mat& location) {
        squared_distances(location, distance_);
        for (arma::uword from = 0; from < location.n_cols; ++from)
            if (departures_(from) > 0.0) {
                log_total_rate(from);
                expected_.col(from) *= departures_(from) / arma::accu(expected_.col(from));
            }
        bracket_ = jumps_ - expected_ - expected_.t();
        bracket_.diag().zeros();  // nobody is pulled by himself
        return gradient_of_pairs(location, lambda_, location_precision_, bracket_);
    }

  private:
    // log T_j, leaving pi_jk phi_jk, scaled to a maximum of 1, in column j of expected_. In log space throughout: the
    // largest pi of a row may belong to a state so far away that its phi underflows.
    double log_total_rate(arma::uword from) {
        const double* log_pi = log_pi_to_from_.colptr(from);
        const double* distance = distance_.colptr(from);
        double* rate = expected_.colptr(from);
        double largest = minus_infinity;
        for (arma::uword to = 0; to < distance_.n_rows; ++to) {
            rate[to] = log_pi[to] - lambda_ * distance[to];
            largest = std::max(largest, rate[to]);
        }
        for (arma::uword to = 0; to < distance_.n_rows; ++to) rate[to] = vector_exp(rate[to] - largest);
        return largest + std::log(sum_in_lanes(distance_.n_rows, [rate](std::size_t to) { return rate[to]; }));
    }

    arma::mat log_pi_to_from_;  // n_states x n_states, scaled, transposed: a row of pi is contiguous
    arma::mat expected_;        // (to, from): n_j. A_jk; stays 0 for rows nobody leaves
};

void draw_locations(double location_precision, arma::mat& location, Stream& rng) {
    const double sd = 1.0 / std::sqrt(location_precision);
    location.for_each([&](double& l) { l = draw_normal(0.0, sd, rng); });
}

template <typename Target>
HmcInfo move_locations(const EuclideanLocations& spec, double lambda, Target& target, EuclideanLocationState& state,
                       Stream& rng) {
    if (lambda == 0.0 && std::isfinite(target.log_density(state.location))) {
        draw_locations(spec.location_precision, state.location, rng);
        return {.accepted = true, .acceptance_probability = 1.0};
    }
    const HmcTarget hmc{[&](const arma::mat& location) { return target.log_density(location); },
                        [&](const arma::mat& location) { return target.gradient(location); }};
    return hmc_update(hmc, std::exp(state.step_size.log_step_size), spec.n_leapfrog, state.location, rng);
}

}  // namespace

bool operator==(const EuclideanLocationState& a, const EuclideanLocationState& b) {
    return a.step_size == b.step_size && arma::size(a.location) == arma::size(b.location) &&
           std::equal(a.location.begin(), a.location.end(), b.location.begin());
}

EuclideanLocationState draw_euclidean_locations(const EuclideanLocations& spec, arma::uword n_states, Stream& rng) {
    check_not_empty("draw_euclidean_locations", "n_dims", spec.n_dims);
    check_not_empty("draw_euclidean_locations", "n_states", n_states);
    check_positive_finite("draw_euclidean_locations", "location_precision", spec.location_precision);
    check_positive_finite("draw_euclidean_locations", "initial_step_size", spec.initial_step_size);
    EuclideanLocationState state{arma::mat(spec.n_dims, n_states), {.log_step_size = std::log(spec.initial_step_size)}};
    draw_locations(spec.location_precision, state.location, rng);
    return state;
}

double location_log_prior(const arma::mat& location, double location_precision) {
    check_positive_finite("location_log_prior", "location_precision", location_precision);
    const double log_normaliser = 0.5 * std::log(location_precision / (2.0 * std::numbers::pi));
    return static_cast<double>(location.n_elem) * log_normaliser -
           0.5 * location_precision * arma::dot(location, location);
}

void squared_distances(const arma::mat& location, arma::mat& distance) {
    const arma::mat by_state = location.t();
    distance.zeros(location.n_cols, location.n_cols);
    for (arma::uword k = 0; k < location.n_cols; ++k) {
        double* const to = distance.colptr(k);
        for (arma::uword d = 0; d < location.n_rows; ++d) {
            const double* const x = by_state.colptr(d);
            const double own = x[k];
            for (arma::uword j = 0; j < location.n_cols; ++j) to[j] += (x[j] - own) * (x[j] - own);
        }
    }
}

arma::mat squared_distances(const arma::mat& location) {
    arma::mat distance;
    squared_distances(location, distance);
    return distance;
}

double location_log_density_given_failed_jumps(const arma::mat& location, const arma::mat& n, const arma::mat& q,
                                               double lambda, double location_precision) {
    TargetGivenFailedJumps target(__func__, location.n_cols, n, q, lambda, location_precision);
    return target.log_density(location);
}

arma::mat location_gradient_given_failed_jumps(const arma::mat& location, const arma::mat& n, const arma::mat& q,
                                               double lambda, double location_precision) {
    TargetGivenFailedJumps target(__func__, location.n_cols, n, q, lambda, location_precision);
    return target.gradient(location);
}

double location_log_density(const arma::mat& location, const arma::mat& n, const arma::mat& log_pi, double lambda,
                            double location_precision) {
    IntegratedTarget target(__func__, location.n_cols, n, log_pi, lambda, location_precision);
    return target.log_density(location);
}

arma::mat location_gradient(const arma::mat& location, const arma::mat& n, const arma::mat& log_pi, double lambda,
                            double location_precision) {
    IntegratedTarget target(__func__, location.n_cols, n, log_pi, lambda, location_precision);
    return target.gradient(location);
}

HmcInfo sample_locations_given_failed_jumps(const EuclideanLocations& spec, const arma::mat& n, const arma::mat& q,
                                            double lambda, EuclideanLocationState& state, Stream& rng) {
    TargetGivenFailedJumps target(__func__, state.location.n_cols, n, q, lambda, spec.location_precision);
    return move_locations(spec, lambda, target, state, rng);
}

HmcInfo sample_locations(const EuclideanLocations& spec, const arma::mat& n, const arma::mat& log_pi, double lambda,
                         EuclideanLocationState& state, Stream& rng) {
    IntegratedTarget target(__func__, state.location.n_cols, n, log_pi, lambda, spec.location_precision);
    return move_locations(spec, lambda, target, state, rng);
}

}  // namespace hmmlt
