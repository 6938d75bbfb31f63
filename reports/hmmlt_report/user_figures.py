"""Pictures of a user's own chains: what was observed with its segmentation, and traces of the sampler."""

import pathlib

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from .chains import Chain
from .curves import heading
from .figures import HUES, MORE_HUES, SOFT, WIDTH, Picture, store
from .quantities import label
from .segmentation import Segmentation
from .user_data import UserData

N_SEQUENCES = 4
N_LINES = 6  # channels that are drawn as lines; more become an image
COLOURS = [*HUES.values(), *MORE_HUES]


def draw_sequence(data: UserData, found: Segmentation, sequence: int, folder: pathlib.Path) -> Picture:
    here = data.sequence == sequence
    t, steps = data.t[here], found.steps[here]
    ratios = ([2.2] if data.y is not None else []) + [0.35, 1.0]
    figure, panels = plt.subplots(
        len(ratios), 1, figsize=(7.2, 1.15 * sum(ratios) + 0.7), sharex=True, height_ratios=ratios, layout="constrained"
    )
    if data.y is not None:
        draw_channels(panels[0], t, data.y[here], data.channels)
    states = steps["state"].to_numpy()
    top = int(found.steps["state"].max()) + 1
    colours = ListedColormap([COLOURS[k % len(COLOURS)] for k in range(top)])
    extent = (t[0] - 0.5, t[-1] + 0.5, 0, 1)
    panels[-2].imshow(
        states[None],
        aspect="auto",
        interpolation="none",
        cmap=colours,
        vmin=-0.5,
        vmax=top - 0.5,
        extent=extent,
        alpha=None,
    )
    panels[-2].set(yticks=[], ylabel="state")
    panels[-2].yaxis.label.set(rotation=0, ha="right", va="center")
    label_segments(panels[-2], t, states)
    panels[-1].fill_between(
        t,
        steps["change_probability"],
        step="mid",
        color="#d55e00",
        alpha=0.85,
        linewidth=0,
        label="probability of a change",
    )
    panels[-1].plot(t, steps["support"], color=SOFT, linewidth=0.8, label="support of the state")
    panels[-1].set(ylim=(0, 1.05), yticks=[0, 0.5, 1], xlabel="step", xlim=(t[0] - 0.5, t[-1] + 0.5))
    figure.legend(*panels[-1].get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=8.5)
    name = data.names.get(sequence, str(sequence))
    figure.suptitle(f"Sequence {name}", fontsize=10.5, x=0.01, ha="left")
    caption = (
        f"Sequence {name}: consensus states, the probability that the state changes at a step (whatever states are"
        " called), and the share of draws that agree with the state once their labels are matched."
    )
    return store(
        figure,
        folder,
        f"segmentation-{sequence}",
        f"Observations, consensus states and change-point probabilities of sequence {name}.",
        caption,
        wide=True,
        dpi=150,
    )


def draw_channels(axes, t: np.ndarray, y: np.ndarray, names: list[str]) -> None:
    if y.shape[1] <= N_LINES:
        for i, channel in enumerate(y.T):
            seen = channel[np.isfinite(channel)]
            if len(seen):
                axes.plot(t, (channel - seen.mean()) / (6 * (seen.std() or 1.0)) - i, color="#33363b", linewidth=0.7)
        axes.set_yticks([-i for i in range(len(names))], names, fontsize=8)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    else:
        low, high = np.nanpercentile(y, [0.5, 99.5])
        axes.imshow(
            y.T,
            aspect="auto",
            interpolation="none",
            cmap="cividis",
            vmin=low,
            vmax=high,
            extent=(t[0] - 0.5, t[-1] + 0.5, y.shape[1], 0),
        )
        axes.set(ylabel="channel")


def label_segments(axes, t: np.ndarray, states: np.ndarray) -> None:
    """Numbers in segments wide enough to hold one: colours alone would not do."""
    edges = np.r_[0, np.flatnonzero(np.diff(states)) + 1, len(states)]
    for begin, end in zip(edges[:-1], edges[1:]):
        if end - begin > 0.025 * len(states):
            middle = (t[begin] + t[end - 1]) / 2
            axes.text(
                middle, 0.5, str(states[begin]), ha="center", va="center", fontsize=8, color="white", fontweight="bold"
            )


def draw_traces(chains: list[Chain], names: list[str], folder: pathlib.Path) -> list[Picture]:
    out = []
    for name in names:
        figure = plt.figure(figsize=(WIDTH, 2.5), layout="constrained")
        axes = figure.subplots()
        seen = []
        for k, chain in enumerate(chains):
            series = chain.series(name)
            series = series.iloc[:: max(1, len(series) // 400)]
            axes.plot(
                series.index, series, color=COLOURS[k % len(COLOURS)], linewidth=0.8, label=f"chain {chain.number}"
            )
            seen.append(series[series.index >= series.index[-1] / 20].to_numpy())
        values = np.concatenate(seen)
        room = 0.06 * (values.max() - values.min()) or 0.5
        axes.axvspan(0, chains[0].burn_in, color="#f1f1f4", zorder=0, linewidth=0)
        axes.set(
            xlim=(0, None),
            ylim=(values.min() - room, values.max() + room),
            xlabel="sweep",
            title=heading(label(name)),
        )
        if len(chains) <= 6:
            axes.legend(fontsize=7.5, ncols=2)
        out.append(
            store(
                figure,
                folder,
                f"trace-{name}",
                f"Trace of {label(name)} by sweep, one line per chain.",
                f"{heading(label(name))} by sweep, one line per chain. Grey: burn-in.",
            )
        )
    return out
