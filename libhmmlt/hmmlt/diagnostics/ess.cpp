// Autocovariances by Fourier transform, then Geyer's (1992) sequences of pairs of lags.
#include "hmmlt/diagnostics/ess.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hmmlt/diagnostics/draws.hpp"

namespace hmmlt {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

bool is_usable(const arma::mat& draws) {
    return draws.n_rows >= 4 && draws.n_cols >= 1 && draws.is_finite();
}

// Autocorrelations rho(0), rho(1), ... over all chains: pairs of neighbouring lags as long as their sum is positive,
// and then none larger than the pair before. `n_lags` of them count twice in the sum, the one after them once.
struct InitialSequence {
    arma::vec rho;
    arma::uword n_lags = 0;
};

InitialSequence initial_monotone_sequence(const arma::vec& autocovariance, double within, double total) {
    const arma::uword n = autocovariance.n_elem;
    const auto rho_at = [&](arma::uword lag) { return 1.0 - (within - autocovariance(lag)) / total; };
    InitialSequence sequence{arma::vec(n, arma::fill::zeros), 0};
    arma::vec& rho = sequence.rho;
    double even = 1.0;
    double odd = rho_at(1);
    rho(0) = even;
    rho(1) = odd;
    arma::uword lag = 2;  // of the next pair
    while (lag + 2 < n && even + odd > 0.0) {
        even = rho_at(lag);
        odd = rho_at(lag + 1);
        if (even + odd >= 0.0) {
            rho(lag) = even;
            rho(lag + 1) = odd;
        }
        lag += 2;
    }
    sequence.n_lags = lag - 2;  // the last pair that was looked at counts by its even lag alone, and only once
    if (even > 0.0) rho(sequence.n_lags) = even;
    for (arma::uword pair = 2; pair + 1 < sequence.n_lags; pair += 2) {
        const double before = rho(pair - 2) + rho(pair - 1);
        if (rho(pair) + rho(pair + 1) > before) rho(pair) = rho(pair + 1) = before / 2.0;
    }
    return sequence;
}

}  // namespace

// Two chains share a transform, one as the real and one as the imaginary part z = a + ib: |z^|^2 is the sum of both
// power spectra and an odd function of the frequency, which goes into the imaginary part of the inverse. Powers add up,
// so that one inverse serves all chains.
arma::vec mean_autocovariance(const arma::mat& draws) {
    const arma::uword n = draws.n_rows;
    const arma::uword padded = std::bit_ceil(2 * n);  // so that no lag wraps around
    const auto centred = [&draws](arma::uword chain) -> arma::vec {
        return draws.col(chain) - arma::mean(draws.col(chain));
    };
    arma::vec power(padded, arma::fill::zeros);
    for (arma::uword chain = 0; chain < draws.n_cols; chain += 2) {
        const bool has_partner = chain + 1 < draws.n_cols;
        const arma::cx_vec pair(centred(chain), has_partner ? centred(chain + 1) : arma::vec(n, arma::fill::zeros));
        power += arma::square(arma::abs(arma::cx_vec(arma::fft(pair, padded))));
    }
    const arma::cx_vec spectrum(power, arma::vec(padded, arma::fill::zeros));
    const arma::vec sums = arma::real(arma::cx_vec(arma::ifft(spectrum)));
    return sums.head(n) / static_cast<double>(draws.n_elem);
}

double ess(const arma::mat& draws) {
    const auto n = static_cast<double>(draws.n_rows);
    const auto n_all = static_cast<double>(draws.n_elem);
    constexpr double resolution = 1e-15;  // ArviZ takes a smaller range for none
    if (draws.max() - draws.min() < resolution) return n_all;

    const arma::vec autocovariance = mean_autocovariance(draws);
    const double within = autocovariance(0) * n / (n - 1.0);
    double total = autocovariance(0);
    if (draws.n_cols > 1) total += arma::var(arma::vec(arma::mean(draws, 0).t()));
    const auto [rho, n_lags] = initial_monotone_sequence(autocovariance, within, total);
    double tau = -1.0 + rho(n_lags);
    for (arma::uword lag = 0; lag < n_lags; ++lag) tau += 2.0 * rho(lag);
    return n_all / std::max(tau, 1.0 / std::log10(n_all));
}

double ess_bulk(const arma::mat& draws) {
    return is_usable(draws) ? ess(rank_normalise(split_chains(draws))) : undefined;
}

double ess_tail(const arma::mat& draws) {
    if (!is_usable(draws)) return undefined;
    const auto at = [&](double p) {
        const double bound = quantile(draws, p);
        return ess(split_chains(arma::conv_to<arma::mat>::from(draws <= bound)));
    };
    return std::min(at(0.05), at(0.95));
}

}  // namespace hmmlt
