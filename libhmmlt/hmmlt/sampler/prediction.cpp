#include "hmmlt/sampler/prediction.hpp"

#include <cmath>
#include <stdexcept>

#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/log_space.hpp"

namespace hmmlt {

namespace {

double log_sum_of(const arma::vec& terms) {
    return log_sum_exp(terms.n_elem, [&terms](arma::uword i) { return terms[i]; });
}

arma::mat as_reals(const arma::umat& theta) {
    return arma::conv_to<arma::mat>::from(theta);
}

// A linear-Gaussian emission is a Gaussian one as soon as the bits are known, and need not add weights up at each step.
EmissionState with_bits(const EmissionState& emission, const arma::umat& theta) {
    const auto* linear = std::get_if<LinearGaussianState>(&emission);
    if (linear == nullptr) return emission;
    return GaussianState{state_means(linear->weights, theta), arma::repmat(linear->h, 1, theta.n_cols)};
}

arma::vec log_lik_of_step(const EmissionState& emission, const Observations& step) {
    if (const auto* categorical = std::get_if<CategoricalState>(&emission)) {
        if (step.symbol[0] == no_symbol) return arma::vec(categorical->log_theta.n_cols, arma::fill::zeros);
        const auto symbol = static_cast<arma::uword>(step.symbol[0]);
        check_below("OnlineFilter::step", "symbol", symbol, categorical->log_theta.n_rows);
        return categorical->log_theta.row(symbol).t();
    }
    arma::mat log_lik;
    log_likelihood(emission, {}, step, log_lik);
    return log_lik.col(0);
}

}  // namespace

void add_draw(PooledSteps& pooled, const State& draw, const FilteredData& data, const Sequences& sequences,
              Bits named) {
    PooledSteps one;
    one.n_draws = 1;
    one.log_density = step_log_densities(data, sequences);
    if (const arma::mat theta = as_reals(bits(draw.locations)); named == Bits::named && !theta.is_empty()) {
        one.filtered = theta * filtered_probabilities(data, sequences);
        one.smoothed = theta * smoothed_probabilities(data, sequences);
    }
    add_pooled(pooled, one, sequences);
}

void add_pooled(PooledSteps& pooled, const PooledSteps& more, const Sequences& sequences) {
    if (pooled.n_draws == 0) {
        pooled = more;
        return;
    }
    check_size("add_pooled", "pooled.log_density", pooled.log_density.n_elem, sequences.n_steps());
    check_size("add_pooled", "more.log_density", more.log_density.n_elem, sequences.n_steps());
    check_size("add_pooled", "the rows of more.filtered", more.filtered.n_rows, pooled.filtered.n_rows);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        // how much more the steps so far speak for `pooled` than for `more`: not as a difference of sums, which would
        // have no digits left after a step that nothing explains
        double log_odds = std::log(static_cast<double>(pooled.n_draws)) - std::log(static_cast<double>(more.n_draws));
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t) {
            const double one = pooled.log_density[t], other = more.log_density[t];
            pooled.log_density[t] = log_add_exp(one - log1p_exp(-log_odds), other - log1p_exp(log_odds));
            log_odds += one - other;
        }
    }
    pooled.filtered += more.filtered;
    pooled.smoothed += more.smoothed;
    pooled.n_draws += more.n_draws;
}

OnlineFilter::OnlineFilter(const std::vector<State>& draws) {
    check_not_empty("OnlineFilter", "draws", draws.size());
    for (const State& draw : draws) {
        if (has_durations(draw.durations))
            throw std::domain_error("OnlineFilter: draws must be those of Markov chains, found one with durations");
        const arma::umat& theta = hmmlt::bits(draw.locations);
        draws_.push_back({transition_of(draw), with_bits(draw.emission, theta), as_reals(theta), {}});
    }
    restart();
}

void OnlineFilter::restart() {
    for (Draw& draw : draws_) draw.log_f.reset();
    log_weight_.set_size(draws_.size());
    log_weight_.fill(-std::log(static_cast<double>(draws_.size())));
}

double OnlineFilter::step(const Observations& step) {
    check_size("OnlineFilter::step", "the steps of step", step.sequences.n_steps(), 1);
    arma::vec log_joint(draws_.size());  // log w_g p(y_t | y_1 .. y_t-1, draw g)
    std::vector<arma::vec> log_f(draws_.size());
    for (arma::uword g = 0; g < draws_.size(); ++g) {
        log_f[g] = draws_[g].log_f;
        log_joint[g] =
            log_weight_[g] + filter_step(draws_[g].transition, log_lik_of_step(draws_[g].emission, step), log_f[g]);
        if (log_joint[g] == minus_infinity)
            throw std::runtime_error("OnlineFilter::step: no state has a positive probability");
    }
    for (arma::uword g = 0; g < draws_.size(); ++g) draws_[g].log_f = std::move(log_f[g]);
    const double log_density = log_sum_of(log_joint);
    log_weight_ = log_joint - log_density;
    return log_density;
}

arma::vec OnlineFilter::bits() const {
    arma::vec sum(draws_.front().theta.n_rows, arma::fill::zeros);
    for (const Draw& draw : draws_)
        if (!sum.is_empty()) sum += draw.theta * arma::exp(draw.log_f);
    return sum / static_cast<double>(draws_.size());
}

arma::vec OnlineFilter::states(arma::uword draw) const {
    check_below("OnlineFilter::states", "draw", draw, draws_.size());
    return arma::exp(draws_[draw].log_f);
}

}  // namespace hmmlt
