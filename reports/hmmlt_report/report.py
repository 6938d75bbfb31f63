"""The report of a list of runs: all tables and figures, then the page that shows them."""

import pathlib

import pandas as pd
from markupsafe import Markup

from . import claims, curves, front, headline, level_curves, matrices, tables
from .blocks import (
    chains_block,
    diagnostics_block,
    glossary,
    length_note,
    origin_words,
    origins_table,
    settings_block,
    summary_table,
)
from .chains import Planned, ReportError, Run, missing_chains, read_run
from .convergence import CONVERGED
from .data_sets import describe, origins_line, uniform_guess
from .evidence import claim_table, evidence, tally
from .experiment import Experiment, in_page_order, read_experiment
from .figures import FOLDER, Picture
from .length import length_line
from .output import Output
from .page import html_table, render
from .places import Places, draw_map, draw_transitions


def groups_of(runs: list[Run]) -> dict[tuple[str, str], list[Run]]:
    """Runs of an experiment by (variant, sampler), in the order given."""
    out: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        out.setdefault((run.variant, run.sampler), []).append(run)
    return out


def missing_runs(runs: list[Run], experiments: dict[str, Experiment], planned: list[Planned]) -> list[str]:
    """Planned runs that are not there, data sets that lack the same models together."""
    there = {(run.experiment, run.variant, run.data, run.model, run.sampler) for run in runs}
    lacking: dict[tuple, dict[str, list[str]]] = {}
    for run in in_page_order([run for run in planned if run not in there], experiments):
        of_group = lacking.setdefault((run.experiment, run.variant, run.sampler), {})
        of_group.setdefault(run.data, []).append(run.model)
    lines = []
    for (name, variant, sampler), of_group in lacking.items():
        data_sets: dict[tuple, list[str]] = {}
        for data, models in of_group.items():
            data_sets.setdefault(tuple(experiments[name].in_order(models)), []).append(data)
        for models, data in data_sets.items():
            who = "; ".join(map(experiments[name].model_name, models))
            lines.append(f"{experiments[name].title}, {variant}, {sampler}, {' and '.join(data)} ({who})")
    if lines:
        n = sum(len(models) for of_group in lacking.values() for models in of_group.values())
        lines.insert(0, f"{n} of {len(planned)} planned runs are not complete")
    return lines


def missing_lines(runs: list[Run], experiments: dict[str, Experiment], planned: list[Planned]) -> list[str]:
    """A bracket has chains of its own number, so it is compared with brackets only."""
    lines = missing_runs(runs, experiments, planned)
    for bracket in (False, True):
        alike = [run for run in runs if experiments[run.experiment].is_bracket(run.model) is bracket]
        for i, absent in missing_chains(alike).items():
            run = alike[i]
            what = (
                "no chain at all"
                if not absent or not (run.chains or run.unfinished)
                else f"chain {', '.join(map(str, absent))} missing"
            )
            lines.append(f"{run.directory}: {what}")
    for run in runs:
        if run.unfinished:
            lines.append(f"{run.directory}: chain {', '.join(map(str, run.unfinished))} not finished, left out")
    return lines


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
        if {other.data for other in runs if other.model == run.model} == set(data_sets)
        and run.model not in only_in_grids
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


def data_lines(runs: list[Run]) -> list[str]:
    """What each data set is, of each variant."""
    first: dict[tuple[str, str], Run] = {}
    for run in runs:
        if run.chains:
            first.setdefault((run.variant, run.data), run)
    return [f"{variant}, {describe(run)}" for (variant, _), run in first.items()]


def experiment_block(
    experiment: Experiment,
    runs: list[Run],
    judged: list[claims.Judged],
    summary: pd.DataFrame,
    of_chains: pd.DataFrame,
    folder: pathlib.Path,
    say,
) -> dict:
    groups, details = [], []
    for (variant, sampler), of_group in groups_of(runs).items():
        say(f"{experiment.name}: {variant}, {sampler}")
        pictures, extra = group_pictures(experiment, of_group, folder)
        here = summary[(summary["variant"] == variant) & (summary["sampler"] == sampler)]
        about = experiment.variants.get(variant, "")
        title = f"Variant {variant}{f' ({about})' if about else ''}, sampler {sampler}"
        block = summary_table(experiment, of_group, here) if len(here) else Markup("<p>No finished chains.</p>")
        groups.append(
            {
                "title": title,
                "note": length_note(experiment, of_group),
                "summary": block,
                "pictures": pictures,
                "tables": extra,
            }
        )
    for variant in dict.fromkeys(run.variant for run in runs):
        table = settings_block(experiment, [run for run in runs if run.variant == variant])
        if table:
            details.append({"title": f"Settings, variant {variant}", "table": table})
    details.append({"title": "Chain by chain", "table": chains_block(experiment, runs, of_chains)})
    details.append(
        {"title": "Diagnostics: R-hat and effective sample sizes", "table": diagnostics_block(experiment, runs, summary)}
    )
    return {
        "name": experiment.name,
        "title": experiment.title,
        "question": experiment.question,
        "protocol": experiment.protocol if experiment.published else "",
        "data": data_lines(runs),
        "glossary": glossary(experiment, summary),
        "groups": groups,
        "evidence": evidence(experiment, judged, summary),
        "details": details,
    }


def write_report(
    name: str,
    directories: list[pathlib.Path],
    planned: list[Planned],
    results: pathlib.Path,
    root: pathlib.Path,
    out: pathlib.Path,
    say,
) -> None:
    runs = [read_run(directory, results) for directory in directories]
    if not any(run.chains for run in runs):
        raise ReportError(
            f"{results}: expected at least one finished chain in the {len(runs)} run directories, found none"
        )
    names = dict.fromkeys(run.experiment for run in [*runs, *planned])
    found = {name: read_experiment(root / "experiments" / name) for name in names}
    experiments = {run.experiment: found[run.experiment] for run in in_page_order([*runs, *planned], found)}
    runs = in_page_order(runs, found)
    with Output(out) as folder:
        judged, summaries, of_chains, blocks, claim_tables = [], [], [], [], []
        for experiment in experiments.values():
            mine = [run for run in runs if run.experiment == experiment.name]
            say(f"{experiment.name}: claims and summary of {sum(len(run.chains) for run in mine)} chains")
            due = [run for run in planned if run.experiment == experiment.name]
            of_experiment = claims.judge_claims(experiment, mine, due)
            judged += of_experiment
            if of_experiment:
                claim_tables.append(claim_table(experiment, of_experiment))
            if not mine:
                continue
            summaries.append(tables.summary(experiment, mine))
            of_chains.append(tables.by_chain(experiment, mine))
            blocks.append(
                experiment_block(
                    experiment, mine, of_experiment, summaries[-1], of_chains[-1], folder / FOLDER, say
                )
            )
        origins = tables.origins(runs)
        tables.write_csv(claims.table(judged), folder, "claims")
        tables.write_csv(claims.comparisons(judged), folder, "comparisons")
        tables.write_csv(pd.concat(summaries), folder, "summary")
        tables.write_parquet(pd.concat(of_chains), folder, "chains")
        tables.write_parquet(tables.diagnostics(runs), folder, "diagnostics")
        tables.write_csv(origins, folder, "provenance")
        n_chains = sum(len(run.chains) for run in runs)
        missing = missing_lines(runs, experiments, planned)
        length = length_line(experiments, runs)
        by_experiment = {block["name"]: [run for run in runs if run.experiment == block["name"]] for block in blocks}
        of_data = {experiment: origins_line(mine) for experiment, mine in by_experiment.items()}
        pictures = {block["name"]: [p for group in block["groups"] for p in group["pictures"]] for block in blocks}
        (folder / headline.FILE).write_text(
            headline.markdown(name, experiments, judged, pictures, origins, n_chains, missing, length, of_data)
        )
        say("the picture of the front page")
        showing = front.draw(experiments, runs, folder / FOLDER)
        (folder / front.FILE).write_text(front.markdown(judged, showing, missing, length))
        of_paper = any(one.claim.published for one in judged)
        page = render(
            "report.html",
            self_contained=False,
            title=f"hmmlt: {name}",
            lead=(
                f"{n_chains} chains of {len(runs)} runs in {len(blocks)} experiment{'s' if len(blocks) > 1 else ''}: "
                + (
                    "what the paper claims about hidden Markov models with local transitions, judged by rules, and what"
                    " our chains found."
                    if of_paper
                    else "what was asked, answered by rules, and what the chains found."
                )
            ),
            experiments=blocks,
            claims=claim_tables,
            tally=tally(judged),
            of_paper=of_paper,
            variations=any(", " in one.claim.id for one in judged),
            missing=missing,
            length=length.replace("**", ""),
            short=length.startswith("**"),
            limit=CONVERGED,
            origin=origin_words(origins),
            origins=origins_table(origins),
        )
        (folder / "index.html").write_text(page)
