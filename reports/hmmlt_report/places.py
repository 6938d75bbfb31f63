"""Where states live in the plane: a map with their most typical symbols, and transitions ordered by location."""

import pathlib

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pyarrow.compute as pc
from matplotlib.colors import PowerNorm
from matplotlib.patheffects import withStroke
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

from .chains import Chain, read_table
from .experiment import Experiment
from .figures import INK, SOFT, WIDTH, Picture, store

N_LABELS = 16
HALO = [withStroke(linewidth=2, foreground="white")]


def last_draw(chain: Chain, variables: list[str]) -> dict[str, pd.DataFrame]:
    """Some arrays of the last draw; draws can be large, so only those rows are read."""
    path = chain.directory / "draws.parquet"
    if not path.exists():
        return {}
    sweeps = read_table(path, columns=["sweep"], filters=pc.field("variable") == "n_steps")["sweep"]
    if len(sweeps) == 0:
        return {}
    wanted = (pc.field("sweep") == int(sweeps.max())) & pc.field("variable").isin(variables)
    rows = read_table(path, columns=["sweep", "variable", "i", "j", "value"], filters=wanted)
    return {name: group for name, group in rows.groupby("variable")}


def labels_of(chain: Chain) -> pd.Series:
    """Names of symbols by number."""
    path = chain.data and chain.data / "vocabulary.parquet"
    if not path or not path.exists():
        return pd.Series(dtype=str)
    table = read_table(path).set_index("symbol")
    return table["name"] if "name" in table else table["label"]


def typical_symbols(counts: pd.DataFrame, names: pd.Series, n: int) -> dict[int, list[str]]:
    """State -> its most frequent symbols in the training data."""
    counts = counts.sort_values(["value", "i"], ascending=[False, True])
    return {int(state): [str(names.get(i, i)) for i in group["i"].head(n)] for state, group in counts.groupby("j")}


class Places:
    """One draw of a model with locations in the plane. States mean nothing across draws, so it is one draw only."""

    def __init__(self, chain: Chain):
        draw = last_draw(chain, ["location", "n_steps", "symbol_count", "transition"])
        self.there = "location" in draw and int(draw["location"]["i"].max()) >= 1
        if not self.there:
            return
        self.sweep = int(draw["location"]["sweep"].iloc[0])
        self.chain = chain.number
        xy = draw["location"].pivot(index="j", columns="i", values="value")
        steps = draw["n_steps"].set_index("j")["value"]
        self.steps = steps[steps > 0].sort_values(ascending=False)
        self.xy = xy.loc[self.steps.index]
        self.transition = draw["transition"]
        counts = draw.get("symbol_count")
        self.symbols = {} if counts is None else typical_symbols(counts, labels_of(chain), 3)

    def table(self, n: int) -> tuple[list[str], list[list]]:
        """The most visited states: columns and rows."""
        top = self.steps.head(n)
        share = top / self.steps.sum()
        rows = [[int(s), f"{100 * share[s]:.1f} %", " · ".join(self.symbols.get(int(s), []))] for s in top.index]
        return ["state", "share of steps", "most frequent symbols"], rows


def place_labels(axes, figure, points: list[tuple[float, float, float, str]]) -> list[int]:
    """Each label (x, y, radius in points, text) at a corner of its dot where it hides none before it; which have one."""
    renderer = figure.canvas.get_renderer()
    taken, placed = [], []
    frame = axes.get_window_extent(renderer)
    for k, (x, y, radius, text) in enumerate(points):
        off = 0.7 * radius + 1
        for dx, dy, ha, va in (
            (off, off, "left", "bottom"),
            (off, -off, "left", "top"),
            (-off, off, "right", "bottom"),
            (-off, -off, "right", "top"),
        ):
            label = axes.annotate(
                text,
                (x, y),
                xytext=(dx, dy),
                textcoords="offset points",
                ha=ha,
                va=va,
                fontsize=7.5,
                color=INK,
                path_effects=HALO,
            )
            box = label.get_window_extent(renderer)
            inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                placed.append(k)
                break
            label.remove()
    return placed


def draw_map(experiment: Experiment, model: str, places: Places, folder: pathlib.Path, name: str) -> Picture:
    figure = plt.figure(figsize=(WIDTH, WIDTH), layout="constrained")
    axes = figure.subplots()
    x, y = places.xy[0].to_numpy(), places.xy[1].to_numpy()
    area = 6 + 240 * (places.steps / places.steps.max()).to_numpy()
    axes.scatter(x, y, s=area, color="#0072b2", alpha=0.3, linewidth=0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="first coordinate", ylabel="second coordinate")
    axes.margins(0.16)
    axes.grid(color="#ececf0", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.canvas.draw()
    named = [k for k, s in enumerate(places.steps.index) if int(s) in places.symbols][:N_LABELS]
    points = [(x[k], y[k], np.sqrt(area[k] / np.pi), places.symbols[int(places.steps.index[k])][0]) for k in named]
    shown = [named[k] for k in place_labels(axes, figure, points)]
    axes.scatter(x[shown], y[shown], s=area[shown], color="#d55e00", alpha=0.65, linewidth=0)
    who = experiment.model_name(model)
    caption = (
        f"{who}: where the {len(x)} states that are used lie in one draw (chain {places.chain}, sweep {places.sweep});"
        " area by share of steps. The most visited states bear their most frequent symbol, where there is room, and are"
        " orange. Only distances mean something: the plane may be turned and mirrored from draw to draw."
    )
    return store(
        figure,
        folder,
        f"{name}-map",
        f"Map of the states of {who} in the plane, the most visited named by their most frequent symbol.",
        caption,
    )


def order_by_location(xy: np.ndarray) -> np.ndarray:
    """Neighbours in the plane become neighbours in a row."""
    if len(xy) < 3:
        return np.arange(len(xy))
    tree = linkage(xy, "average")
    return leaves_list(optimal_leaf_ordering(tree, xy))


def draw_transitions(experiment: Experiment, model: str, places: Places, folder: pathlib.Path, name: str) -> Picture:
    states = places.xy.index.to_numpy()[order_by_location(places.xy.to_numpy())]
    position = {state: k for k, state in enumerate(states)}
    kept = places.transition[places.transition["i"].isin(position) & places.transition["j"].isin(position)]
    matrix = np.zeros((len(states), len(states)))
    matrix[kept["i"].map(position), kept["j"].map(position)] = kept["value"]
    figure = plt.figure(figsize=(WIDTH, WIDTH), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(matrix, cmap="Greys", norm=PowerNorm(0.4, 0, max(matrix.max(), 1e-12)), interpolation="none")
    bar = figure.colorbar(image, shrink=0.5, aspect=30, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_ticks([tick for tick in (0.01, 0.05, 0.2, 0.5, 1.0) if tick <= matrix.max()])
    bar.ax.tick_params(labelsize=7.5)
    axes.set(xlabel="to", ylabel="from", xticks=[], yticks=[])
    for side in axes.spines.values():
        side.set(visible=True, color=SOFT, linewidth=0.4)
    who = experiment.model_name(model)
    caption = (
        f"{who}: transition probabilities of the same draw; states that lie near each other in the plane stand near"
        " each other here."
    )
    return store(
        figure,
        folder,
        f"{name}-transitions",
        f"Heat map of the transition matrix of {who}, states ordered by location.",
        caption,
    )
