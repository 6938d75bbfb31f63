"""What a user's chains say together: change points, a consensus segmentation, its states and how sure all that is."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .chains import Chain
from .consensus import by_share, matching, medoid, relabelled, segments
from .decoding import Draw, check_fits, draw_sweeps, emitted, log_densities, read_draws, smoother
from .semi_markov import has_durations, mean_durations
from .user_data import UserData

MOST_DRAWS = 60
MOST_STEPS = 3_000_000  # steps x draws: about a minute
MOST_STEPS_WITH_DURATIONS = 500_000  # likewise


@dataclass(frozen=True)
class Segmentation:
    steps: pd.DataFrame  # sequence, t, state, support, change_probability
    segments: pd.DataFrame
    states: pd.DataFrame
    n_draws: int
    origin: str  # which draw the segmentation is


def chosen_draws(chains: list[Chain], n_steps: int) -> dict[int, list[int]]:
    """Place of a chain -> sweeps, evenly spaced, the same number of each."""
    semi_markov = chains[0].config.get("model.dynamics") == "semi_markov"
    most_steps = MOST_STEPS_WITH_DURATIONS if semi_markov else MOST_STEPS
    most = int(np.clip(most_steps // max(n_steps, 1), len(chains), MOST_DRAWS)) // len(chains)
    out = {}
    for place, chain in enumerate(chains):
        sweeps = draw_sweeps(chain)
        picked = (
            np.unique(np.linspace(0, len(sweeps) - 1, min(max(most, 1), len(sweeps))).round().astype(int))
            if sweeps
            else []
        )
        out[place] = [sweeps[i] for i in picked]
    return out


def decode(draw: Draw, data: UserData) -> tuple[np.ndarray, np.ndarray]:
    """Most probable state of each step (its place in the draw) and the probability that the state changes there."""
    log_density = log_densities(draw, data.y, data.symbols)
    path, change = np.empty(len(data.t), int), np.empty(len(data.t))
    sequences, lengths = np.unique(data.sequence, return_counts=True)
    smooth = smoother(draw, lengths.max())
    for sequence in sequences:
        here = data.sequence == sequence
        smoothed, change[here] = smooth(log_density[here])
        path[here] = smoothed.argmax(axis=1)
    return path, change


def segment(chains: list[Chain], data: UserData, say) -> Segmentation | None:
    """None where there are no draws that can be decoded."""
    chosen = chosen_draws(chains, len(data.t))
    draws = [draw for place, sweeps in chosen.items() if sweeps for draw in read_draws(chains[place], sweeps)]
    if not draws:
        return None
    check_fits(draws[0], data.y, data.symbols, data.folder)
    say(f"decoding {len(data.t):,} steps under {len(draws)} draws")
    paths, change = [], np.zeros(len(data.t))
    for draw in draws:
        path, of_draw = decode(draw, data)
        paths.append(path)
        change += of_draw / len(draws)
    best = medoid(paths)
    consensus = by_share(paths[best])
    labels = [matching(consensus, path) for path in paths]
    support = np.mean([relabelled(path, of_path) == consensus for path, of_path in zip(paths, labels)], axis=0)
    steps = pd.DataFrame(
        {"sequence": data.sequence, "t": data.t, "state": consensus, "support": support, "change_probability": change}
    )
    return Segmentation(
        steps,
        segment_table(steps),
        state_table(steps, draws, paths, labels, data),
        len(draws),
        f"chain {draws[best].chain}, sweep {draws[best].sweep}",
    )


def segment_table(steps: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for begin, end in segments(steps["sequence"].to_numpy(), steps["state"].to_numpy()):
        part = steps.iloc[begin:end]
        rows.append(
            {
                "sequence": part["sequence"].iloc[0],
                "begin": part["t"].iloc[0],
                "end": part["t"].iloc[-1],
                "steps": end - begin,
                "state": part["state"].iloc[0],
                "support": part["support"].mean(),
                "change_probability": part["change_probability"].iloc[0],
            }
        )
    return pd.DataFrame(rows)


def state_table(
    steps: pd.DataFrame, draws: list[Draw], paths: list, labels: list[dict], data: UserData
) -> pd.DataFrame:
    """Of each state of the consensus: how much, how long, in how many draws, and its parameters over these."""
    lengths = segment_table(steps)
    rows = []
    for state in range(int(steps["state"].max()) + 1):
        partners = [
            (draw, place)
            for draw, path, of_path in zip(draws, paths, labels)
            for place, new in of_path.items()
            if new == state
        ]
        row = {
            "state": state,
            "share": float((steps["state"] == state).mean()),
            "segments": int((lengths["state"] == state).sum()),
            "mean_length": float(lengths.loc[lengths["state"] == state, "steps"].mean()),
            "in_draws": len({(draw.chain, draw.sweep) for draw, _ in partners}) / len(draws),
            "support": float(steps.loc[steps["state"] == state, "support"].mean()),
        }
        rows.append(row | parameters(partners, data))
    return pd.DataFrame(rows)


def parameters(partners: list[tuple[Draw, int]], data: UserData) -> dict:
    """Bits where they have names; where they have none, what the state emits, which does not depend on their order."""
    if not partners:
        return {}
    arrays = partners[0][0].arrays
    out = {}
    if has_durations(arrays):
        durations = np.array([mean_durations(draw.arrays)[place] for draw, place in partners])
        out |= {"mean_duration": durations.mean(), "mean_duration, sd over draws": durations.std()}
    if "mean" in arrays or ("theta" in arrays and not partners[0][0].named_bits):
        laws = [(*emitted(draw), place) for draw, place in partners]
        means = np.array([mean[:, place] for mean, _, place in laws])
        deviations = np.array([h[:, place] ** -0.5 for _, h, place in laws])
        for i, name in enumerate(data.channels):
            out |= {
                f"{name}: mean": means[:, i].mean(),
                f"{name}: mean, sd over draws": means[:, i].std(),
                f"{name}: sd": deviations[:, i].mean(),
            }
    elif "theta" in arrays:
        on = np.mean([draw.arrays["theta"][:, place] for draw, place in partners], axis=0)
        out |= {f"bit {i}": value for i, value in enumerate(on)}
    elif "log_theta" in arrays:
        probability = np.mean([np.exp(draw.arrays["log_theta"][:, place]) for draw, place in partners], axis=0)
        top = np.argsort(-probability, kind="stable")[:5]
        out["most probable symbols"] = " · ".join(f"{data.labels.get(i, i)} {probability[i]:.2f}" for i in top)
    return out
