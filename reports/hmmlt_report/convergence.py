"""R-hat and effective sample size of any series of several chains, computed by ArviZ."""

import numpy as np
from arviz_stats.base import array_stats

from .chains import Chain, watched

CONVERGED = 1.05
FEWEST = 4  # values of a chain: two in each half


def stacked(chains: list[Chain], quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Sweeps after burn-in that all chains have, and the values there: chains x sweeps."""
    series = [chain.after_burn_in(watched(quantity)) for chain in chains]
    if not series:
        return np.empty(0, int), np.empty((0, 0))
    shared = series[0].index
    for one in series[1:]:
        shared = shared.intersection(one.index)
    return shared.to_numpy(), np.array([one.loc[shared].to_numpy(float) for one in series])


def rhat(chains: list[Chain], quantity: str) -> float:
    """Rank-normalised split R-hat; 1 if all chains stand at one value; NaN for one chain or fewer than four values."""
    _, values = stacked(chains, quantity)
    if len(values) < 2 or values.shape[1] < FEWEST or not np.isfinite(values).all():
        return np.nan
    if (values == values[0, 0]).all():
        return 1.0
    if (values == values[:, :1]).all():
        return np.inf  # each chain stands still at a value of its own
    return float(array_stats.rhat(values, chain_axis=0, draw_axis=1))


def ess_bulk(chains: list[Chain], quantity: str) -> float:
    _, values = stacked(chains, quantity)
    if values.size == 0 or values.shape[1] < FEWEST or not np.isfinite(values).all():
        return np.nan
    return float(array_stats.ess(values, chain_axis=0, draw_axis=1, method="bulk"))
