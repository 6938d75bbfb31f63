"""Means with Student-t intervals: across chains at each sweep, and over chains within data sets."""

from dataclasses import dataclass

import numpy as np
from scipy import stats


@dataclass(frozen=True)
class Estimate:
    """A mean, its interval (NaN where there are too few values to have one), and the mean of each data set."""

    mean: float
    low: float
    high: float
    n: int
    of_data: dict[str, float]


def t_factor(n: int, level: float) -> float:
    """Half the width of a two-sided interval of a mean of n values, in standard deviations of a value."""
    return float(stats.t.ppf(0.5 + level / 2, n - 1) / np.sqrt(n)) if n > 1 else np.nan


def band(values: np.ndarray, level: float = 0.99) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, low, high over the rows (chains) of each column (sweep)."""
    mean = values.mean(axis=0)
    if len(values) < 2:
        return mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    half = t_factor(len(values), level) * values.std(axis=0, ddof=1)
    return mean, mean - half, mean + half


def stratified(values: dict[str, np.ndarray], level: float) -> Estimate:
    """Mean over data sets of their means over chains; the interval is about chains, on these data sets.

    Chains vary within a data set, so each contributes its own variance of a mean, with Welch and Satterthwaite's
    degrees of freedom. A data set with one chain borrows the pooled variance of the others; if all have one chain,
    the data sets themselves are the units.
    """
    kept = {name: np.asarray(of_one, float)[np.isfinite(of_one)] for name, of_one in values.items()}
    kept = {name: of_one for name, of_one in kept.items() if of_one.size}
    n = sum(of_one.size for of_one in kept.values())
    if not kept:
        return Estimate(np.nan, np.nan, np.nan, 0, {})
    means = {name: float(of_one.mean()) for name, of_one in kept.items()}
    mean = float(np.mean(list(means.values())))
    half = _half_width(list(kept.values()), level)
    return Estimate(mean, mean - half, mean + half, n, means)


def _half_width(samples: list[np.ndarray], level: float) -> float:
    sizes = np.array([sample.size for sample in samples])
    if sizes.max() == 1:
        units = np.array([sample[0] for sample in samples])
        return t_factor(len(units), level) * units.std(ddof=1) if len(units) > 1 else np.nan
    squares = np.array([((sample - sample.mean()) ** 2).sum() for sample in samples])
    pooled = squares.sum() / (sizes - 1).sum()
    variances = np.where(sizes > 1, squares / np.maximum(sizes - 1, 1), pooled)
    freedom = np.where(sizes > 1, sizes - 1, (sizes - 1).sum())
    of_means = variances / sizes
    total = of_means.sum()
    if total == 0:
        return 0.0
    degrees = total**2 / (of_means**2 / freedom).sum()
    return float(stats.t.ppf(0.5 + level / 2, degrees) * np.sqrt(total) / len(samples))
