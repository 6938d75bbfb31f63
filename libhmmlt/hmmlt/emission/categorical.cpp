// Probabilities live as logarithms: with a small a_theta those of unseen symbols underflow.
#include "hmmlt/emission/categorical.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <span>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/column_shares.hpp"
#include "hmmlt/math/equality.hpp"
#include "hmmlt/random/categorical.hpp"
#include "hmmlt/random/dirichlet.hpp"

namespace hmmlt {

namespace {

void check_categorical(const char* function, const CategoricalSpec& spec) {
    check_not_empty(function, "spec.concentration", spec.concentration.n_elem);
    for (const double a : spec.concentration) check_positive_finite(function, "spec.concentration", a);
}

std::span<const double> column(const arma::mat& matrix, arma::uword index) {
    return {matrix.colptr(index), matrix.n_rows};
}

std::span<double> column(arma::mat& matrix, arma::uword index) {
    return {matrix.colptr(index), matrix.n_rows};
}

}  // namespace

bool operator==(const CategoricalState& a, const CategoricalState& b) {
    return same_values(a.log_theta, b.log_theta);
}

bool operator==(const CategoricalSpec& a, const CategoricalSpec& b) {
    return same_values(a.concentration, b.concentration);
}

CategoricalSpec CategoricalSpec::symmetric(arma::uword n_symbols, double concentration) {
    return {arma::vec(n_symbols, arma::fill::value(concentration))};
}

arma::mat symbol_concentration(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                               arma::uword n_states) {
    check_categorical("symbol_concentration", spec);
    check_symbols("symbol_concentration", observations, spec.n_symbols());
    check_states("symbol_concentration", observations, z, n_states);
    arma::mat concentration = arma::repmat(spec.concentration, 1, n_states);
    for (arma::uword t = 0; t < z.n_elem; ++t) {
        const arma::sword symbol = observations.symbol[t];
        if (symbol != no_symbol) concentration.at(static_cast<arma::uword>(symbol), z[t]) += 1.0;
    }
    return concentration;
}

arma::mat posterior_mean_theta(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                               arma::uword n_states) {
    return column_shares(symbol_concentration(spec, observations, z, n_states));
}

CategoricalState draw_emission(const CategoricalSpec& spec, arma::uword n_states, const BlockStreams& rng) {
    check_categorical("draw_emission", spec);
    CategoricalState state{arma::mat(spec.n_symbols(), n_states)};
    for (arma::uword j = 0; j < n_states; ++j) {
        Stream stream = rng.item(j);
        draw_log_dirichlet(spec.concentration, column(state.log_theta, j), stream);
    }
    return state;
}

void sample_emission(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                     const arma::umat&, CategoricalState& state, const BlockStreams& rng) {
    check_size("sample_emission", "the rows of state.log_theta", state.log_theta.n_rows, spec.n_symbols());
    const arma::mat concentration = symbol_concentration(spec, observations, z, state.log_theta.n_cols);
    for (arma::uword j = 0; j < concentration.n_cols; ++j) {
        Stream stream = rng.item(j);
        draw_log_dirichlet(column(concentration, j), column(state.log_theta, j), stream);
    }
}

CategoricalState expected_emission(const CategoricalSpec& spec, const Observations& observations, const arma::uvec& z,
                                   const arma::umat&, const CategoricalState& state) {
    return {arma::log(posterior_mean_theta(spec, observations, z, state.log_theta.n_cols))};
}

void log_likelihood(const CategoricalState& state, const arma::umat&, const Observations& observations,
                    arma::mat& log_lik) {
    check_not_empty("log_likelihood", "state.log_theta", state.log_theta.n_elem);
    check_symbols("log_likelihood", observations, state.log_theta.n_rows);
    const arma::mat by_state = state.log_theta.t();  // one transposition instead of a cache miss per cell of log_lik
    log_lik.set_size(by_state.n_rows, observations.symbol.n_elem);
    for (arma::uword t = 0; t < log_lik.n_cols; ++t) {
        const arma::sword symbol = observations.symbol[t];
        if (symbol == no_symbol)
            log_lik.col(t).zeros();
        else
            std::copy_n(by_state.colptr(static_cast<arma::uword>(symbol)), by_state.n_rows, log_lik.colptr(t));
    }
}

double path_log_likelihood(const CategoricalState& state, const arma::umat&, const arma::uvec& z,
                           const Observations& observations) {
    check_symbols("path_log_likelihood", observations, state.log_theta.n_rows);
    check_states("path_log_likelihood", observations, z, state.log_theta.n_cols);
    double sum = 0.0;
    for (arma::uword t = 0; t < z.n_elem; ++t)
        if (const arma::sword symbol = observations.symbol[t]; symbol != no_symbol)
            sum += state.log_theta.at(static_cast<arma::uword>(symbol), z[t]);
    return sum;
}

double log_prior(const CategoricalSpec& spec, const CategoricalState& state) {
    check_categorical("log_prior", spec);
    check_size("log_prior", "the rows of state.log_theta", state.log_theta.n_rows, spec.n_symbols());
    double log_constant = boost::math::lgamma(arma::accu(spec.concentration));
    for (const double a : spec.concentration) log_constant -= boost::math::lgamma(a);
    return static_cast<double>(state.log_theta.n_cols) * log_constant +
           arma::accu(spec.concentration.t() * state.log_theta);
}

void draw_observations(const CategoricalState& state, const arma::umat&, const arma::uvec& z,
                       Observations& observations, const BlockStreams& rng) {
    check_states("draw_observations", observations, z, state.log_theta.n_cols);
    const Sequences& sequences = observations.sequences;
    observations.y.reset();
    observations.symbol.set_size(z.n_elem);
    for (arma::uword s = 0; s < sequences.count(); ++s) {
        Stream stream = rng.item(s);
        for (arma::uword t = sequences.first[s]; t < sequences.first[s + 1]; ++t)
            observations.symbol[t] =
                static_cast<arma::sword>(draw_categorical_log(column(state.log_theta, z[t]), stream));
    }
}

LinearEvidence evidence(const CategoricalState&, const Observations&, const arma::uvec&, arma::uword) {
    return {};
}

}  // namespace hmmlt
