"""A user's chains and data: are they of one model, what was observed, what are channels and symbols called."""

import pathlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .chains import Chain, NotThere, ReportError, read_table


@dataclass(frozen=True)
class UserData:
    folder: pathlib.Path
    sequence: np.ndarray
    t: np.ndarray
    y: np.ndarray | None  # steps x channels
    symbols: np.ndarray | None  # -1 where missing
    channels: list[str]
    labels: pd.Series  # of symbols
    names: dict[int, str]  # of sequences


def read_chains(directories: list[pathlib.Path]) -> tuple[list[Chain], list[str]]:
    """Finished chains of one model on one data set, and what has to be said about the others."""
    notes, chains = [], []
    for directory in directories:
        if not directory.is_dir():
            raise NotThere(f"{directory}: expected the directory of a chain there, found none")
        if (directory / "provenance.json").exists() and (directory / "trace.parquet").exists():
            chains.append(Chain(directory))
        else:
            notes.append(f"{directory} is not finished and was left out")
    if not chains:
        raise ReportError(f"{directories[0]}: expected at least one finished chain, found none")
    first = chains[0]
    for chain in chains[1:]:
        for key, what in (("config", "another model"), ("inputs", "other data")):
            if chain.provenance.get(key) != first.provenance.get(key):
                raise ReportError(f"{chain.directory}: {what} than {first.directory}")
    seen = {}
    for chain in chains:
        name = f"chain {chain.number} of seed {chain.seed}"
        if name in seen:
            raise ReportError(f"{seen[name]} and {chain.directory} are both {name}; each chain counts once")
        seen[name] = chain.directory
    return chains, notes


def optional_names(path: pathlib.Path, index: str, column: str) -> dict:
    return dict(zip(*(read_table(path)[c] for c in (index, column)))) if path.exists() else {}


def read_data(folder: pathlib.Path) -> UserData:
    table = read_table(folder / "observations.parquet")
    for column in ("sequence", "t"):
        if column not in table:
            raise ReportError(f"{folder / 'observations.parquet'}: expected a column {column}, found none")
    table = table.sort_values(["sequence", "t"], kind="stable")
    channels = [c for c in table.columns if c.startswith("y_")]
    y = symbols = None
    if sorted(channels) != sorted(f"y_{i}" for i in range(len(channels))) or not (channels or "symbol" in table):
        raise ReportError(
            f"{folder / 'observations.parquet'}: expected columns y_0, y_1, ... or symbol, found {', '.join(table.columns)}"
        )
    if channels:
        y = table[[f"y_{i}" for i in range(len(channels))]].to_numpy(float)
    else:
        symbols = table["symbol"].fillna(-1).to_numpy(int)
    called = optional_names(folder / "channels.parquet", "channel", "name")
    vocabulary = folder / "vocabulary.parquet"
    labels = pd.Series(dtype=str)
    if vocabulary.exists():
        words = read_table(vocabulary).set_index("symbol")
        labels = words["name"] if "name" in words else words["label"]
    return UserData(
        folder,
        table["sequence"].to_numpy(),
        table["t"].to_numpy(),
        y,
        symbols,
        [called.get(i, f"y_{i}") for i in range(len(channels))],
        labels,
        optional_names(folder / "sequences.parquet", "sequence", "name"),
    )
