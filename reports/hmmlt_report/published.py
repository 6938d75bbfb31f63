"""What was published, as numbers: read off the curves beside an experiment, over one window wherever it is quoted."""

import pathlib
import re

import numpy as np
import pandas as pd

from .chains import ReportError
from .quantities import decimals

# The part of a published run whose mean stands for it: what the runs were when they had settled. Texts quote the same.
FIRST = 2 / 3
WINDOW = "mean over the last third of the published run"
PLACE = re.compile(r"\{(\w+):(\w+)(?:,lambda=([\d.]+))?\}")


def settled(curve: pd.DataFrame) -> pd.Series:
    """Which sweeps of a published curve count."""
    return curve["sweep"] >= FIRST * curve["sweep"].max()


def published_mean(curve: pd.DataFrame) -> float:
    return float(curve["value"][settled(curve)].mean()) if len(curve) else np.nan


def curve_of(curves: dict[str, pd.DataFrame], quantity: str, model: str, fixed: float | None) -> pd.DataFrame:
    """That of a model; where there is one for each fixed lambda, that of the lambda given, and none without one."""
    curve = curves.get(quantity)
    if curve is None:
        return pd.DataFrame()
    curve = curve[curve["model"] == model]
    if "lambda" not in curve or curve["lambda"].isna().all():
        return curve
    return curve[curve["lambda"] == fixed] if fixed is not None else curve.iloc[:0]


def filled(text: str, curves: dict[str, pd.DataFrame], where: str) -> str:
    """{f1:lt} and {f1:lt,lambda=5} become what the curve of that quantity and model came to."""

    def value(match: re.Match) -> str:
        quantity, model, fixed = match.groups()
        mean = published_mean(curve_of(curves, quantity, model, float(fixed) if fixed else None))
        if np.isnan(mean):
            raise ReportError(f"{where}: published: expected a curve for {match[0]} in published/{quantity}.csv, found none")
        return f"{mean:.{decimals(quantity)}f}"

    out = PLACE.sub(value, text)
    if "{" in out:
        raise ReportError(
            f"{where}: published: expected places like {{f1:lt}} or {{f1:lt,lambda=5}}, found {out[out.index('{') :]}"
        )
    return out


def read_curves(folder: pathlib.Path) -> dict[str, pd.DataFrame]:
    """Quantity -> published curves of all models."""
    return {path.stem: pd.read_csv(path, comment="#") for path in sorted(folder.glob("*.csv"))}
