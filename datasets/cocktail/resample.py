"""Band-limited resampling of 16-bit sound by a ratio of whole numbers, the same bytes on every machine.

A polyphase windowed sinc, written as one matrix product. Samples and filter are whole numbers, and every product and
partial sum stays below 2^53: so the sums are exact in double precision, whatever the order in which a BLAS adds them.
"""

import functools
import math

import numpy as np

HALF_WIDTH = 64  # of the filter, in periods of the lower of the two rates
KAISER_BETA = 10.0  # stop band about 100 dB down, below the noise of 16 bits
ONE = 1 << 24  # the filter's fixed point: ONE * 2^15 * (number of taps) is far below 2^53


@functools.cache
def filter_matrix(up: int, down: int) -> tuple[np.ndarray, int]:
    """The weights of `down + 2 * margin` inputs in each of the `up` outputs of one block of `down` inputs; margin."""
    slower = min(1.0, up / down)  # the lower rate, in units of the input rate
    margin = math.ceil(HALF_WIDTH / slower)
    position = np.arange(-margin, down + margin)[:, None]
    periods = (position - np.arange(up) * down / up) * slower
    transition = (100 - 8) / (14.36 * 2 * HALF_WIDTH)  # Kaiser's rule: width of the edge in units of the lower rate
    cutoff = 1.0 - transition  # of the lower Nyquist frequency, so that the edge ends there
    window = np.i0(KAISER_BETA * np.sqrt(np.clip(1.0 - (periods / HALF_WIDTH) ** 2, 0.0, None))) / np.i0(KAISER_BETA)
    weights = np.where(np.abs(periods) < HALF_WIDTH, cutoff * slower * np.sinc(cutoff * periods) * window, 0.0)
    return np.rint(ONE * weights), margin


def resample(samples: np.ndarray, rate: int, new_rate: int) -> np.ndarray:
    """int16 samples at `rate` as int16 samples at `new_rate`; the first sample stays where it is."""
    common = math.gcd(rate, new_rate)
    up, down = new_rate // common, rate // common
    weights, margin = filter_matrix(up, down)
    n_blocks = -(-len(samples) // down)
    padded = np.zeros(n_blocks * down + 2 * margin)
    padded[margin : margin + len(samples)] = samples
    blocks = np.lib.stride_tricks.sliding_window_view(padded, down + 2 * margin)[::down]
    out = (blocks @ weights).ravel()[: -(-len(samples) * up // down)]
    return np.clip(np.rint(out / ONE), -32768, 32767).astype("<i2")
