"""The table of `make bench-compare`: seconds of both sides, their ratio, and whether it is more than noise."""

import pathlib
import sys

import numpy as np
import pandas as pd

import bench_table


def read_side(folder: pathlib.Path, side: str) -> pd.DataFrame:
    """One column per round."""
    rounds = {}
    for path in sorted(folder.glob(f"{side}-*.json")):
        timings = bench_table.read_timings(bench_table.load(path))
        rounds[path.stem] = timings.set_index(["name", "shape"])["seconds"]
    return pd.DataFrame(rounds)


def compare(base: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Ratio of the best rounds. Noise: how far the rounds of each side lie apart (median over best), both together, and
    at least what is usual in this run: three rounds may agree by chance."""
    base, new = base.align(new, join="inner", axis=0)
    best_base, best_new = base.min(axis=1), new.min(axis=1)
    spread = np.hypot(np.log(base.median(axis=1) / best_base), np.log(new.median(axis=1) / best_new))
    ratio = best_new / best_base
    noise = np.expm1(2.0 * spread.clip(lower=max(0.01, spread.median())))
    verdict = np.where(ratio < 1 / (1 + noise), "faster", np.where(ratio > 1 + noise, "slower", ""))
    return pd.DataFrame({"base": best_base, "new": best_new, "ratio": ratio, "noise": noise, "verdict": verdict})


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    base, new = read_side(folder, "base"), read_side(folder, "new")
    if base.empty or new.empty:
        sys.exit("bench-compare: no rounds were measured")
    table = compare(base, new)
    shown = table[(table["base"] > 1e-3) | (table["new"] > 1e-3) | (table["verdict"] == "slower")]
    print(f"\n{'':34} {'shape':24} {'base ms':>10} {'new ms':>10} {'ratio':>7} {'noise':>7}")
    for (name, shape), row in shown.iterrows():
        print(f"{name:34} {shape:24} {1e3 * row.base:10.3f} {1e3 * row.new:10.3f} {row.ratio:7.3f} {min(row.noise, 9.99):7.1%} {row.verdict}")
    if shown["noise"].median() > 0.25:
        print("\nThe machine is too busy to compare: the rounds of one and the same program differ by more than a quarter.")
    limits = table[table.index.get_level_values("name") == "limit/bare_float"]["ratio"]
    if not limits.empty:
        print(f"\nThe bare loop is the same code on both sides: its ratios {limits.min():.3f} to {limits.max():.3f} are noise alone.")
    print(f"{len(table) - len(shown)} figures below 1 ms and not slower are left out; all are in {folder / 'compare.csv'}")
    table.reset_index().to_csv(folder / "compare.csv", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
