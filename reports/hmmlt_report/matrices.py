"""Who speaks when: the true bits and each model's posterior means, as images one below the other."""

import pathlib

import matplotlib.pyplot as plt
import numpy as np

from .chains import Run, read_json, read_table
from .experiment import Experiment
from .figures import SOFT, Picture, store
from .matched import matched

ALL_NAMED = 20  # rows: where there are more, only the first and the last bear their names
N_COLUMNS = 1000  # of an image: neighbouring steps are averaged beyond that


def family(table, prefix: str) -> np.ndarray:
    """Columns prefix_0, prefix_1, ... of the first sequence as rows."""
    table = table[table["sequence"] == table["sequence"].iloc[0]]
    names = [f"{prefix}_{i}" for i in range(sum(c.startswith(f"{prefix}_") for c in table.columns))]
    return table[names].to_numpy(float).T


def posterior_mean(run: Run, truth: np.ndarray | None) -> np.ndarray | None:
    """Bits x steps, averaged over chains; those without names matched with the truth, or else with the first chain's."""
    paths = [chain.directory / "state_mean.parquet" for chain in run.chains]
    means = [family(read_table(path), "p") for path in paths if path.exists()]
    means = [mean for mean in means if mean.size]
    if not means or run.chains[0].config.get("model.locations.kind") == "none":
        return None
    if run.chains[0].learns_weights:
        means = [matched(means[0] if truth is None else truth, mean) for mean in means]
    return np.mean(means, axis=0)


def condensed(matrix: np.ndarray) -> np.ndarray:
    width = -(-matrix.shape[1] // N_COLUMNS)
    padded = np.pad(matrix, ((0, 0), (0, -matrix.shape[1] % width)), mode="edge")
    return padded.reshape(len(matrix), -1, width).mean(axis=2)


def row_names(data: pathlib.Path | None, n: int) -> tuple[str, list[str]]:
    path = data and data / "statistics.json"
    if path and path.exists():
        return "speaker", [speaker["name"] for speaker in read_json(path)["speakers"]]
    return "feature", [str(i) for i in range(n)]


def images_of(experiment: Experiment, runs: list[Run], data: pathlib.Path | None) -> list[tuple[str, np.ndarray]]:
    """The truth, if it is there, and every model in order."""
    images = []
    if data and (data / "truth.parquet").exists():
        truth = read_table(data / "truth.parquet")
        if "theta_0" in truth:
            images.append(("truth", family(truth, "theta")))
    for model in experiment.in_order({run.model for run in runs}):
        run = next(run for run in runs if run.model == model)
        mean = posterior_mean(run, dict(images).get("truth")) if run.chains else None
        if mean is not None:
            images.append((experiment.model_name(model), mean))
    return images


def panels_of(images: list[tuple[str, np.ndarray]], names: list[str]):
    """Images with their titles; names are those of the rows."""
    n_rows = len(images[0][1])
    height = (0.09 if n_rows <= ALL_NAMED else 0.075) * n_rows + 0.28
    figure, panels = plt.subplots(
        len(images), 1, figsize=(7.2, height * len(images) + 0.5), sharex=True, squeeze=False, layout="constrained"
    )
    for axes, (name, matrix) in zip(panels[:, 0], images):
        n_rows, n_steps = matrix.shape
        axes.imshow(
            condensed(matrix),
            aspect="auto",
            interpolation="none",
            cmap="Greys",
            vmin=0,
            vmax=1,
            extent=(0, n_steps, n_rows - 0.5, -0.5),
        )
        axes.set_title(name)
        of_rows = names if len(names) == n_rows else [str(i) for i in range(n_rows)]
        if n_rows <= ALL_NAMED:
            axes.set_yticks(range(n_rows), of_rows, fontsize=5.5)
        else:
            axes.set_yticks([0, n_rows - 1], [of_rows[0], of_rows[-1]], fontsize=7.5)
        axes.tick_params(length=2)
        for side in axes.spines.values():
            side.set(visible=True, color=SOFT, linewidth=0.4)
    panels[-1, 0].set_xlabel("step")
    return figure


def draw(experiment: Experiment, runs: list[Run], folder: pathlib.Path, what_for: str = "matrices") -> Picture | None:
    """Runs of one variant, sampler and data set."""
    data = next((chain.data for run in runs for chain in run.chains if chain.data), None)
    images = images_of(experiment, runs, data)
    if all(name == "truth" for name, _ in images):
        return None
    what, names = row_names(data, len(images[0][1]))
    figure = panels_of(images, names)
    run = runs[0]
    caption = (
        f"Truth and posterior mean of every {what} (rows) by step on {run.data}, mean over chains after burn-in; black"
        " is on."
        if images[0][0] == "truth"
        else f"Posterior mean of every {what} (rows) by step on {run.data}; the truth is not there."
    )
    if any(chain.learns_weights for run in runs for chain in run.chains):
        partner = "the true ones" if images[0][0] == "truth" else "those of the first chain"
        caption += f" Where weights are learnt, features of each chain are matched with {partner}; spare ones are left out."
    alt = (
        f"Images of {what} by step: {', '.join(name for name, _ in images)}; {run.data}, variant {run.variant}, sampler"
        f" {run.sampler}."
    )
    return store(
        figure,
        folder,
        f"{experiment.name}-{run.variant}-{run.sampler}-{run.data}-{what_for}",
        alt,
        caption,
        wide=True,
        dpi=150,
    )
