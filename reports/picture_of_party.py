"""Draws a cocktail party: who speaks when, in which conversation, and what the microphones hear; prints its numbers."""

import argparse
import json
import pathlib

import pandas as pd
from picture_of_data import family

import matplotlib.pyplot as plt  # after picture_of_data, which settles that no window opens
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.ticker import MaxNLocator

INK, FAINT, PAPER = "#222222", "#8a8a8a", "#ffffff"
HUES = ("#0072b2", "#d55e00", "#009e73", "#8e5ba6", "#b8860b", "#56a0d3")  # told apart by colour-blind readers too


def draw_truth(axes, theta: np.ndarray, speakers: list[dict]) -> None:
    """A row per speaker, in the colour of the conversation; a pale ground shows whose rows they are."""
    conversation = np.array([speaker["conversation"] for speaker in speakers])
    image = np.empty((*theta.shape, 3))
    for row, (on, group) in enumerate(zip(theta, conversation)):
        hue = np.array(to_rgb(HUES[group % len(HUES)]))
        ground = np.array(to_rgb(PAPER)) * 0.93 + hue * 0.07
        image[row] = np.where(on[:, None] > 0, hue, ground)
    axes.imshow(image, aspect="auto", interpolation="nearest")
    axes.set_yticks(range(len(speakers)), [speaker["name"] for speaker in speakers], fontsize=8)
    for group in np.unique(conversation):
        rows = np.flatnonzero(conversation == group)
        if rows[0] > 0:
            axes.axhline(rows[0] - 0.5, color=PAPER, linewidth=3)
        where = {"transform": axes.get_yaxis_transform(), "color": HUES[group % len(HUES)], "fontsize": 9}
        axes.text(1.008, rows.mean(), f"conversation {group + 1}", va="center", **where)


def draw_crowd(axes, theta: np.ndarray, n_conversations: int) -> None:
    """How many speak at once."""
    axes.fill_between(np.arange(theta.shape[1]), theta.sum(axis=0), step="mid", color="#c9c9c9", linewidth=0)
    axes.set(ylim=(0, n_conversations + 0.2), yticks=[0, n_conversations])
    axes.set_ylabel("speaking\nat once", rotation=0, ha="right", va="center", labelpad=10)


def draw_channels(figure, axes, y: np.ndarray) -> None:
    low, high = np.nanpercentile(y, [0.5, 99.5])
    image = axes.imshow(y, aspect="auto", interpolation="nearest", cmap="cividis", vmin=low, vmax=high)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(ylabel="microphone", xlabel="time step")
    figure.colorbar(image, cax=axes.inset_axes([1.012, 0, 0.012, 1])).outline.set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data directory of hmmlt-prepare-pascal")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the picture to write (PNG)")
    arguments = parser.parse_args()

    statistics = json.loads((arguments.data / "statistics.json").read_text())
    train, speakers = statistics["train"], statistics["speakers"]
    y = family(pd.read_parquet(arguments.data / "observations.parquet"), "y")
    theta = family(pd.read_parquet(arguments.data / "truth.parquet"), "theta")
    n_conversations = 1 + max(speaker["conversation"] for speaker in speakers)

    plt.rcParams.update({"text.color": INK, "axes.labelcolor": INK, "font.size": 9})
    figure = plt.figure(figsize=(11, 7.2), layout="constrained")
    top, middle, below = figure.subplots(3, 1, sharex=True, height_ratios=[len(speakers), 2.2, len(y)])
    draw_truth(top, theta, speakers)
    draw_crowd(middle, theta, n_conversations)
    draw_channels(figure, below, y)
    for axes in (top, middle, below):
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
    top.set_title(
        f"{len(speakers)} speakers in {n_conversations} conversations, heard by {len(y)} microphones: "
        f"{train['n_steps']} steps, {100 * train['on_fraction']:.0f} % on, {train['n_joint_states']} joint states\n",
        loc="left", fontsize=11,
    )
    top.text(0, 1.015, statistics["corpus"], transform=top.transAxes, fontsize=9, color=FAINT)
    partial = arguments.out.with_suffix(".partial.png")
    figure.savefig(partial, dpi=200, metadata={"Software": None})
    partial.replace(arguments.out)
    print(f"{arguments.out}: {train['n_turns']} sentences, corpus: {statistics['corpus']}")


if __name__ == "__main__":
    main()
