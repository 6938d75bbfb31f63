"""Draws a data directory: the truth matrix above, the observed channels below; prints what the data are."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator


def family(table: pd.DataFrame, name: str) -> np.ndarray:
    """The columns name_0, name_1, ... of a table as one matrix, a row per column."""
    columns = [c for c in table.columns if c.startswith(name + "_") and c[len(name) + 1 :].isdigit()]
    return table[sorted(columns, key=lambda c: int(c[len(name) + 1 :]))].to_numpy(dtype=float).T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="data directory with observations and truth")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the picture to write (PNG)")
    arguments = parser.parse_args()

    y = family(pd.read_parquet(arguments.data / "observations.parquet"), "y")
    truth = pd.read_parquet(arguments.data / "truth.parquet")
    theta = family(truth, "theta")
    z = truth["z"].to_numpy()

    figure, (above, below) = plt.subplots(2, 1, figsize=(10, 5.5), sharex=True, layout="constrained")
    above.imshow(theta, aspect="auto", interpolation="nearest", cmap="Greys", vmin=0, vmax=1)
    above.set(ylabel="binary dimension", title=f"truth: {len(np.unique(z))} states visited in {len(z)} steps")
    limit = np.nanmax(np.abs(y))
    image = below.imshow(y, aspect="auto", interpolation="nearest", cmap="RdBu_r", vmin=-limit, vmax=limit)
    below.set(ylabel="channel", xlabel="time step", title="observations: mixtures of the dimensions, with noise")
    figure.colorbar(image, ax=below, shrink=0.9)
    for axes in (above, below):
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    partial = arguments.out.with_suffix(".partial.png")
    figure.savefig(partial, dpi=120, metadata={"Software": None})
    partial.replace(arguments.out)
    print(
        f"{arguments.data}: {y.shape[1]} steps, {y.shape[0]} channels, {theta.shape[0]} binary dimensions "
        f"({100 * theta.mean():.0f} % on), {len(np.unique(z))} distinct states visited"
    )


if __name__ == "__main__":
    main()
