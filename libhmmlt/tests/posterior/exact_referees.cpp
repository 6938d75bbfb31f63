#include "posterior/exact_referees.hpp"

#include <cmath>

#include "hmmlt/locations/euclidean.hpp"
#include "posterior/all_segments.hpp"

namespace hmmlt::testing {

namespace {

constexpr double lambda = 0.7;
constexpr double location_precision = 1.3;

const arma::mat location{{0.3, -0.8, 1.1, 0.1}, {-0.4, 0.6, 0.2, -1.2}};
const arma::mat n{{2, 1, 0, 3}, {0, 4, 2, 1}, {1, 0, 0, 0}, {5, 1, 2, 1}, {1, 0, 1, 0}};
const arma::mat q{{0, 3, 1, 0}, {2, 0, 0, 7}, {0, 1, 0, 4}, {1, 0, 2, 0}};
const arma::mat log_pi{{-0.3, 0.8, -2.0, 0.1},
                       {1.2, -0.5, 0.0, -1.0},
                       {-3.0, 0.4, 0.7, -0.2},
                       {0.5, -0.6, 0.9, -1.5},
                       {0.2, 1.4, -0.7, 0.3}};
const arma::mat log_lik{{-1.0, -0.3, -2.0, 0.4, -0.1},
                        {-0.5, -1.5, 0.2, -1.0, 0.3},
                        {0.1, -0.9, -0.6, -0.2, -2.2},
                        {0.6, 0.0, -1.1, 0.5, -0.7}};

const arma::mat phi{{0.7, 0.1, 0.9, 0.3}, {0.6, 0.4, 0.2, 0.8}, {0.05, 1.0, 0.9, 0.5}, {0.3, 0.2, 0.7, 0.6}};

double largest_error(const arma::mat& gradient, const std::function<double(const arma::mat&)>& log_density) {
    constexpr double step = 1e-5;
    arma::mat numeric(arma::size(location));
    for (arma::uword cell = 0; cell < location.n_elem; ++cell) {
        arma::mat moved = location;
        moved(cell) += step;
        const double above = log_density(moved);
        moved(cell) -= 2.0 * step;
        numeric(cell) = (above - log_density(moved)) / (2.0 * step);
    }
    return arma::abs(gradient - numeric).max() / arma::abs(numeric).max();
}

// p(y_t, ..., y_last, z_t, ... | z_{t-1} = from), summed over all paths from here on.
double sum_over_paths(const arma::mat& weights, arma::uword from, arma::uword t, arma::uword last) {
    if (t == last) return 1.0;
    double sum = 0.0;
    for (arma::uword to = 0; to < weights.n_cols; ++to)
        sum += weights(from, to) / arma::accu(weights.row(from)) * std::exp(log_lik(to, t)) *
               sum_over_paths(weights, to, t + 1, last);
    return sum;
}

}  // namespace

double gradient_error_given_failed_jumps(const Gradient& gradient) {
    return largest_error(gradient(location, n, q, lambda, location_precision), [](const arma::mat& l) {
        return location_log_density_given_failed_jumps(l, n, q, lambda, location_precision);
    });
}

double gradient_error(const Gradient& gradient) {
    return largest_error(gradient(location, n, log_pi, lambda, location_precision), [](const arma::mat& l) {
        return location_log_density(l, n, log_pi, lambda, location_precision);
    });
}

double likelihood_error(const Tamper& tamper) {
    const arma::mat log_phi = arma::log(phi);
    const Sequences sequences = Sequences::of_lengths({3, 2});
    TransitionMatrix transition;
    ForwardMessages messages;
    normalise_rates(log_pi, log_phi, transition);
    tamper(log_pi, log_phi, transition);
    filter_forward(transition, log_lik, sequences, messages);

    const arma::uword n_states = log_pi.n_cols;
    arma::mat weights = arma::exp(log_pi);
    weights.head_rows(n_states) %= phi;
    double error = 0.0;
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        const double exact = std::log(sum_over_paths(weights, n_states, sequences.first[s], sequences.first[s + 1]));
        error = std::max(error, std::abs(messages.log_likelihood(s) - exact) / std::abs(exact));
    }
    return error;
}

double segments_error(const SegmentFilter& filter) {
    const arma::mat own(4, 4, arma::fill::eye);
    TransitionMatrix transition;
    normalise_rates(log_pi, arma::log(phi - phi % own), transition);
    const DurationState durations = PoissonDurationState{{1.0, 0.8, 2.5, 0.1}};
    arma::mat long_segment(4, 208, arma::fill::value(-5000.0));
    long_segment.row(0).cols(5, 204).zeros();
    long_segment.row(1).cols(0, 4).zeros();
    long_segment.row(1).cols(205, 207).zeros();
    arma::mat impossible = arma::repmat(log_lik, 1, 2);
    impossible(0, 2) = impossible(2, 0) = impossible(1, 4) = impossible(3, 5) = -arma::datum::inf;
    double error = 0.0;
    for (const arma::mat& steps : {long_segment, impossible}) {
        const double exact = log_sum_of_segments(transition, durations, steps);
        error = std::max(error, std::abs(filter(transition, durations, steps) - exact) / std::abs(exact));
    }
    return error;
}

}  // namespace hmmlt::testing
