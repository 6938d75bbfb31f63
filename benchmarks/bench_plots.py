"""The pictures of the benchmark page, as SVG text."""

import io
import itertools

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from bench_table import states_of, steps_of

BLUE, RED, GREEN, GREY = "#2c5f8a", "#b5402a", "#3d7a3d", "#8a8a8a"
HAVE_MET = 1.05  # R-hat up to which chains count as converged, as in the reports
COLOURS = ["#1b6ca8", "#c8553d", "#588b8b", "#e0a030", "#7b5ea7", "#a04668", "#3d7a3d", "#6aa5d8"]
plt.rcParams.update({"svg.fonttype": "none", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False})


def svg(figure: plt.Figure, title: str) -> str:
    """The picture as text to put into a page; `title` is read out instead of it and makes its ids unique."""
    with plt.rc_context({"svg.hashsalt": title}):
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    body = text.getvalue()
    return f'<div class="figure" role="img" aria-label="{title}">{body[body.index("<svg"):]}</div>'


def draw_goals(goals: pd.DataFrame) -> str:
    """Each goal as a bar: 1 is the goal, left of it is better."""
    part = goals["ratio"] / goals["goal"]
    figure, axes = plt.subplots(figsize=(6.4, 0.62 * len(goals) + 0.9), layout="constrained")
    place = np.arange(len(goals))[::-1]
    colours = [GREEN if p <= 1 else RED for p in part]
    axes.hlines(place, 1, part, color=colours, lw=5, alpha=0.55)
    axes.scatter(part, place, color=colours, s=36, zorder=3)
    axes.axvline(1, color="black", lw=1)
    for x, y, what in zip(part, place, goals["label"]):
        axes.annotate(what, (0, y), xycoords=("axes fraction", "data"), xytext=(0, 8), textcoords="offset points",
                      fontsize=8.5, bbox={"fc": "white", "ec": "none", "pad": 1})
    low, high = min(0.5, part.min() / 1.3), max(2.0, part.max() * 1.3)
    axes.set(xscale="log", xlim=(low, high), ylim=(-0.5, len(goals) - 0.2), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.set_xticks([t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if low <= t <= high])
    axes.minorticks_off()
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("ratio found / ratio to stay under; left of the line: met")
    return svg(figure, "Goals and what was found")


def draw_blocks(timings: pd.DataFrame, table: pd.DataFrame) -> str:
    """Where the sweeps of LT spend their time, in bare loops of the same shape."""
    bare = table[table["limit"] == "bare float loop"].set_index(["name", "shape"])["limit_seconds"]
    sweeps = timings[timings["name"].isin(["sweep/single/lt", "sweep/blocked/lt"])]
    wanted = [s for s in sweeps["shape"] if s.startswith(("chorales", "T=2000 J=600"))]
    sweeps = sweeps[sweeps["shape"].isin(wanted)] if wanted else sweeps
    sweeps = sweeps[[(n, s) in bare.index for n, s in zip(sweeps["name"], sweeps["shape"])]]
    if sweeps.empty:
        return ""
    blocks = timings[timings["name"].str.startswith("block/")].copy()
    blocks["block"] = blocks["name"].str.split("/").str[-1]
    share = blocks[blocks["shape"].isin(sweeps["shape"])].groupby("block")["seconds"].sum().sort_values(ascending=False)
    named = list(share.index[:7])
    figure, axes = plt.subplots(figsize=(6.4, 0.42 * len(sweeps) + 1.5), layout="constrained")
    labels = []
    for place, (name, shape) in enumerate(zip(sweeps["name"], sweeps["shape"])):
        of_sweep = blocks[(blocks["shape"] == shape) & blocks["name"].str.startswith(name.replace("sweep/", "block/") + "/")]
        seconds = of_sweep.set_index("block")["seconds"] / bare[(name, shape)]
        left = 0.0
        for block, colour in zip([*named, "others"], [*COLOURS[:7], GREY]):
            width = seconds.drop(named, errors="ignore").sum() if block == "others" else seconds.get(block, 0.0)
            axes.barh(-place, width, left=left, color=colour, label=block.replace("_", " ") if place == 0 else None)
            left += width
        labels.append(f"{shape}\n{name.split('/')[1]}")
    axes.set(yticks=-np.arange(len(labels)), xlabel="bare float loops of the same shape")
    axes.set_yticklabels(labels, fontsize=8)
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, frameon=False)
    return svg(figure, "Where a sweep spends its time")


def draw_scaling(timings: pd.DataFrame) -> str:
    """Seconds against J, one panel per kind of work, one line per T; the bare loop dashed."""
    grid = timings[timings["shape"].str.fullmatch(r"T=\d+ J=\d+( live)?")]
    grid = grid.assign(J=grid["shape"].map(states_of), T=grid["shape"].map(steps_of))
    panels = [("sweep/single/lt", "sweep, single"), ("sweep/blocked/lt", "sweep, blocked"), ("forward/lt", "forward pass")]
    figure, axes = plt.subplots(1, 3, figsize=(9.2, 3.6), sharey=True, layout="constrained")
    for panel, (name, title) in zip(axes, panels):
        for colour, (steps, group) in zip(COLOURS, grid[grid["name"] == name].groupby("T")):
            panel.plot(group["J"], group["seconds"], "o-", ms=4, color=colour, label=f"T = {steps}")
            bare = grid[(grid["name"] == "limit/bare_float") & (grid["T"] == steps)]
            panel.plot(bare["J"], bare["seconds"], "--", lw=1, color=colour, alpha=0.7)
        ticks = sorted(grid.loc[grid["name"] == name, "J"].unique())
        panel.set(xscale="log", yscale="log", xlabel="J", xticks=ticks, xticklabels=ticks)
        panel.minorticks_off()
        panel.set_title(title, loc="left", fontsize=10)
    axes[0].set_ylabel("seconds (dashed: bare float loop)")
    axes[0].legend(fontsize=8, frameon=False)
    return svg(figure, "Seconds against the number of states")


def draw_peers(peers: pd.DataFrame) -> str:
    shapes = list(dict.fromkeys(peers["shape"]))
    figure, axes = plt.subplots(len(shapes), 1, figsize=(6.4, 0.34 * len(peers) + 0.5 * len(shapes) + 0.5), layout="constrained",
                                squeeze=False, height_ratios=[max(1, (peers["shape"] == s).sum()) for s in shapes])
    for panel, shape in zip(axes[:, 0], shapes):
        chosen = peers[peers["shape"] == shape].sort_values("seconds", ascending=False)
        colours = [BLUE if program.startswith("hmmlt") else GREY for program in chosen["program"]]
        labels = [f"{p}: {d}" for p, d in zip(chosen["program"], chosen["short"])]
        panel.barh(labels, chosen["seconds"], color=colours)
        for y, x in enumerate(chosen["seconds"]):
            panel.annotate(f"{x:.3g}", (x, y), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
        panel.set(xscale="log")
        panel.set_xlim(chosen["seconds"].min() / 2, chosen["seconds"].max() * 2.5)
        panel.tick_params(axis="y", labelsize=8)
        panel.set_title(shape, loc="left", fontsize=10)
    axes[-1, 0].set_xlabel("seconds, one core")
    return svg(figure, "Other programs on the same shapes")


def draw_mixing(mixing: pd.DataFrame) -> str:
    """Effective draws per second against J, a row of panels for each start; hollow where the chains have not met."""
    starts, quantities = list(dict.fromkeys(mixing["start"])), list(dict.fromkeys(mixing["quantity"]))
    figure, axes = plt.subplots(len(starts), len(quantities), figsize=(9.2, 2.6 * len(starts) + 0.5), sharex=True,
                                layout="constrained", squeeze=False)
    for (row, start), (column, quantity) in itertools.product(enumerate(starts), enumerate(quantities)):
        panel = axes[row, column]
        chosen = mixing[(mixing["start"] == start) & (mixing["quantity"] == quantity)]
        for colour, (dynamics, group) in zip(COLOURS, chosen.groupby("dynamics", sort=False)):
            seen = group[group["effective_per_second"] > 0]
            met = seen["r_hat"] <= HAVE_MET
            panel.plot(seen["states"], seen["effective_per_second"], "-", lw=1, color=colour)
            panel.plot(seen["states"][met], seen["effective_per_second"][met], "o", ms=6, color=colour)
            panel.plot(seen["states"][~met], seen["effective_per_second"][~met], "o", ms=6, mfc="white", color=colour)
        panel.set(yscale="log", xticks=sorted(mixing["states"].unique()))
        panel.set_title(f"{quantity.replace('_', ' ')}, from {start.replace('_', ' ')}", loc="left", fontsize=9)
        if row == len(starts) - 1:
            panel.set_xlabel("J")
    axes[0, 0].set_ylabel(f"effective draws per second\n(hollow: R-hat above {HAVE_MET})")
    handles = [plt.Line2D([], [], marker="o", color=c, label=d) for c, d in zip(COLOURS, dict.fromkeys(mixing["dynamics"]))]
    axes[0, 0].legend(handles=handles, fontsize=8, frameon=False)
    return svg(figure, "Effective draws per second against the number of states")
