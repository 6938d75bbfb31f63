// Steps are done in blocks, so that log likelihoods, in double, never leave the cache.
#include "hmmlt/emission/scaled_likelihoods.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "hmmlt/emission/checks.hpp"
#include "hmmlt/emission/normal_products.hpp"
#include "hmmlt/math/checks.hpp"
#include "hmmlt/math/flush_denormals.hpp"

namespace hmmlt {

namespace {

constexpr arma::uword steps_per_block = 64;

Observations steps_of(const Observations& observations, arma::uword first, arma::uword last) {
    Observations some{Sequences::of_lengths({last - first}), {}, {}};
    if (!observations.y.is_empty()) some.y = observations.y.cols(first, last - 1);
    if (!observations.symbol.is_empty()) some.symbol = observations.symbol.subvec(first, last - 1);
    return some;
}

// Calls fill(first, last, log_lik) for blocks of steps; log_lik, states x (last - first), becomes columns.
template <typename Real, typename Fill>
void fill_by_blocks(const Observations& observations, arma::uword n_rows, Likelihoods<Real>& likelihoods,
                    const Fill& fill) {
    const arma::uword n_steps = observations.sequences.n_steps();
    likelihoods.set_size(n_rows, n_steps, n_steps);
    std::iota(likelihoods.column.begin(), likelihoods.column.end(), std::uint32_t{0});
    arma::mat log_lik;
    for (arma::uword first = 0; first < n_steps; first += steps_per_block) {
        const arma::uword last = std::min(first + steps_per_block, n_steps);
        fill(first, last, log_lik);
        for (arma::uword t = first; t < last; ++t) likelihoods.set_column(t, log_lik.colptr(t - first), log_lik.n_rows);
    }
}

template <typename Real, typename State>
void scaled_of(const State& state, const arma::umat& theta, const Observations& observations, const arma::uvec& states,
               arma::uword n_rows, Likelihoods<Real>& likelihoods) {
    arma::mat all;
    fill_by_blocks(observations, n_rows, likelihoods, [&](arma::uword first, arma::uword last, arma::mat& out) {
        log_likelihood(state, theta, steps_of(observations, first, last), all);
        out = all.rows(states);
    });
}

// One product of matrices, if its rounding errors are below those of a float.
template <typename State>
void scaled_of_channels(const State& state, const arma::umat& theta, const Observations& observations,
                        const arma::uvec& states, arma::uword n_rows, Likelihoods<float>& likelihoods) {
    NormalProducts products(state, theta, observations, states);
    if (!products.exact_enough())
        return scaled_of<float, State>(state, theta, observations, states, n_rows, likelihoods);
    fill_by_blocks(observations, n_rows, likelihoods, [&](arma::uword first, arma::uword last, arma::mat& out) {
        products.log_likelihood(first, last, out);
    });
    for (arma::uword t = 0; t < likelihoods.log_scale.size(); ++t) likelihoods.log_scale[t] += products.shared()[t];
}

void scaled_of(const LinearGaussianState& state, const arma::umat& theta, const Observations& observations,
               const arma::uvec& states, arma::uword n_rows, Likelihoods<float>& likelihoods) {
    scaled_of_channels(state, theta, observations, states, n_rows, likelihoods);
}

void scaled_of(const GaussianState& state, const arma::umat& theta, const Observations& observations,
               const arma::uvec& states, arma::uword n_rows, Likelihoods<float>& likelihoods) {
    scaled_of_channels(state, theta, observations, states, n_rows, likelihoods);
}

// One column per symbol that occurs, and one for missing steps.
template <typename Real>
void scaled_of(const CategoricalState& state, const arma::umat&, const Observations& observations,
               const arma::uvec& states, arma::uword n_rows, Likelihoods<Real>& likelihoods) {
    const arma::uword n_symbols = state.log_theta.n_rows;
    check_not_empty("scaled_likelihoods", "state.log_theta", state.log_theta.n_elem);
    check_symbols("scaled_likelihoods", observations, n_symbols);
    constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> column_of(n_symbols + 1, unseen);  // the last one is the missing symbol
    std::vector<arma::uword> symbols;
    const auto place = [&](arma::sword symbol) {
        return symbol == no_symbol ? n_symbols : static_cast<arma::uword>(symbol);
    };
    for (const arma::sword symbol : observations.symbol)
        if (std::uint32_t& column = column_of[place(symbol)]; column == unseen) {
            column = static_cast<std::uint32_t>(symbols.size());
            symbols.push_back(place(symbol));
        }
    likelihoods.set_size(n_rows, symbols.size(), observations.symbol.n_elem);
    std::transform(observations.symbol.begin(), observations.symbol.end(), likelihoods.column.begin(),
                   [&](arma::sword symbol) { return column_of[place(symbol)]; });
    arma::mat log_lik(states.n_elem, steps_per_block);
    for (arma::uword first = 0; first < symbols.size(); first += steps_per_block) {
        const arma::uword last = std::min<arma::uword>(first + steps_per_block, symbols.size());
        for (arma::uword row = 0; row < states.n_elem; ++row) {  // theta is read state by state, as it lies in memory
            const double* log_theta = state.log_theta.colptr(states[row]);
            for (arma::uword c = first; c < last; ++c)
                log_lik.at(row, c - first) = symbols[c] == n_symbols ? 0.0 : log_theta[symbols[c]];
        }
        for (arma::uword c = first; c < last; ++c) likelihoods.set_column(c, log_lik.colptr(c - first), log_lik.n_rows);
    }
}

}  // namespace

template <typename Real>
void scaled_likelihoods(const EmissionState& state, const arma::umat& theta, const Observations& observations,
                        const arma::uvec& states, arma::uword n_rows, Likelihoods<Real>& likelihoods) {
    const FlushDenormals guard;
    std::visit([&](const auto& part) { scaled_of(part, theta, observations, states, n_rows, likelihoods); }, state);
}

template void scaled_likelihoods(const EmissionState&, const arma::umat&, const Observations&, const arma::uvec&,
                                 arma::uword, Likelihoods<float>&);
template void scaled_likelihoods(const EmissionState&, const arma::umat&, const Observations&, const arma::uvec&,
                                 arma::uword, Likelihoods<double>&);

}  // namespace hmmlt
