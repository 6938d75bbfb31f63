"""What a report says about the data: which corpus, how much of it, and what a uniform guess would score."""

import math
import pathlib

import pyarrow.compute as pc
import pyarrow.parquet as pq

from .chains import Chain, Run, read_json, read_table


def size(folder: pathlib.Path) -> str:
    path = folder / "observations.parquet"
    if not path.exists():
        return ""
    n_steps = pq.read_metadata(path).num_rows
    n_sequences = len(pc.unique(pq.read_table(path, columns=["sequence"])["sequence"]))
    return f"{n_steps:,} steps" + (f" in {n_sequences} sequences" if n_sequences > 1 else "")


def origin(folder: pathlib.Path) -> str:
    """Where the data come from, as their own files say: the same words for all data sets of one origin."""
    if (folder / "statistics.json").exists():
        found = str(read_json(folder / "statistics.json").get("corpus", "unknown"))
        return f"{found}, not the paper's recordings" if found.startswith("stand-in") else found
    if not (folder / "provenance.json").exists():
        return "origin unknown"
    command = read_json(folder / "provenance.json").get("command", [])
    named = dict(zip(command, command[1:]))
    program = pathlib.Path(command[0]).name if command else ""
    if "--corpus" in named:
        return f"corpus {'/'.join(pathlib.Path(named['--corpus']).parts[-2:])}"
    if program == "hmmlt-generate":
        return f"drawn from the model {named.get('--model', 'of the experiment')}"
    if "--in" in named:
        return f"imported from {named['--in']}"
    return "origin unknown"


def seed(folder: pathlib.Path) -> str:
    """Of data that were drawn: what tells one set from the others."""
    path = folder / "provenance.json"
    return f", seed {read_json(path).get('seed')}" if origin(folder).startswith("drawn") and path.exists() else ""


def origins_line(runs: list[Run]) -> str:
    """Where the data of these runs come from, each origin once."""
    folders = [next((chain.data for chain in run.chains if chain.data), None) for run in runs]
    return "; ".join(dict.fromkeys(origin(folder) for folder in folders if folder)) or "origin unknown"


def named(folder: pathlib.Path) -> str:
    """What a user calls the data: the file they were imported from, else their folder."""
    path = folder / "provenance.json"
    command = read_json(path).get("command", []) if path.exists() else []
    source = dict(zip(command, command[1:])).get("--in")
    return pathlib.Path(source).name if source else folder.resolve().name


def describe(run: Run) -> str:
    folder = next((chain.data for chain in run.chains if chain.data), None)
    if folder is None:
        return f"{run.data}: the data directory is not there any more"
    test = size(folder / "test")
    return f"{run.data}: {origin(folder)}{seed(folder)}; {size(folder)} to train on" + (f", {test} to test on" if test else "")


def true_features(chain: Chain) -> int | None:
    """How many features are on at some step of the training data; None where the truth is not there."""
    path = chain.data and chain.data / "truth.parquet"
    names = [name for name in pq.read_schema(path).names if name.startswith("theta_")] if path and path.exists() else []
    return int(read_table(path, columns=names).any().sum()) if names else None


def uniform_guess(chain: Chain) -> float | None:
    """Log likelihood per step if every symbol were equally likely; None unless the data are symbols."""
    if chain.config.get("model.emission.kind") != "categorical" or chain.data is None:
        return None
    path = chain.data / "vocabulary.parquet"
    return -math.log(pq.read_metadata(path).num_rows) if path.exists() else None
