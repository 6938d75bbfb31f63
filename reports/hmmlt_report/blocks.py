"""The blocks of a report's page that are tables: claims, summaries, diagnostics, origins."""

import numpy as np
import pandas as pd
from markupsafe import Markup

from . import tables
from .chains import Run
from .claims import Judged
from .convergence import CONVERGED
from .experiment import Experiment, decimals
from .page import duration, html_table, number

WORDS = {"replicated": "replicated", "not": "not replicated", "inconclusive": "inconclusive"}
DIAGNOSED = ("f1", "lambda", "states_used", "alpha", "gamma", "rho", "log_joint", "log_likelihood")


def claim_block(experiment: Experiment, judged: list[Judged]) -> dict:
    """Rows are claims; columns are (variant, sampler), beside each other."""
    columns = list(dict.fromkeys((one.variant, one.sampler) for one in judged))
    rows = []
    for claim in dict.fromkeys(one.claim.id for one in judged):
        of_claim = {(one.variant, one.sampler): one for one in judged if one.claim.id == claim}
        first = next(iter(of_claim.values()))
        rows.append({"claim": first.claim, "cells": [claim_cell(of_claim.get(column)) for column in columns]})
    return {
        "title": experiment.title,
        "columns": [f"{variant} · {sampler}" for variant, sampler in columns],
        "rows": rows,
    }


def claim_cell(judged: Judged | None) -> dict | None:
    if judged is None:
        return None
    verdict, digits = judged.verdict, decimals(judged.claim.quantity)
    estimate = verdict.estimate
    ours = (
        f"{number(estimate.mean, digits)} [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"
        if estimate.n
        else "–"
    )
    about = verdict.decisive if estimate.n else verdict.reason
    if estimate.n and judged.n_comparisons > 1:
        about = f"decided by {about}"
    mark = {
        None: "R-hat undefined",
        True: f"R-hat {number(judged.rhat, 2)}, converged",
        False: f"R-hat {number(judged.rhat, 2)}, not converged",
    }
    return {
        "verdict": verdict.verdict,
        "word": WORDS[verdict.verdict],
        "ours": ours,
        "about": about,
        "mark": mark[judged.converged],
        "converged": judged.converged,
    }


def summary_table(experiment: Experiment, runs: list[Run], summary: pd.DataFrame) -> Markup:
    """Rows: data set and model. Cells: mean ± sd over chains, published, R-hat."""
    quantities = [q for q in tables.quantities_of(experiment, runs) if q in set(summary["quantity"])]
    pooled = [
        q
        for q in ("pooled_log_predictive", "pooled_log_predictive_expected", "pooled_f1")
        if q in set(summary["quantity"])
    ]
    titles = {
        "pooled_log_predictive": "pooled posterior predictive, test",
        "pooled_log_predictive_expected": "pooled posterior predictive, test, expected emission",
        "pooled_f1": "pooled F1, test",
    }
    several = len({run.data for run in runs}) > 1
    rows = []
    for data in dict.fromkeys(run.data for run in runs):
        here = [run for run in runs if run.data == data]
        for model in experiment.in_order({run.model for run in here}):
            of_run = summary[(summary["data"] == data) & (summary["model"] == model)].set_index("quantity")
            row = {"model": experiment.model_name(model) + (f" · {data}" if several else "")}
            row["chains"] = str(len(next(run for run in here if run.model == model).chains))
            for q in (*quantities, *pooled):
                row[titles.get(q) or experiment.label(q)] = summary_cell(of_run, q)
            rows.append(row)
    caption = (
        "After burn-in: mean over chains ± their standard deviation; below it the published value and R-hat, where"
        " there is one."
    )
    return html_table(list(rows[0]), [list(row.values()) for row in rows], caption, "numbers")


def summary_cell(of_run: pd.DataFrame, quantity: str) -> Markup | str:
    if quantity not in of_run.index:
        return ""
    entry, digits = of_run.loc[quantity], decimals(quantity)
    cell = Markup("{}{}").format(
        number(entry["mean"], digits),
        f" ± {number(entry['sd_chains'], digits)}" if entry["sd_chains"] == entry["sd_chains"] else "",
    )
    if np.isfinite(entry["published"]):
        cell += Markup("<small>published {}</small>").format(number(entry["published"], digits))
    if not pd.isna(entry["rhat"]):
        mark = ' class="far"' if entry["rhat"] > CONVERGED else ""
        cell += Markup(f"<small>R-hat <span{mark}>{number(entry['rhat'], 2)}</span></small>")
    return cell


def length_note(experiment: Experiment, runs: list[Run]) -> str:
    """Sweeps and burn-in, and what part of the full length that is."""
    chains = [chain for run in runs for chain in run.chains]
    if not chains:
        return ""
    sweeps, burn_in = sorted({chain.n_sweeps for chain in chains}), sorted({chain.burn_in for chain in chains})
    note = f"{' or '.join(f'{s:,}' for s in sweeps)} sweeps, burn-in {' or '.join(f'{b:,}' for b in burn_in)}"
    full = experiment.full_burn_in.get(runs[0].variant)
    if full and len(burn_in) == 1 and burn_in[0] != full:
        note += f": {100 * burn_in[0] / full:.3g} % of the full length"
    return note + "."


def diagnostics_block(experiment: Experiment, runs: list[Run]) -> Markup:
    table = tables.diagnostics(runs)
    if table.empty:
        return Markup("<p>No diagnostics/ beside these chains: hmmlt-diagnose writes them.</p>")
    table = table[table["name"].isin(DIAGNOSED)]
    names = {"log_joint": "log joint", "log_likelihood": "train log likelihood"}
    rows = [
        [
            experiment.model_name(row.model),
            f"{row.variant} · {row.sampler} · {row.data}",
            names.get(row.name) or experiment.label(row.name),
            row.n_chains,
            number(row.rhat, 3),
            number(row.ess_bulk, 0),
            number(row.ess_per_second, 2),
        ]
        for row in table.itertuples()
    ]
    columns = ["model", "variant · sampler · data", "quantity", "chains", "R-hat", "bulk ESS", "ESS per second"]
    return html_table(
        columns,
        rows,
        "Rank-normalised split R-hat and effective sample sizes after burn-in, by hmmlt-diagnose; all scalars:"
        " diagnostics.csv",
    )


def origins_table(origins: pd.DataFrame) -> Markup:
    rows = [
        [
            "/".join(getattr(row, key) for key in tables.KEYS),
            row.chains,
            row.seeds,
            row.sweeps,
            duration(row.seconds_per_chain),
            row.revision,
            row.host,
        ]
        for row in origins.itertuples()
    ]
    columns = ["run", "chains", "seeds", "sweeps", "time per chain", "revision", "machine"]
    return html_table(columns, rows, "Wall time is the sum over sweeps of timing.parquet")


def origin_words(origins: pd.DataFrame) -> str:
    def every(column: str) -> str:
        return "; ".join(dict.fromkeys(v for v in origins[column] if v)) or "unknown"

    return (
        f"Revision {every('revision')}; machine {every('host')}; instruction set {every('instruction_set')}; BLAS"
        f" {every('blas')}; seeds {every('seeds')}; {duration(origins['seconds'].sum())} of sampling in all; last chain"
        f" finished {origins['finished'].max() or 'at an unknown time'}."
    )
