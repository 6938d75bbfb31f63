"""Features whose weights were learnt have no names: which is which, and which way round, is found by matching."""

import numpy as np
from scipy.optimize import linear_sum_assignment


def differences(reference: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Expected number of steps at which row d of one and row e of the other differ, for all d, e; values are 0 to 1."""
    return reference @ (1 - found.T) + (1 - reference) @ found.T


def matched(reference: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Rows of `found` in the order of the reference, turned over where that helps, as hmmlt-evaluate matches them.

    Features x steps. A row of the reference without a partner is off; a found one without a partner is left out.
    """
    n = max(len(reference), len(found))
    pad = np.zeros((n, reference.shape[1]))
    rows, features = pad.copy(), pad.copy()
    rows[: len(reference)], features[: len(found)] = reference, found
    different = differences(rows, features)
    turned = reference.shape[1] - different
    turned[:, len(found) :] = np.inf  # one that is not there cannot be turned over
    _, partner = linear_sum_assignment(np.minimum(different, turned))
    out = features[partner]
    over = turned[np.arange(n), partner] < different[np.arange(n), partner]
    out[over] = 1 - out[over]
    return out[: len(reference)]
