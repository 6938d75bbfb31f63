"""Steps under one draw of the parameters: how likely is each state, and how likely that it changes there."""

import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from .chains import Chain, ReportError, read_table
from .semi_markov import DURATIONS, duration_table, has_durations, smooth_segments

EMISSIONS = ("linear_gaussian", "gaussian", "categorical")  # those of log_densities()
DYNAMICS = ("markov", "beam", "semi_markov")
OF_STATES = ("theta", "mean", "log_theta", *DURATIONS)
PARAMETERS = (*OF_STATES, "weights", "h")


@dataclass(frozen=True)
class Draw:
    chain: int
    sweep: int
    states: np.ndarray  # their numbers in the chain
    start: np.ndarray
    transition: np.ndarray
    arrays: dict[str, np.ndarray]  # of emission and durations, one column per state where they have states
    named_bits: bool  # whether bits of different draws are the same ones


def obstacle(chain: Chain) -> str | None:
    """Why no draw of its model can be decoded here, in words."""
    dynamics, emission = chain.config.get("model.dynamics", "markov"), chain.config.get("model.emission.kind")
    if dynamics == "factorial":
        return "A factorial model has many states at a time, one in each of its chains"
    if dynamics not in DYNAMICS:
        return f"The dynamics “{dynamics}” cannot be decoded here"
    if emission not in EMISSIONS:
        return f"The density of the emission “{emission}” is not known here"
    return None


def draw_sweeps(chain: Chain) -> list[int]:
    """Those with a draw that can be decoded."""
    if obstacle(chain):
        return []
    path = chain.directory / "draws.parquet"
    if not path.exists():
        return []
    found = read_table(path, columns=["sweep"], filters=pc.field("variable") == "n_steps")["sweep"]
    return sorted(int(sweep) for sweep in found.unique())


def read_draws(chain: Chain, sweeps: list[int]) -> list[Draw]:
    needed = ["n_steps", "start", "transition", *PARAMETERS]
    wanted = pc.field("sweep").isin(sweeps) & pc.field("variable").isin(needed)
    path = chain.directory / "draws.parquet"
    rows = read_table(path, columns=["sweep", "variable", "i", "j", "value"], filters=wanted)
    return [one_draw(chain, int(sweep), of_sweep) for sweep, of_sweep in rows.groupby("sweep")]


def dense(rows: pd.DataFrame, columns: np.ndarray | None) -> np.ndarray:
    """An array from its cells; with `columns`, the numbers of states that its columns stand for."""
    place = rows["j"].to_numpy() if columns is None else np.searchsorted(columns, rows["j"].to_numpy())
    out = np.zeros((int(rows["i"].max()) + 1, len(columns) if columns is not None else int(place.max()) + 1))
    out[rows["i"].to_numpy(), place] = rows["value"].to_numpy()
    return out


def one_draw(chain: Chain, sweep: int, rows: pd.DataFrame) -> Draw:
    by_name = dict(list(rows.groupby("variable")))
    states = np.sort(by_name["n_steps"]["j"].to_numpy())
    kept = by_name["transition"]
    transition = np.zeros((len(states), len(states)))
    transition[np.searchsorted(states, kept["i"]), np.searchsorted(states, kept["j"])] = kept["value"]
    start = np.zeros(len(states))
    start[np.searchsorted(states, by_name["start"]["j"])] = by_name["start"]["value"]
    arrays = {}
    for name in PARAMETERS:
        if name in by_name:
            of_states = name in OF_STATES or (name == "h" and "mean" in by_name)
            arrays[name] = dense(by_name[name], states if of_states else None)
    return Draw(chain.number, sweep, states, start, transition, arrays, not chain.learns_weights)


def emitted(draw: Draw) -> tuple[np.ndarray, np.ndarray]:
    """Mean and precision of every channel (rows) in every state."""
    if "mean" in draw.arrays:
        return draw.arrays["mean"], draw.arrays["h"]
    weights, theta = draw.arrays["weights"], draw.arrays["theta"]
    mean = weights[:1].T + weights[1:].T @ theta
    return mean, np.broadcast_to(draw.arrays["h"], mean.shape)


def kind_of(n_channels: int | None) -> str:
    return "symbols" if n_channels is None else f"{n_channels} columns y_0, y_1, ..."


def check_fits(draw: Draw, y: np.ndarray | None, symbols: np.ndarray | None, where: pathlib.Path) -> None:
    """Refuses data of another kind than the draw's chain was trained on."""
    trained_on = None if "log_theta" in draw.arrays else len(emitted(draw)[0])
    found = None if y is None else y.shape[1]
    if found != trained_on:
        raise ReportError(
            f"{where}: expected {kind_of(trained_on)}, as the chains were trained on, found {kind_of(found)}"
        )
    n_symbols = len(draw.arrays["log_theta"]) if trained_on is None else np.inf
    if symbols is not None and symbols.max() >= n_symbols:
        raise ReportError(
            f"{where}: expected symbols below {n_symbols}, as the chains were trained on, found {symbols.max()}"
        )


def log_densities(draw: Draw, y: np.ndarray | None, symbols: np.ndarray | None) -> np.ndarray:
    """Steps x states; what is missing (NaN, or a symbol below 0) says nothing. Equations: docs/model.md, emissions."""
    if symbols is not None:
        log_theta = draw.arrays["log_theta"]
        return np.where(symbols[:, None] >= 0, log_theta[np.clip(symbols, 0, None)], 0.0)
    mean, h = emitted(draw)
    out = np.zeros((len(y), mean.shape[1]))
    for channel, values in enumerate(y.T):
        seen = np.isfinite(values)
        off = values[seen, None] - mean[channel]
        out[seen] += 0.5 * (np.log(h[channel] / (2 * np.pi)) - h[channel] * off**2)
    return out


def smooth(draw: Draw, log_density: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """P(state at t | the whole sequence), and P(state at t is another than at t - 1), which no numbering can change."""
    n_steps, n_states = log_density.shape
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    forward = np.empty((n_steps, n_states))
    message = draw.start * density[0]
    forward[0] = message / message.sum()
    for t in range(1, n_steps):
        message = (forward[t - 1] @ draw.transition) * density[t]
        total = message.sum()
        forward[t] = message / total if total > 0 else density[t] / density[t].sum()
    smoothed = np.empty_like(forward)
    smoothed[-1] = forward[-1]
    change = np.zeros(n_steps)
    backward = np.ones(n_states)
    for t in range(n_steps - 1, 0, -1):
        ahead = density[t] * backward
        stays = forward[t - 1] * np.diag(draw.transition) * ahead
        backward = draw.transition @ ahead
        joint = forward[t - 1] * backward
        total = joint.sum()
        if total > 0:
            change[t] = 1.0 - stays.sum() / total
            smoothed[t - 1] = joint / total
        else:
            change[t], smoothed[t - 1], backward = 1.0, forward[t - 1], np.ones(n_states)
        backward = backward / max(backward.max(), 1e-300)
    return smoothed, np.clip(change, 0.0, 1.0)


def smoother(draw: Draw, longest: int) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """smooth() or its like for states with durations, of sequences of at most `longest` steps."""
    if not has_durations(draw.arrays):
        return partial(smooth, draw)
    return partial(smooth_segments, draw.start, draw.transition, duration_table(draw.arrays, longest))
