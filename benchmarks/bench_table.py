"""From Google Benchmark's JSON to the tables of benchmarks/results: which limit belongs to which figure, and its goal."""

import json
import pathlib

import numpy as np
import pandas as pd

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ["name", "shape", "seconds", "limit", "limit_seconds", "ratio", "goal"]
CHORALE_STEPS = 18818


def read_timings(raw: dict) -> pd.DataFrame:
    """One row per figure: the best repetition (each is a median of its own), and how far the repetitions lie apart."""
    rows = []
    for run in raw["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name, shape = run["run_name"].split(":")[0], run["label"]
        common = {"fma": run.get("fma"), "bytes": run.get("bytes"), "states_used": run.get("states_used"),
                  "untrusted": run.get("untrusted")}
        rows.append({"name": name, "shape": shape, "seconds": run["seconds"], **common})
        for counter, seconds in run.items():
            if counter.startswith("block/"):
                block = name.replace("sweep/", "block/") + "/" + counter.removeprefix("block/")
                rows.append({"name": block, "shape": shape, "seconds": seconds})
    found = pd.DataFrame(rows)
    if found.empty:
        raise SystemExit("bench: the run has no figures")
    grouped = found.groupby(["name", "shape"], sort=False)
    timings = grouped.agg(
        seconds=("seconds", "min"), highest=("seconds", "max"), fma=("fma", "first"), bytes=("bytes", "first"),
        states_used=("states_used", "first"), untrusted=("untrusted", "first"),
    ).reset_index()
    return with_best_bare_loop(timings)


def with_best_bare_loop(timings: pd.DataFrame) -> pd.DataFrame:
    """limit/bare_float_1 and _4 are two ways to write the same loop: the limit is the faster one."""
    is_variant = timings["name"].str.fullmatch(r"limit/bare_\w+_\d")
    variants = timings[is_variant].copy()
    variants["name"] = variants["name"].str.replace(r"_\d$", "", regex=True)
    best = variants.sort_values("seconds", kind="stable").drop_duplicates(["name", "shape"]).sort_index()
    return pd.concat([best, timings[~is_variant]], ignore_index=True)


class Limits:
    """Looks up what a figure is compared with; None where the run did not measure it."""

    def __init__(self, timings: pd.DataFrame):
        self.rows = timings.set_index(["name", "shape"])

    def get(self, name: str, shape: str, column: str = "seconds"):
        return float(self.rows.at[(name, shape), column]) if (name, shape) in self.rows.index else None

    def bare_loop(self, shape: str, real: str = "float"):
        bare = shape.rsplit(" ", 1)[0]  # without live or posterior
        return self.get(f"limit/bare_{real}", bare.replace("chorales", f"T={CHORALE_STEPS}"))

    def sgemm_seconds(self, fma: float, n: int):
        name = "limit/sgemm", f"{n}x{n} {n}x{n}"
        seconds, work = self.get(*name), self.get(*name, "fma")
        return None if seconds is None else seconds * fma / work

    def of(self, name: str, shape: str) -> list:
        """(limit, its seconds) for every comparison that makes sense."""
        kind, *rest = name.split("/")
        if kind == "limit":
            if rest == ["bare_double"]:
                return [("bare float loop", self.get("limit/bare_float", shape))]
            if rest == ["batched_sgemm"]:
                return [("sgemm", self.sgemm_seconds(self.get(name, shape, "fma"), states_of(shape)))]
            return [(None, None)]
        if "factorial" in rest:
            butterflies = self.get("limit/bare_butterflies", shape)
            return [("bare butterflies", butterflies)] if butterflies is not None else [(None, None)]
        found = [("bare float loop", self.bare_loop(shape))]
        if kind == "forward_double":
            found = [("bare double loop", self.bare_loop(shape, "double"))]
        is_chorale = shape.startswith("chorales")
        if kind == "forward" and is_chorale:
            n = states_of(shape)
            found.append(("sgemm", self.sgemm_seconds(CHORALE_STEPS * n * n, n)))
        if kind == "sweep" and rest[0] == "blocked":
            found.append(("single sweep", self.get(f"sweep/single/{rest[1]}", shape)))
        if kind == "sweep" and is_chorale:
            found.append(("forward pass", self.get(f"forward/{rest[1]}", shape)))
        return [(limit, seconds) for limit, seconds in found if seconds is not None] or [(None, None)]


def states_of(shape: str) -> int:
    return int(shape.split("J=")[1].split()[0])


def steps_of(shape: str) -> int:
    return CHORALE_STEPS if shape.startswith("chorales") else int(shape.split("T=")[1].split()[0])


def bench_table(timings: pd.DataFrame) -> pd.DataFrame:
    """The seven columns of bench.parquet: a figure may stand next to several limits, one row each."""
    limits = Limits(timings)
    rows = []
    for name, shape, seconds in timings[["name", "shape", "seconds"]].itertuples(index=False):
        if name.startswith("at_once/"):
            continue
        for limit, limit_seconds in limits.of(name, shape):
            rows.append([name, shape, seconds, limit, limit_seconds])
    for shape in timings.loc[timings["name"] == "at_once/2/sweep", "shape"]:
        slowed = limits.get("at_once/2/bare_float", shape) / limits.get("at_once/1/bare_float", shape)
        limit_seconds = slowed * limits.get("at_once/1/sweep", shape)
        rows.append(["two_chains/single/lt", shape, limits.get("at_once/2/sweep", shape), "bare loops at once", limit_seconds])
    table = pd.DataFrame(rows, columns=COLUMNS[:5])
    table["limit_seconds"] = table["limit_seconds"].astype(float)
    table["ratio"] = table["seconds"] / table["limit_seconds"]
    goals = read_goals()[["name", "shape", "limit", "goal"]]
    return table.merge(goals, how="left", on=["name", "shape", "limit"])[COLUMNS]


def read_goals() -> pd.DataFrame:
    return pd.read_csv(HERE / "goals.csv")


def scaling_table(timings: pd.DataFrame) -> pd.DataFrame:
    """Exponents of seconds ~ J^a at the T that has most points, and ~ T^b at a fixed J; live states only."""
    grid = timings[timings["shape"].str.fullmatch(r"T=\d+ J=\d+( live)?") & ~timings["name"].str.startswith("at_once")]
    grid = grid.assign(J=grid["shape"].map(states_of), T=grid["shape"].map(steps_of))
    rows = []
    for variable, fixed, at in (("J", "T", 2000), ("T", "J", 200)):
        chosen = grid[(grid[fixed] == at) & (grid["J"] >= 100)]
        for name, group in chosen.groupby("name", sort=False):
            if group[variable].nunique() >= 3:
                slope = np.polyfit(np.log(group[variable]), np.log(group["seconds"]), 1)[0]
                rows.append([name, variable, f"{fixed} = {at}", len(group), round(slope, 2)])
    return pd.DataFrame(rows, columns=["name", "variable", "at", "points", "exponent"])


def load(path: pathlib.Path) -> dict:
    return json.loads(path.read_text())
