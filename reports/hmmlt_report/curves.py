"""Quantities by sweep: the mean over chains with its 99 % band, and the published curve behind it."""

import math
import pathlib

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from .bands import band, t_factor
from .chains import Run
from .experiment import Experiment
from .figures import SOFT, WIDTH, Picture, hue, store

LEVEL = 0.99
N_POINTS = 150  # of a curve; a trace has thousands of sweeps
LIKELIHOODS = ("train_log_likelihood", "test_log_likelihood", "test_log_likelihood_expected")


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
    """The published curve of the run's model; where it is one of several by lambda, that of the run's own fixed one."""
    curve = experiment.published.get(quantity)
    if curve is None or not run.chains:
        return pd.DataFrame()
    model = run.model if run.model in set(curve["model"]) else base_model(run)
    curve = curve[curve["model"] == model]
    if "lambda" not in curve or curve["lambda"].isna().all():
        return curve
    fixed = run.chains[0].config.get("model.similarity.lambda")
    return curve[curve["lambda"] == float(fixed)] if isinstance(fixed, (int, float)) else curve.iloc[:0]


def base_model(run: Run) -> str:
    """Which of the paper's models a run is, by its configuration: the name of a model file may say more than that."""
    config = run.chains[0].config
    if config.get("model.dynamics") == "factorial":
        return "factorial"
    sticky = config.get("priors.rho", 0.0) != 0.0
    local = config.get("model.similarity.kind", "constant") != "constant"
    return {(False, False): "hdp_hmm", (True, False): "sticky", (False, True): "lt", (True, True): "sticky_lt"}[sticky, local]


def published_mean(curve: pd.DataFrame) -> float:
    """Over the second half of the published run."""
    return float(curve["value"][curve["sweep"] >= curve["sweep"].max() / 2].mean()) if len(curve) else np.nan


def draw_run(axes, experiment: Experiment, quantity: str, run: Run, colour: str) -> list[np.ndarray]:
    """Draws one model; returns what should be in view."""
    seen = []
    curve = published_of(experiment, quantity, run)
    if len(curve):
        half = curve["sd_runs"] * [t_factor(n, LEVEL) for n in curve["n_runs"]]
        axes.fill_between(curve["sweep"], curve["value"] - half, curve["value"] + half, color=colour, alpha=0.09, linewidth=0)
        axes.plot(curve["sweep"], curve["value"], color=colour, linewidth=0.9, linestyle=(0, (3, 2)), alpha=0.8)
        seen.append(curve["value"].to_numpy())
    sweeps, values = by_sweep(run, quantity)
    if len(sweeps):
        mean, low, high = band(values, LEVEL)
        axes.fill_between(sweeps, low, high, color=colour, alpha=0.22, linewidth=0)
        axes.plot(sweeps, mean, color=colour, linewidth=1.4)
        late = sweeps >= sweeps[-1] / 20
        seen.append(mean[late])
        spread = np.concatenate([low[sweeps > run.chains[0].burn_in], high[sweeps > run.chains[0].burn_in]])
        seen.append(spread[np.isfinite(spread)])
    return seen


def has_values(runs: list[Run], quantity: str) -> bool:
    return any(len(chain.series(quantity)) for run in runs for chain in run.chains)


def legend(figure, experiment: Experiment, models: list[str], published: bool) -> None:
    handles = [Line2D([], [], color=hue(m, models), linewidth=2, label=experiment.model_name(m)) for m in models]
    if published:
        handles.append(Line2D([], [], color=SOFT, linewidth=1, linestyle=(0, (3, 2)), label="published"))
    figure.legend(handles=handles, loc="outside lower left", ncols=3, fontsize=8.5, handlelength=1.6, columnspacing=1.4)


def draw(experiment: Experiment, runs: list[Run], quantity: str, folder: pathlib.Path, uniform: float | None) -> Picture:
    """All models of one variant and sampler; a panel per data set."""
    runs = [run for run in runs if any(len(chain.series(quantity)) for chain in run.chains)]
    data_sets = list(dict.fromkeys(run.data for run in runs))
    models = experiment.in_order({run.model for run in runs})
    figure, panels = plt.subplots(
        len(data_sets), 1, figsize=(WIDTH, 1.1 + 2.1 * len(data_sets)), sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    any_published, seen = False, []
    for axes, data in zip(panels[:, 0], data_sets):
        here = sorted((run for run in runs if run.data == data), key=lambda run: models.index(run.model))
        for run in here:
            any_published |= bool(len(published_of(experiment, quantity, run)))
            seen += draw_run(axes, experiment, quantity, run, hue(run.model, models))
        burn_in = max(run.chains[0].burn_in for run in here)
        axes.axvspan(0, burn_in, color="#f1f1f4", zorder=0, linewidth=0)
        if uniform is not None and quantity in LIKELIHOODS:
            axes.axhline(uniform, color=SOFT, linewidth=0.8, linestyle=":")
            axes.annotate(f"uniform guess {uniform:.2f}", (1, uniform), xycoords=("axes fraction", "data"), xytext=(0, 2),
                          textcoords="offset points", ha="right", fontsize=7.5, color=SOFT)  # fmt: skip
            seen.append(np.array([uniform]))
        if len(data_sets) > 1:
            axes.set_title(data)
        axes.grid(axis="y", color="#ececf0", linewidth=0.6)
        axes.set_axisbelow(True)
    in_view = np.concatenate(seen)
    low, high = in_view.min(), in_view.max()
    room = 0.06 * (high - low) or 0.5
    panels[0, 0].set(ylim=(low - room, high + room), xlim=(0, None))
    panels[-1, 0].set_xlabel("sweep")
    label = experiment.label(quantity)
    figure.suptitle(label[:1].upper() + label[1:] if label.isascii() and len(label) > 2 else label, fontsize=10.5, x=0.01, ha="left")
    legend(figure, experiment, models, any_published)
    variant, sampler = runs[0].variant, runs[0].sampler
    n_chains = sorted({len(run.chains) for run in runs})
    caption = (
        f"{label} by sweep: mean over {' or '.join(map(str, n_chains))} chains with its {100 * LEVEL:g} % band"
        f"{'; dashed: published, with the 99 % band of its own runs' if any_published else ''}. Grey: burn-in."
    )
    alt = f"Line chart of {label} by sweep for {', '.join(map(experiment.model_name, models))}; variant {variant}, sampler {sampler}."
    return store(figure, folder, f"{experiment.name}-{variant}-{sampler}-{quantity}", alt, caption)
