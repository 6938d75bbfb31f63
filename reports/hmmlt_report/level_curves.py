"""A score over a grid of fixed values, e.g. of lambda: what a level of a model does, beside what was published."""

import pathlib

import matplotlib.pyplot as plt
import numpy as np

from .bands import t_factor
from .chains import Run
from .curves import ENOUGH, HELD_OUT, LEVEL, heading
from .experiment import Experiment, number_or_text
from .figures import SOFT, WIDTH, Picture, hue, store
from .published import WINDOW, published_mean
from .quantities import greek

N_VALUES = 3  # fewer make no curve


def grids(experiment: Experiment, runs: list[Run]) -> dict[tuple[str, str, str], list[Run]]:
    """(model, level, data set) -> its runs in order, where a level takes several numbers."""
    found: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        levels = experiment.levels_of(run.model)
        if run.chains and len(levels) == 1 and not experiment.is_bracket(run.model):
            ((name, value),) = levels.items()
            if np.isfinite(number_or_text(value)[0]):
                found.setdefault((experiment.base(run.model), name, run.data), []).append(run)
    value = lambda run: float(next(iter(experiment.levels_of(run.model).values())))  # noqa: E731
    return {key: sorted(of_key, key=value) for key, of_key in found.items() if len(of_key) >= N_VALUES}


def draw(
    experiment: Experiment,
    key: tuple[str, str, str],
    runs: list[Run],
    quantity: str,
    folder: pathlib.Path,
    uniform: float | None,
) -> Picture | None:
    model, level, data = key
    x = np.array([float(experiment.levels_of(run.model)[level]) for run in runs])
    means = [np.array([chain.mean(quantity) for chain in run.chains]) for run in runs]
    if not all(np.isfinite(of_one).all() for of_one in means):
        return None
    y = np.array([of_one.mean() for of_one in means])
    half = [t_factor(len(m), LEVEL) * m.std(ddof=1) if len(m) > 1 else 0.0 for m in means]
    colour = hue(model, [model])
    figure = plt.figure(figsize=(WIDTH, 3.0), layout="constrained")
    axes = figure.subplots()
    published = experiment.published.get(quantity)
    shown = published is not None and level in published
    if shown:
        of_model = published[published["model"] == model]
        points = {value: published_mean(group) for value, group in of_model.groupby(level)}
        axes.plot(
            list(points),
            list(points.values()),
            color=colour,
            linestyle=(0, (3, 2)),
            marker="o",
            markersize=3,
            linewidth=0.9,
            label="published",
        )
    if min(map(len, means)) < ENOUGH:
        for at, of_one in zip(x, means):
            axes.plot(np.full(len(of_one), at), of_one, color=colour, marker="o", markersize=3, linewidth=0, alpha=0.5)
        axes.plot(x, y, color=colour, marker="o", markersize=5, linewidth=1.4, label="ours")
    else:
        axes.errorbar(x, y, half, color=colour, marker="o", markersize=4, linewidth=1.4, capsize=3, label="ours")
    if uniform is not None and quantity in HELD_OUT:
        axes.axhline(uniform, color=SOFT, linewidth=0.8, linestyle=":", label="uniform guess")
    positive = (x > 0).all()
    about = experiment.levels[level].axis if level in experiment.levels else ""
    scale = " (log scale)" if positive else ""
    axes.set(xscale="log" if positive else "linear", xlabel=f"{about or greek(level)}{scale}")
    axes.set_title(heading(experiment.label(quantity)))
    if positive:
        axes.set_xticks(x, [f"{value:g}" for value in x])
        axes.minorticks_off()
    axes.grid(axis="y", color="#ececf0", linewidth=0.6)
    if len(axes.get_legend_handles_labels()[0]) > 1:  # ours alone needs no key
        axes.legend(fontsize=8.5)
    spread = f"its {100 * LEVEL:g} % interval" if min(map(len, means)) >= ENOUGH else "each of them as a dot"
    who, what = experiment.model_name(model), about or f"fixed {greek(level)}"
    dashed = f"; dashed: published, {WINDOW}" if shown else ""
    caption = (
        f"{heading(who)} on {data}: {experiment.label(quantity)} by {what}; mean over chains after burn-in with"
        f" {spread}{dashed}."
    )
    name = f"{experiment.name}-{runs[0].variant}-{runs[0].sampler}-{data}-{model}-by-{level}-{quantity}"
    return store(figure, folder, name, f"Line chart of {experiment.label(quantity)} of {who} by {what}.", caption)
