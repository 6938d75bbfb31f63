#include "hmmlt/similarity/bit_transitions.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "hmmlt/conditionals/total_rates.hpp"
#include "hmmlt/conditionals/transition_counts.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/random/beta.hpp"

namespace hmmlt {

namespace {

// The rates pi phi of the states that z leaves, in logarithms, and how often it leaves them.
struct Departed {
    arma::uvec states;
    arma::vec departures;
    arma::mat log_rate;  // (n_states, departed): a row of pi phi is a column here

    Departed(const arma::umat& theta, const arma::mat& logits, const arma::mat& n, const arma::mat& log_pi)
        : states(arma::find(count_departures(n).head(theta.n_cols) > 0.0)),
          departures(count_departures(n)(states)),
          log_rate(theta.n_cols, states.n_elem) {
        const arma::mat scaled = scale_rows(log_pi);
        const arma::mat log_phi = log_bit_similarities(theta, logits);
        for (arma::uword i = 0; i < states.n_elem; ++i)
            log_rate.col(i) = (scaled.row(states[i]) + log_phi.row(states[i])).t();
    }

    // What pi phi of a row adds up to over the states with this bit.
    double log_sum(arma::uword i, const arma::umat& theta, arma::uword dim, arma::uword bit) const {
        return log_sum_exp(theta.n_cols,
                           [&](std::size_t k) { return theta.at(dim, k) == bit ? log_rate.at(k, i) : minus_infinity; });
    }
};

double jumps_that_turn_on(const arma::umat& theta, const arma::mat& n, arma::uword dim, arma::uword from) {
    double sum = 0.0;
    for (arma::uword k = 0; k < theta.n_cols; ++k)
        for (arma::uword j = 0; j < theta.n_cols && theta.at(dim, k) == 1; ++j)
            if (theta.at(dim, j) == from) sum += n.at(j, k);
    return sum;
}

BitTransitionGivenRates law_of_bit(const BetaPrior& prior, arma::uword dim, arma::uword from, const arma::umat& theta,
                                   const arma::mat& logits, const arma::mat& n, const Departed& departed) {
    BitTransitionGivenRates law{prior, jumps_that_turn_on(theta, n, dim, from), {}};
    for (arma::uword i = 0; i < departed.states.n_elem; ++i) {
        if (theta.at(dim, departed.states[i]) != from) continue;
        law.rows.push_back({departed.departures[i],
                            departed.log_sum(i, theta, dim, 0) - log_bit_transition(logits, dim, from, 0),
                            departed.log_sum(i, theta, dim, 1) - log_bit_transition(logits, dim, from, 1)});
    }
    return law;
}

}  // namespace

arma::mat log_bit_similarities(const arma::umat& theta, const arma::mat& logits) {
    check_size("log_bit_similarities", "the rows of logits", logits.n_rows, 2);
    check_size("log_bit_similarities", "the columns of logits", logits.n_cols, theta.n_rows);
    arma::mat log_phi(theta.n_cols, theta.n_cols, arma::fill::zeros);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim) {
        double log_transition[2][2];
        for (const arma::uword from : {0u, 1u})
            for (const arma::uword to : {0u, 1u}) log_transition[from][to] = log_bit_transition(logits, dim, from, to);
        for (arma::uword k = 0; k < theta.n_cols; ++k)
            for (arma::uword j = 0; j < theta.n_cols; ++j)
                log_phi.at(j, k) += log_transition[theta.at(dim, j)][theta.at(dim, k)];
    }
    return log_phi;
}

arma::mat draw_bit_transitions(const BetaPrior& prior, arma::uword n_dims, const BlockStreams& rng) {
    arma::mat logits(2, n_dims);
    for (arma::uword cell = 0; cell < logits.n_elem; ++cell) {
        Stream stream = rng.item(cell);
        const LogBetaDraw draw = draw_log_beta(prior.a, prior.b, stream);
        logits[cell] = draw.log_x - draw.log_1mx;
    }
    return logits;
}

double log_density_of_bit_transitions(const BetaPrior& prior, const arma::mat& logits) {
    const double log_normaliser =
        boost::math::lgamma(prior.a + prior.b) - boost::math::lgamma(prior.a) - boost::math::lgamma(prior.b);
    double sum = 0.0;
    for (const double x : logits) sum += log_normaliser - prior.a * log1p_exp(-x) - prior.b * log1p_exp(x);
    return sum;
}

LogDensity BitTransitionGivenRates::operator()(double x) const {
    const double on = 1.0 / (1.0 + std::exp(-x));
    LogDensity density{(prior.a + n_on) * x - (prior.a + prior.b) * log1p_exp(x),
                       prior.a + n_on - (prior.a + prior.b) * on};
    for (const Row& row : rows) {
        density.value -= row.departures * log_add_exp(row.log_off, row.log_on + x);
        density.slope -= row.departures / (1.0 + std::exp(row.log_off - row.log_on - x));
    }
    return density;
}

BitTransitionGivenRates bit_transition_law(const BetaPrior& prior, arma::uword dim, arma::uword from,
                                           const arma::umat& theta, const arma::mat& logits, const arma::mat& n,
                                           const arma::mat& log_pi) {
    return law_of_bit(prior, dim, from, theta, logits, n, Departed(theta, logits, n, log_pi));
}

void sample_bit_transitions(const BetaPrior& prior, const arma::umat& theta, const arma::mat& n,
                            const arma::mat& log_pi, arma::mat& logits, const BlockStreams& rng) {
    Departed departed(theta, logits, n, log_pi);
    for (arma::uword dim = 0; dim < theta.n_rows; ++dim)
        for (const arma::uword from : {arma::uword{0}, arma::uword{1}}) {
            const BitTransitionGivenRates law = law_of_bit(prior, dim, from, theta, logits, n, departed);
            const double before[2] = {log_bit_transition(logits, dim, from, 0),
                                      log_bit_transition(logits, dim, from, 1)};
            Stream stream = rng.item(2 * dim + from);
            logits.at(from, dim) = draw_log_concave(law, {}, logits.at(from, dim), stream);
            const double change[2] = {log_bit_transition(logits, dim, from, 0) - before[0],
                                      log_bit_transition(logits, dim, from, 1) - before[1]};
            for (arma::uword i = 0; i < departed.states.n_elem; ++i)
                if (theta.at(dim, departed.states[i]) == from)
                    for (arma::uword k = 0; k < theta.n_cols; ++k)
                        departed.log_rate.at(k, i) += change[theta.at(dim, k)];
        }
}

}  // namespace hmmlt
