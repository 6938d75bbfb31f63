"""Do chains trained now give the numbers of a committed report? Compares one chain of each run with its chains.parquet.

python reports/check_report.py --report reports/paper --results results --runs results/<experiment>/<variant>/<data>/<model>/<sampler> ...

Means after burn-in must agree to nine digits: chains are the same to the last bit on the same instruction set, and drift
apart altogether where a single draw differs. On another instruction set nothing can be said, and the program says so.
Exit codes: 0 all agree, 1 some do not, 65 nothing can be compared.
"""

import argparse
import pathlib
import sys

import numpy as np
import pandas as pd

from hmmlt_report import tables
from hmmlt_report.chains import ReportError, Run, read_run, read_table, read_words
from hmmlt_report.experiment import read_experiment

ROOT = pathlib.Path(__file__).resolve().parents[1]
SAME = 1e-9  # relative
BUILD = ["instruction_set", "blas"]


def differences(report: pathlib.Path, runs: list[Run], chain: int) -> pd.DataFrame:
    """A row for each run and quantity of that chain that both have: `then`, `now`, and whether they are the same."""
    by_experiment = [
        tables.by_chain(read_experiment(ROOT / "experiments" / name), [run for run in runs if run.experiment == name])
        for name in dict.fromkeys(run.experiment for run in runs)
    ]
    keys = [*tables.KEYS, "chain", "quantity"]
    then = read_table(report / "chains.parquet")
    both = then[then["chain"] == chain].merge(pd.concat(by_experiment), on=keys, suffixes=("_then", "_now"))
    both["same"] = np.isclose(both["mean_then"], both["mean_now"], rtol=SAME, atol=0.0, equal_nan=True)
    return both


def check_builds(report: pathlib.Path, runs: list[Run]) -> None:
    then = read_words(report / "provenance.csv").set_index(tables.KEYS)[BUILD]
    now = tables.origins(runs).set_index(tables.KEYS)[BUILD]
    for key, build in now.iterrows():
        if key in then.index and tuple(then.loc[key]) != tuple(build):
            raise ReportError(
                f"{report}: was computed with {' and '.join(then.loc[key])}, these chains with {' and '.join(build)}: other"
                " numbers are expected, so that nothing can be compared"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", type=pathlib.Path, required=True, help="a report's directory, with chains.parquet")
    parser.add_argument("--results", type=pathlib.Path, required=True, help="where runs lie")
    parser.add_argument("--runs", type=pathlib.Path, nargs="+", required=True, help="run directories with finished chains")
    parser.add_argument("--chain", type=int, default=0, help="which chain of each run")
    flags = parser.parse_args()
    try:
        runs = [read_run(directory, flags.results) for directory in flags.runs]
        check_builds(flags.report, runs)
        both = differences(flags.report, runs, flags.chain)
        if both.empty:
            raise ReportError(f"{flags.report}: has chain {flags.chain} of none of these runs")
    except ReportError as error:
        print(f"check_report: {error}", file=sys.stderr)
        return error.code
    for row in both[~both["same"]].itertuples():
        place = "/".join([row.experiment, row.variant, row.data, row.model, row.sampler, f"chain-{row.chain}"])
        print(f"{place}: {row.quantity} was {row.mean_then:.10g}, is {row.mean_now:.10g}")
    n_chains = len(both[[*tables.KEYS, "chain"]].drop_duplicates())
    print(f"{flags.report}: {both['same'].sum()} of {len(both)} numbers of {n_chains} chains are the same")
    return 0 if both["same"].all() else 1


if __name__ == "__main__":
    sys.exit(main())
