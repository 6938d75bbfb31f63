"""Reading chains: one directory each, their series by name, and the runs they make up."""

import json
import pathlib
import tomllib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

DEFAULT_BURN_IN = 1000  # docs/formats.md, [run]
# Averages over draws, one number per chain (heldout.py), and the column of heldout.parquet that each averages.
PREDICTIVE = {
    "test_log_predictive": "log_likelihood",
    "test_log_predictive_expected": "log_likelihood_expected",
}


def watched(quantity: str) -> str:
    """The series that tells whether a quantity has converged: of an average over draws, the scores of the draws."""
    return f"test_{PREDICTIVE[quantity]}" if quantity in PREDICTIVE else quantity


class ReportError(Exception):
    """What a person has to know to mend the input; one sentence."""

    code = 65


class NotThere(ReportError):
    """A file or folder that is not there: an error of input and output, as in every other stage."""

    code = 74


def read_table(path: pathlib.Path, **options) -> pd.DataFrame:
    """A table, or those columns and rows (filters) of it that are asked for; damaged pages are refused."""
    try:
        return pq.read_table(path, page_checksum_verification=True, **options).to_pandas()
    except FileNotFoundError:
        raise NotThere(f"{path}: expected a table there, found none") from None
    except (OSError, ValueError) as error:  # pyarrow's errors derive from these
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReportError(f"{path}: cannot be read as Parquet: {first}") from None


def read_words(path: pathlib.Path) -> pd.DataFrame:
    """A CSV whose cells are kept as they stand there."""
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise NotThere(f"{path}: expected a table there, found none") from None
    except ValueError as error:  # pandas's errors derive from it
        raise ReportError(f"{path}: cannot be read as CSV: {str(error).splitlines()[0]}") from None


def read_json(path: pathlib.Path) -> dict:
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise NotThere(f"{path}: expected a file there, found none") from None
    except ValueError as error:
        raise ReportError(f"{path}: expected JSON: {error}") from None


def flat(table: dict, prefix: str = "") -> dict:
    """Nested tables as one level with full key paths."""
    out = {}
    for key, value in table.items():
        if isinstance(value, dict):
            out |= flat(value, f"{prefix}{key}.")
        else:
            out[prefix + key] = value
    return out


@dataclass
class Chain:
    """A finished chain: its directory has provenance.json, which training writes last."""

    directory: pathlib.Path

    @cached_property
    def provenance(self) -> dict:
        return read_json(self.directory / "provenance.json")

    @cached_property
    def config(self) -> dict:
        return flat(tomllib.loads(self.provenance.get("config", "")))

    @cached_property
    def number(self) -> int:
        return int(self.trace["chain"].iloc[0])

    @property
    def seed(self) -> str:
        return str(self.provenance.get("seed", ""))

    @property
    def learns_weights(self) -> bool:
        """Then features have no names: they come in any order, and either way round."""
        return any(key.startswith("model.emission.weights.") for key in self.config)

    @property
    def burn_in(self) -> int:
        return int(self.config.get("run.burn_in", DEFAULT_BURN_IN))

    @property
    def n_sweeps(self) -> int:
        return int(self.trace["sweep"].iloc[-1])

    @cached_property
    def trace(self) -> pd.DataFrame:
        trace = read_table(self.directory / "trace.parquet")
        if trace.empty:
            raise ReportError(f"{self.directory / 'trace.parquet'}: expected at least one sweep, found none")
        return trace

    @property
    def named_data(self) -> pathlib.Path | None:
        """The data directory as the command line of the training names it."""
        command = self.provenance.get("command", [])
        return next((pathlib.Path(value) for flag, value in zip(command, command[1:]) if flag == "--data"), None)

    @cached_property
    def data(self) -> pathlib.Path | None:
        """The same, if it is there."""
        return self.named_data if self.named_data and self.named_data.is_dir() else None

    @cached_property
    def n_train(self) -> int | None:
        """Steps of the training data."""
        path = self.data and self.data / "observations.parquet"
        return pq.read_metadata(path).num_rows if path and path.exists() else None

    @cached_property
    def heldout_rows(self) -> pd.DataFrame:
        """Log likelihood of each sequence of the test data, by sweep; empty if they were not scored."""
        path = self.directory / "heldout.parquet"
        columns = ["sweep", "sequence", "log_likelihood", "log_likelihood_expected", "n"]
        return read_table(path) if path.exists() else pd.DataFrame(columns=columns)

    @cached_property
    def heldout(self) -> pd.DataFrame:
        """Log likelihood of the test data per step, by sweep."""
        sums = self.heldout_rows.groupby("sweep")[["log_likelihood", "log_likelihood_expected", "n"]].sum()
        return sums.div(sums["n"], axis=0)

    def series(self, name: str) -> pd.Series:
        """A quantity by sweep, where it was computed; empty if the chain does not have it."""
        if name in ("test_log_likelihood", "test_log_likelihood_expected"):
            return self.heldout[name.removeprefix("test_")].dropna()
        scale = 1.0
        if name == "train_log_likelihood":
            if self.n_train is None:
                return pd.Series(dtype=float)
            name, scale = "log_likelihood", 1.0 / self.n_train
        if name not in self.trace:
            return pd.Series(dtype=float)
        return self.trace.set_index("sweep")[name].dropna() * scale

    def after_burn_in(self, name: str) -> pd.Series:
        series = self.series(name)
        return series[series.index > self.burn_in]

    def mean(self, name: str) -> float:
        values = self.after_burn_in(name)
        return float(values.mean()) if len(values) else np.nan

    def seconds_after(self, sweep: int) -> float:
        path = self.directory / "timing.parquet"
        if not path.exists():
            return np.nan
        timing = read_table(path)
        return float(timing["seconds"][timing["sweep"] > sweep].sum())

    @cached_property
    def seconds(self) -> float:
        return self.seconds_after(0)


def numbered(directory: pathlib.Path) -> int:
    """k of a directory chain-<k>; -1 for any other name."""
    _, _, k = directory.name.rpartition("chain-")
    return int(k) if k.isdigit() else -1


@dataclass
class Run:
    """All chains of one model on one data set: results/<experiment>/<variant>/<data>/<model>/<sampler>."""

    directory: pathlib.Path
    experiment: str
    variant: str
    data: str
    model: str
    sampler: str
    chains: list[Chain]
    unfinished: list[int]

    @property
    def key(self) -> tuple[str, str, str]:
        return self.experiment, self.variant, self.sampler

    def table(self, stage: str) -> pd.DataFrame | None:
        """diagnostics/diagnostics.parquet or evaluation/evaluation.parquet, if it is there."""
        path = self.directory / stage / f"{stage}.parquet"
        return read_table(path) if path.exists() else None


class Planned(NamedTuple):
    """A run that should be there."""

    experiment: str
    variant: str
    data: str
    model: str
    sampler: str


def read_planned(path: pathlib.Path) -> list[Planned]:
    """One run per line, as its path below the results."""
    try:
        lines = path.read_text().split()
    except FileNotFoundError:
        raise NotThere(f"{path}: expected a list of planned runs there, found none") from None
    wrong = [line for line in lines if line.count("/") != 4]
    if wrong:
        raise ReportError(f"{path}: expected <experiment>/<variant>/<data>/<model>/<sampler>, found {wrong[0]}")
    return [Planned(*line.split("/")) for line in lines]


def read_run(directory: pathlib.Path, results: pathlib.Path) -> Run:
    try:
        levels = directory.resolve().relative_to(results.resolve()).parts
    except ValueError:
        levels = ()
    if len(levels) != 5:
        raise ReportError(
            f"{directory}: expected a run directory {results}/<experiment>/<variant>/<data>/<model>/<sampler>"
        )
    if not directory.is_dir():
        raise NotThere(f"{directory}: expected a run directory there, found none")
    found = sorted((d for d in directory.glob("chain-*") if d.is_dir() and numbered(d) >= 0), key=numbered)
    finished = [d for d in found if (d / "provenance.json").exists()]
    unfinished = [numbered(d) for d in found if d not in finished]
    return Run(directory, *levels, [Chain(d) for d in finished], unfinished)


def missing_chains(runs: list[Run]) -> dict[int, list[int]]:
    """Place of a run in the list -> numbers of chains that others of its experiment, variant and sampler have."""
    expected: dict[tuple, set[int]] = {}
    for run in runs:
        numbers = {numbered(chain.directory) for chain in run.chains} | set(run.unfinished)
        expected.setdefault(run.key, set()).update(numbers)
    out = {}
    for i, run in enumerate(runs):
        there = {numbered(chain.directory) for chain in run.chains} | set(run.unfinished)
        absent = sorted(expected[run.key] - there)
        if absent or not there:
            out[i] = absent
    return out
