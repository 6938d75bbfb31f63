"""Quantities by sweep: the mean over chains with its 99 % band, and the published curve behind it."""

import dataclasses
import math
import pathlib

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from .bands import band, t_factor
from .chains import Run
from .data_sets import true_features
from .experiment import Experiment
from .figures import SOFT, WIDTH, Picture, hue, store
from .published import WINDOW, curve_of, published_mean, settled

LEVEL = 0.99
ENOUGH = 4  # chains for a band: that of two is 45 standard deviations wide, of three 6
TOO_WIDE = 3  # published bands beside the range of the curves: then they are cut off
TOO_SHORT = 0.6  # of the published sweeps: then only the published level is drawn
N_POINTS = 150  # of a curve; a trace has thousands of sweeps
HELD_OUT = ("test_log_likelihood", "test_log_likelihood_expected")  # beside a uniform guess
LIKELIHOODS = ("train_log_likelihood", *HELD_OUT)


def by_sweep(run: Run, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Sweeps that all chains have, thinned evenly, and values: chains x sweeps."""
    series = [chain.series(quantity) for chain in run.chains]
    series = [one for one in series if len(one)]
    if not series:
        return np.empty(0), np.empty((0, 0))
    shared = series[0].index
    for one in series[1:]:
        shared = shared.intersection(one.index)
    step = max(1, math.ceil(len(shared) / N_POINTS))
    shared = shared[step - 1 :: step]
    return shared.to_numpy(), np.array([one.loc[shared].to_numpy(float) for one in series])


def published_of(experiment: Experiment, quantity: str, run: Run) -> pd.DataFrame:
    """The published curve of the run's model; where there is one for each fixed lambda, that of the run's own."""
    if not run.chains or experiment.is_bracket(run.model):
        return pd.DataFrame()
    fixed = run.chains[0].config.get("model.similarity.lambda")
    own = float(fixed) if isinstance(fixed, (int, float)) else None
    return curve_of(experiment.published, quantity, experiment.base(run.model), own)


@dataclasses.dataclass
class View:
    """What a figure should show: curves always, and the published bands unless they would make all else small."""

    curves: list[np.ndarray] = dataclasses.field(default_factory=list)
    bands: list[np.ndarray] = dataclasses.field(default_factory=list)

    @property
    def limits(self) -> tuple[float, float]:
        low, high = span(self.curves)
        if self.bands and not self.cuts_off:
            low, high = span([*self.curves, *self.bands])
        room = 0.06 * (high - low) or 0.5
        return low - room, high + room

    @property
    def cuts_off(self) -> bool:
        return bool(self.bands) and np.ptp(span(self.bands)) > TOO_WIDE * np.ptp(span(self.curves))


def span(arrays: list[np.ndarray]) -> tuple[float, float]:
    values = np.concatenate(arrays)
    values = values[np.isfinite(values)]
    return float(values.min()), float(values.max())


def draw_published(axes, curve: pd.DataFrame, last_sweep: int, colour: str, view: View) -> None:
    """By sweep, or, where our chains are much shorter, the level it came to. Its band has no fill: ours lie over it."""
    half = curve["sd_runs"] * [t_factor(n, LEVEL) for n in curve["n_runs"]]
    sweeps, values = curve["sweep"], curve["value"]
    if last_sweep < TOO_SHORT * sweeps.max():
        half, sweeps = np.full(2, half[settled(curve)].mean()), np.array([0, last_sweep])
        values = np.full(2, published_mean(curve))
    for edge in (values - half, values + half):
        axes.plot(sweeps, edge, color=colour, linewidth=0.5, alpha=0.7)
        view.bands.append(np.asarray(edge, float))
    axes.plot(sweeps, values, color=colour, linewidth=0.9, linestyle=(0, (3, 2)), alpha=0.85)
    view.curves.append(np.asarray(values, float))


def disagree(runs: list[Run], quantity: str) -> set[str]:
    """Models whose chains end all over the place while those of others end together: a band would hide that, and all else."""
    ends = {}
    for run in runs:
        values = by_sweep(run, quantity)[1]
        ends[run.model] = values[:, -max(1, values.shape[1] // 4) :].mean(axis=1)
    everywhere = np.ptp(np.concatenate(list(ends.values())))
    apart = {model for model, of_model in ends.items() if np.ptp(of_model) > everywhere / 2}
    return apart if len(apart) < len(ends) else set()


def draw_run(
    axes, experiment: Experiment, quantity: str, run: Run, colour: str, view: View, each_chain: bool
) -> None:
    """Draws one model. Our own band need not be in view: it is endless for two chains that disagree."""
    sweeps, values = by_sweep(run, quantity)
    curve = published_of(experiment, quantity, run)
    if len(curve):
        draw_published(axes, curve, int(sweeps[-1]), colour, view)
    mean, low, high = band(values, LEVEL)
    if each_chain or len(values) < ENOUGH:
        axes.plot(sweeps, values.T, color=colour, linewidth=0.5, alpha=0.6)
    else:
        axes.fill_between(sweeps, low, high, color=colour, alpha=0.22, linewidth=0)
    axes.plot(sweeps, mean, color=colour, linewidth=1.4)
    view.curves.append(values[:, sweeps >= sweeps[-1] / 20].ravel())


def draw_level(axes, level: float, words: str, style) -> None:
    """A line across, with its words at the right end."""
    axes.axhline(level, color=SOFT, linewidth=0.8, linestyle=style)
    axes.annotate(
        words,
        (1, level),
        xycoords=("axes fraction", "data"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        fontsize=7.5,
        color=SOFT,
    )


def published_words(levels_only: list[bool], settings: str, cut_off: bool) -> str:
    what = f"the level that the published, longer runs came to ({WINDOW})" if all(levels_only) else "published"
    where = f" ({settings})" if settings else ""
    cut = ", which is cut off where it is wide" if cut_off else ""
    return f"{what}{where}, between thin lines the {100 * LEVEL:g} % band of those runs{cut}"


def with_values(runs: list[Run], quantity: str) -> list[Run]:
    """Those that have the quantity. The states of a factorial model are combinations: a number of another kind."""
    return [
        run
        for run in runs
        if any(len(chain.series(quantity)) for chain in run.chains)
        and not (quantity == "states_used" and run.chains[0].config.get("model.dynamics") == "factorial")
    ]


def legend(figure, experiment: Experiment, models: list[str], published: bool, brackets: list[Run]) -> None:
    handles = [Line2D([], [], color=hue(m, models), linewidth=2, label=experiment.model_name(m)) for m in models]
    if published:
        handles.append(Line2D([], [], color=SOFT, linewidth=1, linestyle=(0, (3, 2)), label="published"))
    for level in dict.fromkeys(name for run in brackets for name in experiment.levels_of(run.model)):
        handles.append(Line2D([], [], color=SOFT, linewidth=1, linestyle=":", label=experiment.levels[level].title))
    figure.legend(handles=handles, loc="outside lower left", ncols=3, fontsize=8.5, handlelength=1.6, columnspacing=1.4)


def heading(label: str) -> str:
    return label[:1].upper() + label[1:] if len(label) > 1 else label  # a Greek letter stays small


def draw_bracket(axes, quantity: str, run: Run, colour: str) -> np.ndarray:
    """Where chains stay that began at the truth."""
    sweeps, values = by_sweep(run, quantity)
    axes.plot(sweeps, values.mean(axis=0), color=colour, linewidth=1, linestyle=":")
    return values[:, sweeps >= sweeps[-1] / 20].ravel()


def draw(
    experiment: Experiment,
    runs: list[Run],
    quantity: str,
    folder: pathlib.Path,
    uniform: float | None,
    brackets: list[Run],
) -> Picture:
    """All models of one variant and sampler; a panel per data set; brackets as dotted lines."""
    runs = with_values(runs, quantity)
    data_sets = list(dict.fromkeys(run.data for run in runs))
    models = experiment.in_order({run.model for run in runs})
    figure, panels = plt.subplots(
        len(data_sets),
        1,
        figsize=(WIDTH, 1.1 + 2.1 * len(data_sets)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    any_published, view, truths, disagreeing = [], View(), [], set()
    for axes, data in zip(panels[:, 0], data_sets):
        here = sorted((run for run in runs if run.data == data), key=lambda run: models.index(run.model))
        apart = disagree(here, quantity)
        disagreeing |= apart
        for run in here:
            curve = published_of(experiment, quantity, run)
            if len(curve):
                any_published.append(run.chains[0].n_sweeps < TOO_SHORT * curve["sweep"].max())
            draw_run(axes, experiment, quantity, run, hue(run.model, models), view, run.model in apart)
        for run in with_values(brackets, quantity):
            if run.data == data:
                view.curves.append(draw_bracket(axes, quantity, run, hue(experiment.base(run.model), models)))
        burn_in = max(run.chains[0].burn_in for run in here)
        axes.axvspan(0, burn_in, color="#f1f1f4", zorder=0, linewidth=0)
        if uniform is not None and quantity in HELD_OUT:
            draw_level(axes, uniform, f"uniform guess −{-uniform:.2f}", ":")
            view.curves.append(np.array([uniform]))
        n_true = true_features(here[0].chains[0]) if quantity == "features_used" else None
        if n_true is not None:
            truths.append(n_true)
            draw_level(axes, n_true, f"true number: {n_true}", "--")
            view.curves.append(np.array([float(n_true)]))
        if len(data_sets) > 1:
            axes.set_title(data)
        axes.grid(axis="y", color="#ececf0", linewidth=0.6)
        axes.set_axisbelow(True)
    panels[0, 0].set(ylim=view.limits, xlim=(0, None))
    panels[-1, 0].set_xlabel("sweep")
    label = experiment.label(quantity)
    figure.suptitle(heading(label), fontsize=10.5, x=0.01, ha="left")
    legend(figure, experiment, models, bool(any_published), brackets)
    variant, sampler = runs[0].variant, runs[0].sampler
    n_chains = sorted({len(run.chains) for run in runs})
    spread = f"its {100 * LEVEL:g} % band" if n_chains[0] >= ENOUGH else "each as a thin line (too few for a band)"
    if disagreeing and n_chains[0] >= ENOUGH:
        names = ", ".join(map(experiment.model_name, experiment.in_order(disagreeing)))
        spread += f" (thin lines instead, one per chain: {names}; their chains lie too far apart for a band)"
    dashed = ""
    if any_published:
        dashed = f"; dashed: {published_words(any_published, experiment.other_settings(variant), view.cuts_off)}"
    if truths:
        dashed += "; dashed: the true number, of features that are on at some step of the training data"
    caption = (
        f"{heading(label)} by sweep: mean over {' or '.join(map(str, n_chains))} chains with {spread}{dashed}. Grey:"
        " burn-in."
    )
    alt = (
        f"Line chart of {label} by sweep for {', '.join(map(experiment.model_name, models))}; variant {variant},"
        f" sampler {sampler}."
    )
    picture = store(figure, folder, f"{experiment.name}-{variant}-{sampler}-{quantity}", alt, caption)
    return dataclasses.replace(picture, variant=variant, quantity=quantity)
