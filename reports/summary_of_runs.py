"""Prints what runs found: one line per model with its score, lambda, states used and R-hat.

python reports/summary_of_runs.py --results results --runs results/<experiment>/<variant>/<data>/<model>/<sampler> ...
"""

import argparse
import pathlib
import sys

import numpy as np

from hmmlt_report.chains import ReportError, Run, read_run
from hmmlt_report.convergence import CONVERGED, rhat
from hmmlt_report.experiment import Experiment, in_page_order, read_experiment
from hmmlt_report.quantities import decimals

ROOT = pathlib.Path(__file__).resolve().parents[1]


def estimate(run: Run, quantity: str) -> str:
    """Mean after burn-in over all chains, and the standard deviation of the chains' own means."""
    means = np.array([chain.mean(quantity) for chain in run.chains])
    if not np.isfinite(means).all():
        return "-"
    digits = decimals(quantity)
    spread = f" ± {means.std(ddof=1):.{digits}f}" if len(means) > 1 else ""
    return f"{means.mean():.{digits}f}{spread}"


def worst_rhat(run: Run, quantities: list[str]) -> str:
    values = [rhat(run.chains, quantity) for quantity in quantities if len(run.chains[0].series(quantity))]
    known = [value for value in values if not np.isnan(value)]
    return f"{max(known):.2f}{'' if max(known) <= CONVERGED else ' *'}" if known else "-"


def row(experiment: Experiment, run: Run) -> list[str]:
    quantities = [experiment.score, "lambda", "states_used"]
    name = experiment.model_name(run.model)
    return [run.data, name, run.sampler, str(len(run.chains)), *(estimate(run, q) for q in quantities), worst_rhat(run, quantities)]


def print_table(header: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(line[column]) for line in [header, *rows]) for column in range(len(header))]
    for line in [header, *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def print_summary(runs: list[Run]) -> None:
    experiments = {name: read_experiment(ROOT / "experiments" / name) for name in {run.experiment for run in runs}}
    runs = in_page_order(runs, experiments)
    for name, variant in dict.fromkeys((run.experiment, run.variant) for run in runs):
        experiment = experiments[name]
        of_variant = [run for run in runs if (run.experiment, run.variant) == (name, variant)]
        models = experiment.in_order({run.model for run in of_variant})
        of_variant.sort(key=lambda run: (run.data, run.sampler, models.index(run.model)))
        about = experiment.variants.get(variant)
        print(f"\n{experiment.title}, {variant}{f': {about}' if about else ''}. Score: {experiment.label(experiment.score)}")
        header = ["data", "model", "sampler", "chains", "score", "lambda", "states", "R-hat"]
        print_table(header, [row(experiment, run) for run in of_variant])
    print("\nMeans after burn-in ± standard deviation between chains. R-hat: the largest of what stands in the row;")
    print(f"* above {CONVERGED}: these chains have not converged.")
    if any(run.chains[0].config.get("model.dynamics") == "factorial" for run in runs):
        print("States of a factorial model: different combinations of its bits that occur.")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="A table of what runs found.")
    parser.add_argument("--results", type=pathlib.Path, required=True, help="the folder that all runs lie in")
    parser.add_argument("--runs", type=pathlib.Path, nargs="+", required=True, help="directories of chains of one model")
    arguments = parser.parse_args(argv)
    try:
        runs = [read_run(directory, arguments.results) for directory in arguments.runs]
        for run in runs:
            if not run.chains:
                raise ReportError(f"{run.directory}: expected a finished chain, found none")
        print_summary(runs)
    except ReportError as error:
        print(error, file=sys.stderr)
        return error.code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
