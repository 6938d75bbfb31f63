"""Draws prepared chorales: which chords are common, how rare the rest are, how long the scores are; prints the numbers."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

TRAIN, TEST, INK = "#2a5d8f", "#d1603d", "#333333"
N_NAMED = 20  # most common chords that are named


def pretty(name: str) -> str:
    """A chord from soprano to bass with the signs that musicians use: "B-3" is B flat 3, "r" a rest."""
    words = ("\u2013" if p == "r" else p[0] + {"#": "\u266f", "-": "\u266d"}.get(p[1], "") + p[-1] for p in name.split())
    return "  ".join(words)


def read(folder: pathlib.Path) -> tuple[pd.Series, pd.Series]:
    """The symbols of a set, and the length of each of its scores."""
    observations = pd.read_parquet(folder / "observations.parquet")
    return observations["symbol"], observations.groupby("sequence").size()


def draw_common(axes, counts: pd.DataFrame, names: pd.Series) -> None:
    common = counts.head(N_NAMED)
    place = np.arange(len(common))[::-1]
    axes.barh(place, common["train"], color=TRAIN, height=0.75, label="to train on")
    axes.barh(place, common["test"], left=common["train"], color=TEST, height=0.75, label="to test on")
    for y, total in zip(place, common["all"]):
        axes.text(total + 0.01 * common["all"].max(), y, f"{total}", va="center", color=INK, fontsize=8)
    axes.set_yticks(place, [pretty(names[s]) for s in common.index], family="DejaVu Sans Mono", fontsize=8.5)
    axes.set(xlabel="occurrences", title=f"the {len(common)} most common chords, soprano to bass")
    axes.set_xlim(0, 1.1 * common["all"].max())
    axes.legend(loc="lower right", frameon=False)


def draw_ranks(axes, counts: pd.DataFrame, names: pd.Series) -> None:
    rank = np.arange(1, len(counts) + 1)
    total = counts["all"].to_numpy()
    only_test = (counts["train"] == 0).to_numpy()
    axes.scatter(rank[~only_test], total[~only_test], s=9, color=TRAIN, lw=0, label="in the training scores")
    axes.scatter(rank[only_test], total[only_test], s=9, color=TEST, lw=0,
                 label=f"only in the test scores: {only_test.sum()}")  # fmt: skip
    for named in (30, 100, 300, 1000):  # the first ones have their names in the other panel
        if named > len(counts):
            break
        place = (named, total[named - 1])
        axes.scatter(*place, s=16, facecolor="white", edgecolor=INK, lw=0.8, zorder=3)
        text = f"{named:,}th: " + pretty(names[counts.index[named - 1]]).replace("  ", " ")
        axes.annotate(text, place, (-6, -3), textcoords="offset points", ha="right", va="top", fontsize=8, color=INK)
    axes.text(1, 1.0, f"{(total == 1).sum():,} of {len(counts):,} chords occur once", va="center", color=INK, fontsize=8.5)
    axes.set(xscale="log", yscale="log", xlabel="rank of the chord", ylabel="occurrences")
    axes.set(title="few chords are common, most are rare", ylim=(0.7, 2 * total[0]))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="upper right", frameon=False, markerscale=2)


def draw_lengths(axes, train: pd.Series, test: pd.Series) -> None:
    both = pd.concat([train, test])
    edges = np.arange(0, both.max() + 10, 10)
    axes.hist([train, test], bins=edges, stacked=True, color=[TRAIN, TEST],
              label=[f"{len(train)} to train on", f"{len(test)} to test on"])  # fmt: skip
    axes.axvline(both.median(), color=INK, lw=1, ls=":", label=f"median {both.median():.0f}")
    axes.set(xlabel="chords in a score", ylabel="scores", title="lengths of the scores", xlim=(0, edges[-1]))
    axes.legend(loc="upper right", frameon=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data directory of hmmlt-prepare-chorales")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the picture to write (PNG)")
    arguments = parser.parse_args()

    names = pd.read_parquet(arguments.data / "vocabulary.parquet").set_index("symbol")["name"]
    train, train_lengths = read(arguments.data)
    test, test_lengths = read(arguments.data / "test")
    counts = pd.DataFrame({"train": train.value_counts(), "test": test.value_counts()}, index=names.index)
    counts = counts.fillna(0).astype(int)
    counts["all"] = counts["train"] + counts["test"]
    # Among equally common chords, those that occur in the test scores only come last.
    counts = counts.sort_values(["all", "train"], ascending=False, kind="stable")

    plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 11})
    figure = plt.figure(figsize=(12, 6.5), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1.15, 1])
    draw_common(figure.add_subplot(grid[:, 0]), counts, names)
    draw_ranks(figure.add_subplot(grid[0, 1]), counts, names)
    draw_lengths(figure.add_subplot(grid[1, 1]), train_lengths, test_lengths)
    figure.suptitle(
        f"{len(train_lengths) + len(test_lengths)} scores, {counts['all'].sum():,} chords, {len(counts):,} different ones",
        fontsize=13,
    )
    partial = arguments.out.with_suffix(".partial.png")
    figure.savefig(partial, dpi=120, metadata={"Software": None})
    partial.replace(arguments.out)
    head = counts["all"].head(N_NAMED).sum() / counts["all"].sum()
    print(
        f"{arguments.data}: the {N_NAMED} most common chords make up {100 * head:.0f} % of the tokens, "
        f"{int((counts['all'] == 1).sum())} of {len(counts)} types occur once"
    )


if __name__ == "__main__":
    main()
