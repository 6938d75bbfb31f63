"""Rank-normalised split R-hat and bulk effective sample size (Vehtari et al. 2021), the numbers of ArviZ to the last bit.

Here, because ArviZ brings six packages and a start of seconds for these two; a test holds them against it.
"""

import numpy as np
from scipy import fft, stats


def split(values: np.ndarray) -> np.ndarray:
    """Chains x draws to halves x draws; the middle one of an odd number falls out."""
    half = values.shape[1] // 2
    return np.vstack((values[:, :half], values[:, -half:]))


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Each value's normal quantile at its rank among all chains, by Blom's rule."""
    ranks = stats.rankdata(values, method="average")
    return stats.norm.ppf((ranks - 3 / 8) / (values.size - 2 * (3 / 8) + 1)).reshape(values.shape)


def plain_rhat(values: np.ndarray) -> float:
    n_draws = values.shape[1]
    between = n_draws * np.var(values.mean(axis=1), ddof=1)
    within = np.var(values, axis=1, ddof=1).mean()
    return float(np.sqrt((between / within + n_draws - 1) / n_draws))


def rhat(values: np.ndarray) -> float:
    """Of chains x draws, at least 2 x 4: the larger one of that of the centre and that of the spread."""
    halves = split(values)
    folded = np.abs(halves - np.median(halves))
    return max(plain_rhat(normal_scores(halves)), plain_rhat(normal_scores(folded)))


def autocovariance(values: np.ndarray) -> np.ndarray:
    """Chains x lags, by a Fourier transform."""
    n_draws = values.shape[1]
    length = fft.next_fast_len(2 * n_draws)
    transformed = np.fft.rfft(values - values.mean(axis=1, keepdims=True), n=length, axis=1)
    transformed *= np.conjugate(transformed)
    return np.fft.irfft(transformed, n=length, axis=1)[:, :n_draws] / n_draws


def ess_bulk(values: np.ndarray) -> float:
    """Of chains x draws, at least 1 x 4."""
    scores = normal_scores(split(values))
    n_draws = scores.shape[1]
    if np.ptp(scores) < np.finfo(float).resolution:
        return float(scores.size)
    covariance = autocovariance(scores)
    within = np.mean(covariance[:, 0]) * n_draws / (n_draws - 1.0)
    total = within * (n_draws - 1.0) / n_draws + np.var(scores.mean(axis=1), ddof=1)

    def correlation(lag: int) -> float:
        return 1.0 - (within - np.mean(covariance[:, lag])) / total

    # Geyer's initial positive sequence: pairs of lags, for as long as their sums are positive
    rho = np.zeros(n_draws)
    even, odd = 1.0, correlation(1)
    rho[:2] = even, odd
    lag = 1
    while lag < n_draws - 3 and even + odd > 0.0:
        even, odd = correlation(lag + 1), correlation(lag + 2)
        if even + odd >= 0:
            rho[lag + 1 : lag + 3] = even, odd
        lag += 2
    last = lag - 2
    if even > 0:
        rho[last + 1] = even
    # and its initial monotone sequence: no sum is larger than the one before
    for lag in range(1, last - 1, 2):
        if rho[lag + 1] + rho[lag + 2] > rho[lag - 1] + rho[lag]:
            rho[lag + 1 : lag + 3] = (rho[lag - 1] + rho[lag]) / 2.0
    time = -1.0 + 2.0 * np.sum(rho[: last + 1]) + np.sum(rho[last + 1 : last + 2])
    return float(scores.size / max(time, 1 / np.log10(scores.size)))
