"""The report of a list of runs: all tables and figures, then the page that shows them."""

import pathlib

import numpy as np
import pandas as pd
from markupsafe import Markup

from . import claims, curves, level_curves, matrices, tables
from .chains import ReportError, Run, missing_chains, read_run
from .convergence import CONVERGED
from .data_sets import describe, uniform_guess
from .experiment import Experiment, decimals, read_experiment
from .figures import Picture
from .output import Output
from .page import duration, html_table, number, render
from .places import Places, draw_map, draw_transitions

WORDS = {"replicated": "replicated", "not": "not replicated", "inconclusive": "inconclusive"}
DIAGNOSED = ("f1", "lambda", "states_used", "alpha", "gamma", "rho", "log_joint", "log_likelihood")


def groups_of(runs: list[Run]) -> dict[tuple[str, str], list[Run]]:
    """Runs of an experiment by (variant, sampler), in the order given."""
    out: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        out.setdefault((run.variant, run.sampler), []).append(run)
    return out


def missing_lines(runs: list[Run]) -> list[str]:
    lines = []
    for i, absent in missing_chains(runs).items():
        run = runs[i]
        what = "no chain at all" if not absent or not (run.chains or run.unfinished) else f"chain {', '.join(map(str, absent))} missing"
        lines.append(f"{run.directory}: {what}")
    for run in runs:
        if run.unfinished:
            lines.append(f"{run.directory}: chain {', '.join(map(str, run.unfinished))} not finished, left out")
    return lines


def claim_block(experiment: Experiment, judged: list[claims.Judged]) -> dict:
    """Rows are claims; columns are (variant, sampler), beside each other."""
    columns = list(dict.fromkeys((one.variant, one.sampler) for one in judged))
    rows = []
    for claim in dict.fromkeys(one.claim.id for one in judged):
        of_claim = {(one.variant, one.sampler): one for one in judged if one.claim.id == claim}
        first = next(iter(of_claim.values()))
        rows.append({"claim": first.claim, "cells": [claim_cell(of_claim.get(column)) for column in columns]})
    return {"title": experiment.title, "columns": [f"{variant} · {sampler}" for variant, sampler in columns], "rows": rows}


def claim_cell(judged: claims.Judged | None) -> dict | None:
    if judged is None:
        return None
    verdict, digits = judged.verdict, decimals(judged.claim.quantity)
    estimate = verdict.estimate
    ours = f"{number(estimate.mean, digits)} [{number(estimate.low, digits)}, {number(estimate.high, digits)}]" if estimate.n else "–"
    mark = {
        None: "R-hat undefined",
        True: f"R-hat {number(judged.rhat, 2)}, converged",
        False: f"R-hat {number(judged.rhat, 2)}, not converged",
    }
    return {
        "verdict": verdict.verdict,
        "word": WORDS[verdict.verdict],
        "ours": ours,
        "about": f"decided by {verdict.decisive}" if verdict.decisive and judged.n_comparisons > 1 else verdict.decisive or verdict.reason,
        "mark": mark[judged.converged],
        "converged": judged.converged,
    }


def summary_table(experiment: Experiment, runs: list[Run], summary: pd.DataFrame) -> Markup:
    """Rows: data set and model. Cells: mean ± sd over chains, published, R-hat."""
    quantities = [q for q in tables.quantities_of(experiment, runs) if q in set(summary["quantity"])]
    pooled = [q for q in ("pooled_log_predictive", "pooled_log_predictive_expected", "pooled_f1") if q in set(summary["quantity"])]
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
    caption = "After burn-in: mean over chains ± their standard deviation; below it the published value and R-hat, where there is one."
    return html_table(list(rows[0]), [list(row.values()) for row in rows], caption, "numbers")


def summary_cell(of_run: pd.DataFrame, quantity: str) -> Markup | str:
    if quantity not in of_run.index:
        return ""
    entry, digits = of_run.loc[quantity], decimals(quantity)
    cell = Markup("{}{}").format(number(entry["mean"], digits), f" ± {number(entry['sd_chains'], digits)}" if entry["sd_chains"] == entry["sd_chains"] else "")
    if np.isfinite(entry["published"]):
        cell += Markup("<small>published {}</small>").format(number(entry["published"], digits))
    if not pd.isna(entry["rhat"]):
        mark = ' class="far"' if entry["rhat"] > CONVERGED else ""
        cell += Markup(f"<small>R-hat <span{mark}>{number(entry['rhat'], 2)}</span></small>")
    return cell


def group_pictures(experiment: Experiment, runs: list[Run], folder: pathlib.Path) -> tuple[list[Picture], list[Markup]]:
    pictures, extra = [], []
    with_chains = [run for run in runs if run.chains and not experiment.is_bracket(run.model)]
    data_sets = dict.fromkeys(run.data for run in runs)
    grids = level_curves.grids(experiment, with_chains)
    named = {model for claim in experiment.claims for model in (*claim.models, *claim.than)}
    only_in_grids = {run.model for of_grid in grids.values() for run in of_grid} - named if named else set()
    everywhere = [
        run
        for run in with_chains
        if {other.data for other in runs if other.model == run.model} == set(data_sets) and run.model not in only_in_grids
    ]
    brackets = [run for run in runs if run.chains and experiment.is_bracket(run.model)]
    if not everywhere:
        return [], []
    uniform = uniform_guess(everywhere[0].chains[0])
    for quantity in experiment.figures:
        if curves.with_values(everywhere, quantity):
            beside = brackets if quantity == experiment.score else []
            pictures.append(curves.draw(experiment, everywhere, quantity, folder, uniform, beside))
    for key, of_grid in grids.items():
        for quantity in experiment.figures:
            if curves.with_values(of_grid, quantity) and quantity != key[1]:
                picture = level_curves.draw(experiment, key, of_grid, quantity, folder, uniform)
                pictures += [picture] if picture else []
    if experiment.images.get("state_mean", True):
        picture = matrices.draw(experiment, [r for r in with_chains if r.data == next(iter(data_sets))], folder)
        pictures += [picture] if picture else []
    if experiment.images.get("locations", True):
        first = [run for run in everywhere if run.data == next(iter(data_sets))]
        for run in sorted(first, key=lambda run: experiment.in_order({r.model for r in first}).index(run.model)):
            places = Places(run.chains[0])
            if places.there:
                name = f"{experiment.name}-{run.variant}-{run.sampler}-{run.data}-{run.model}"
                pictures.append(draw_map(experiment, run.model, places, folder, name))
                pictures.append(draw_transitions(experiment, run.model, places, folder, name))
                caption = f"{experiment.model_name(run.model)}: the ten most visited states of that draw"
                extra.append(html_table(*places.table(10), caption))
    return pictures, extra


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
    return html_table(columns, rows, "Rank-normalised split R-hat and effective sample sizes after burn-in, by hmmlt-diagnose; all scalars: diagnostics.csv")


def experiment_block(experiment: Experiment, runs: list[Run], summary: pd.DataFrame, folder: pathlib.Path, say) -> dict:
    groups, details = [], []
    for (variant, sampler), of_group in groups_of(runs).items():
        say(f"{experiment.name}: {variant}, {sampler}")
        pictures, extra = group_pictures(experiment, of_group, folder)
        here = summary[(summary["variant"] == variant) & (summary["sampler"] == sampler)]
        about = experiment.variants.get(variant, "")
        title = f"Variant {variant}{f' ({about})' if about else ''}, sampler {sampler}"
        block = summary_table(experiment, of_group, here) if len(here) else Markup("<p>No finished chains.</p>")
        groups.append({"title": title, "note": length_note(experiment, of_group), "summary": block, "pictures": pictures, "tables": extra})
    for variant in dict.fromkeys(run.variant for run in runs):
        table = tables.settings(experiment, [run for run in runs if run.variant == variant])
        if len(table):
            rows = [[key, *values] for key, values in zip(table.index, table.to_numpy().tolist())]
            caption = "The configuration in force, keys as in a model file; empty: not a key of that model"
            details.append({"title": f"Settings, variant {variant}", "table": html_table(["setting", *table.columns], rows, caption)})
    details.append({"title": "Diagnostics", "table": diagnostics_block(experiment, runs)})
    first_of_data = {run.data: run for run in reversed(runs) if run.chains}
    data = [describe(first_of_data[name]) for name in dict.fromkeys(run.data for run in runs) if name in first_of_data]
    by_variant = {(run.variant, run.data): run for run in reversed(runs) if run.chains}
    data = list(dict.fromkeys(f"{variant}, {describe(run)}" for (variant, _), run in reversed(by_variant.items()))) or data
    return {"name": experiment.name, "title": experiment.title, "question": experiment.question, "data": data, "groups": groups, "details": details}


def origins_table(origins: pd.DataFrame) -> Markup:
    rows = [
        ["/".join(getattr(row, key) for key in tables.KEYS), row.chains, row.seeds, row.sweeps, duration(row.seconds_per_chain), row.revision, row.host]
        for row in origins.itertuples()
    ]
    columns = ["run", "chains", "seeds", "sweeps", "time per chain", "revision", "machine"]
    return html_table(columns, rows, "Wall time is the sum over sweeps of timing.parquet")


def origin_words(origins: pd.DataFrame) -> str:
    def every(column: str) -> str:
        return "; ".join(dict.fromkeys(v for v in origins[column] if v)) or "unknown"

    return (
        f"Revision {every('revision')}; machine {every('host')}; instruction set {every('instruction_set')}; BLAS {every('blas')}; seeds "
        f"{every('seeds')}; {duration(origins['seconds'].sum())} of sampling in all; last chain finished {origins['finished'].max() or 'at an unknown time'}."
    )


def write_report(name: str, directories: list[pathlib.Path], results: pathlib.Path, root: pathlib.Path, out: pathlib.Path, say) -> None:
    runs = [read_run(directory, results) for directory in directories]
    if not any(run.chains for run in runs):
        raise ReportError(f"{results}: expected at least one finished chain in the {len(runs)} run directories, found none")
    experiments = {name: read_experiment(root / "experiments" / name) for name in dict.fromkeys(run.experiment for run in runs)}
    with Output(out) as folder:
        judged, summaries, blocks, claim_blocks = [], [], [], []
        for experiment in experiments.values():
            mine = [run for run in runs if run.experiment == experiment.name]
            say(f"{experiment.name}: claims and summary of {sum(len(run.chains) for run in mine)} chains")
            of_experiment = claims.judge_claims(experiment, mine)
            judged += of_experiment
            summaries.append(tables.summary(experiment, mine))
            if of_experiment:
                claim_blocks.append(claim_block(experiment, of_experiment))
            blocks.append(experiment_block(experiment, mine, summaries[-1], folder / "figures", say))
        origins = tables.origins(runs)
        tables.write(claims.table(judged), folder, "claims")
        tables.write(claims.comparisons(judged), folder, "comparisons")
        tables.write(pd.concat(summaries), folder, "summary")
        tables.write(tables.diagnostics(runs), folder, "diagnostics")
        tables.write(origins, folder, "provenance")
        n_chains = sum(len(run.chains) for run in runs)
        page = render(
            "report.html",
            title=f"hmmlt: {name}",
            lead=f"{n_chains} chains of {len(runs)} runs in {len(experiments)} experiment{'s' if len(experiments) > 1 else ''}: what the paper "
            "claims about hidden Markov models with local transitions, judged by rules, and what our chains found.",
            experiments=blocks,
            claims=claim_blocks,
            missing=missing_lines(runs),
            limit=CONVERGED,
            rules=[{"who": f"{experiments[o.experiment].title}, claim {o.claim.id}", "words": o.rule} for o in {(o.experiment, o.claim.id): o for o in judged}.values()],
            origin=origin_words(origins),
            origins=origins_table(origins),
        )
        (folder / "index.html").write_text(page)
