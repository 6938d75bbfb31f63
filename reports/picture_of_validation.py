"""Draws the tables of validation/: Geweke scores, ranks of the calibration, and how clearly each mutant dies."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from hmmlt_report.small_files import drawing, pixels
from scipy import stats

BLUE, RED, GREY = "#2c5f8a", "#b5402a", "#9a9a9a"
COLOURS = ["#1b6ca8", "#c8553d", "#588b8b", "#e0a030", "#7b5ea7", "#3d7a3d", "#a04668", "#444444", "#6aa5d8"]
LINES = ["-", "--", ":"]  # where colours begin again
N_BATCHES = 100  # of the standard errors behind a Geweke score: Student's t with one degree less


plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "hmmlt"})


def save(figure: plt.Figure, out: pathlib.Path) -> None:
    partial = out.with_suffix(".partial")
    partial.write_bytes(drawing(figure) if out.suffix == ".svg" else pixels(figure, dpi=120, colours=64)[0])
    plt.close(figure)
    partial.replace(out)


def draw_geweke(scores: pd.DataFrame, bound: float, out: pathlib.Path) -> None:
    designs = list(dict.fromkeys(scores["design"]))
    seeds = sorted(scores["seed"].unique())
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 1.2 + 0.22 * len(designs)), width_ratios=[1.7, 1], layout="constrained")
    for colour, seed in zip(COLOURS, seeds):
        of_seed = scores[scores["seed"] == seed]
        place = [designs.index(d) for d in of_seed["design"]]
        shift = 0.22 * (seeds.index(seed) - (len(seeds) - 1) / 2)
        left.plot(of_seed["z"], np.array(place) + shift, "o", ms=3.5, alpha=0.6, color=colour, label=f"seed {seed}")
    for sign in (-1, 1):
        left.axvline(sign * bound, color=RED, lw=1.2)
    left.axvline(0, color=GREY, lw=0.8)
    limit = 1.12 * bound
    left.set(yticks=range(len(designs)), yticklabels=designs, xlim=(-limit, limit))
    left.set_xlabel("z, one dot per functional")
    left.invert_yaxis()
    left.set_title(f"Geweke: sweep against prior, {len(scores)} scores, bound {bound:.2f}", loc="left")
    left.legend(loc="lower left", fontsize=8)

    # a quantity that never moves (known weights) has z = 0 exactly and no law
    z = np.sort(scores.loc[scores["z"] != 0, "z"].to_numpy())
    expected = stats.t(N_BATCHES - 1).ppf((np.arange(len(z)) + 0.5) / len(z))
    right.plot([-bound, bound], [-bound, bound], color=GREY, lw=0.8)
    right.plot(expected, z, "o", ms=3, color=BLUE)
    right.axhline(bound, color=RED, lw=1.2)
    right.axhline(-bound, color=RED, lw=1.2)
    right.set_xticks(left.get_xticks())
    right.set_yticks(left.get_xticks())
    right.set(xlabel="expected z", ylabel="found z", xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
    right.set_title("all scores against their law", loc="left")
    save(figure, out)


def draw_sbc(ranks: pd.DataFrame, bound: float, out: pathlib.Path) -> None:
    models = list(dict.fromkeys(ranks["model"]))
    functionals = list(dict.fromkeys(ranks["functional"]))
    n_ranks = int(ranks["n_draws"].iloc[0]) + 1
    n = int(ranks["simulation"].max()) + 1
    share = np.arange(1, n_ranks) / n_ranks
    # counts whose two-sided pointwise p-value is at least the bound
    lowest = stats.binom.ppf(bound / 2, n, share) / n - share
    highest = stats.binom.isf(bound / 2, n, share) / n - share
    n_rows = -(-len(models) // 2)
    figure, axes = plt.subplots(n_rows, 2, figsize=(12, 0.6 + 3 * n_rows), sharex=True, sharey=True, squeeze=False, layout="constrained")
    for panel in axes.flat[len(models) :]:
        panel.set_visible(False)
    styles = {name: (COLOURS[i % len(COLOURS)], LINES[i // len(COLOURS)]) for i, name in enumerate(functionals)}
    handles = {}
    for panel, model in zip(axes.flat, models, strict=False):
        panel.fill_between(share, lowest, highest, step="mid", color="#e6e6e6", lw=0)
        panel.axhline(0, color=GREY, lw=0.8)
        for functional, chosen in ranks[ranks["model"] == model].groupby("functional", sort=False):
            below = np.bincount(chosen["rank"], minlength=n_ranks).cumsum()[:-1] / n
            colour, line = styles[functional]
            handles[functional] = panel.plot(share, below - share, line, color=colour, lw=1.2)[0]
        panel.set_title(model, loc="left")
    figure.supylabel("share of ranks below, minus uniform", fontsize=10)
    figure.supxlabel("rank of the truth among the draws", fontsize=10)
    figure.legend(handles.values(), handles.keys(), loc="outside right center", fontsize=9, frameon=False)
    title = f"Calibration: {n} simulations of {n_ranks - 1} draws; grey: simultaneous band for each line"
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    save(figure, out)


def draw_mutants(mutants: pd.DataFrame, out: pathlib.Path) -> None:
    """How far each statistic lies above its bound; the exact referees' bounds are tolerances of rounding."""
    by_geweke = mutants[mutants["referee"] == "geweke"].sort_values("statistic")
    exact = mutants[mutants["referee"] != "geweke"].sort_values("statistic")
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(10, 1.2 + 0.19 * len(mutants)), height_ratios=[len(by_geweke), len(exact) + 1], layout="constrained"
    )
    for axes, table, label in (
        (above, by_geweke, "largest |z| of the Geweke test"),
        (below, exact, "largest relative error against finite differences or enumeration"),
    ):
        value = table["statistic"].replace(np.inf, table["statistic"].replace(np.inf, np.nan).max() * 2)
        colours = [BLUE if killed else RED for killed in table["killed"]]
        low = min(table["bound"].min(), value.min()) / 3
        axes.hlines(table["mutant"], low, value, color=colours, lw=1, alpha=0.5)
        axes.scatter(value, table["mutant"], color=colours, s=28, zorder=3)
        for x, name in zip(value, table["mutant"]):
            axes.annotate(f"{x:.3g}", (x, name), xytext=(6, 0), textcoords="offset points", va="center", fontsize=7.5)
        axes.scatter(table["bound"], table["mutant"], color=RED, marker="|", s=110, zorder=2)
        axes.set(xscale="log", xlabel=label, xlim=(low, value.max() * 3))
        if axes is above:
            axes.xaxis.set_major_formatter("{x:g}")
        axes.tick_params(axis="y", labelsize=8.5)
        axes.margins(y=0.08 if axes is below else 0.03)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    alive = int((mutants["killed"] == 0).sum())
    above.set_title(
        f"{len(mutants)} wrong samplers, {alive or 'none'} alive; red: the bound that kills", loc="left"
    )
    save(figure, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=pathlib.Path, required=True, help="directory of the tables and the pictures")
    folder = parser.parse_args().tables
    referees = pd.read_csv(folder / "referees.csv")
    bound_of = lambda start: referees.loc[referees["referee"].str.startswith(start), "bound"].iloc[0]
    draw_geweke(pd.read_csv(folder / "geweke.csv"), bound_of("geweke"), folder / "geweke.png")
    draw_sbc(pd.read_parquet(folder / "sbc.parquet"), bound_of("sbc ecdf"), folder / "sbc.svg")
    draw_mutants(pd.read_csv(folder / "mutants.csv"), folder / "mutants.svg")
    print(f"{folder}: geweke.png, sbc.svg, mutants.svg; {int(referees['pass'].sum())} of {len(referees)} checks pass")


if __name__ == "__main__":
    main()
