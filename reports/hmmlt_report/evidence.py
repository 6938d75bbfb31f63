"""Claims at a glance, and what stands behind each verdict: every model, every comparison, whether chains converged."""

import collections

import numpy as np
import pandas as pd
from markupsafe import Markup

from .bands import Estimate
from .blocks import predictive_words, rhat_number, summary_cell
from .chains import PREDICTIVE
from .claims import Judged
from .convergence import CONVERGED
from .experiment import Experiment
from .page import html_table, minus, number
from .published import WINDOW
from .quantities import decimals
from .rules import NOT_RUN, OF_PAPER, RULES


def word_of(judged: Judged) -> str:
    return judged.claim.words[judged.verdict.verdict]


def tally(judged: list[Judged]) -> str:
    """How many verdicts of each kind, and how many of them rest on converged chains; our questions are counted apart."""
    of_paper = [one for one in judged if one.claim.published]
    questions = [one for one in judged if not one.claim.published]
    if of_paper and questions:
        return f"{counts(of_paper)} Beside them, questions of ours, {counts(questions)}"
    return counts(judged)


def found_words(judged: list[Judged]) -> tuple[int, str, str]:
    """How many verdicts there are, how many of each kind, and how many of them rest on converged chains."""
    run = [one for one in judged if one.was_run]
    found = collections.Counter(one.verdict.verdict for one in run)
    called = judged[0].claim.words if judged else OF_PAPER
    words = ", ".join(f"{found[verdict]} {word}" for verdict, word in called.items() if verdict != NOT_RUN)
    if len(run) < len(judged):
        words += f"; {len(judged) - len(run)} not run"
    converged = sum(one.converged is True for one in run)
    return len(run), words, f"{converged} of them rest{'s' if converged == 1 else ''} on chains that had converged"


def counts(judged: list[Judged]) -> str:
    n, words, converged = found_words(judged)
    return f"{n} verdict{'s' if n != 1 else ''}: {words}. {converged}."


def interval(estimate: Estimate, quantity: str) -> str:
    digits = decimals(quantity)
    return f"{number(estimate.mean, digits)} [{number(estimate.low, digits)}, {number(estimate.high, digits)}]"


def bound(judged: Judged) -> str:
    """What the interval must be for the claim to hold."""
    return minus(RULES[judged.claim.rule].bound.format(**judged.claim.parameters))


def published_words(judged: Judged) -> str:
    """What was published of the comparison that decides."""
    value = judged.published
    return "" if np.isnan(value) else f"published {number(value, decimals(judged.claim.quantity))}"


def claim_table(experiment: Experiment, judged: list[Judged]) -> dict:
    """Rows are claims; columns are (variant, sampler), beside each other."""
    columns = list(dict.fromkeys((one.variant, one.sampler) for one in judged))
    rows = []
    for claim in dict.fromkeys(one.claim.id for one in judged):
        of_claim = {(one.variant, one.sampler): one for one in judged if one.claim.id == claim}
        first = next(iter(of_claim.values()))
        rows.append({"claim": first.claim, "cells": [claim_cell(of_claim.get(column)) for column in columns]})
    return {
        "name": experiment.name,
        "title": experiment.title,
        "evidence": any(one.was_run for one in judged),
        "published": any(row["claim"].published for row in rows),
        "columns": [f"{variant} · {sampler}" for variant, sampler in columns],
        "rows": rows,
    }


def claim_cell(judged: Judged | None) -> dict | None:
    if judged is None:
        return None
    verdict = judged.verdict
    known = verdict.estimate.n > 0
    about = verdict.decisive if known else verdict.reason
    if known and judged.n_comparisons > 1:
        about = f"decided by {about}, one of {judged.n_comparisons} comparisons"
    if known:
        about += f"; {bound(judged)}"
    mark = {
        None: "R-hat undefined" if judged.was_run else "",
        True: f"R-hat {rhat_number(judged.rhat)}, converged",
        False: f"R-hat {rhat_number(judged.rhat)}, not converged",
    }
    return {
        "verdict": verdict.verdict,
        "word": word_of(judged),
        "ours": interval(verdict.estimate, judged.claim.quantity) if known else "–",
        "published": published_words(judged),
        "about": about,
        "mark": mark[judged.converged],
        "converged": judged.converged,
    }


def evidence(experiment: Experiment, judged: list[Judged], summary: pd.DataFrame) -> list[dict]:
    """One block per claim, over all its variants, samplers and data sets."""
    blocks = []
    for claim in dict.fromkeys(one.claim.id for one in judged):
        of_claim = [one for one in judged if one.claim.id == claim]
        first, run = of_claim[0].claim, [one for one in of_claim if one.was_run]
        tables = [models_table(experiment, run, summary), comparisons_table(run)] if run else []
        blocks.append(
            {
                "claim": first,
                "quantity": experiment.label(first.quantity),
                "unsettled": any(one.verdict.verdict != "replicated" for one in of_claim),
                "verdicts": [
                    {
                        "where": f"{one.variant} · {one.sampler}",
                        "verdict": one.verdict.verdict,
                        "word": word_of(one),
                        "why": f"{why(one)} {convergence_words(experiment, one, summary) if one.was_run else ''}",
                    }
                    for one in of_claim
                ],
                "tables": tables,
                "rule": of_claim[0].rule,
            }
        )
    return blocks


def why(judged: Judged) -> str:
    """The numbers that decide, in a sentence."""
    verdict = judged.verdict
    if verdict.estimate.n == 0:
        return f"{verdict.reason[:1].upper()}{verdict.reason[1:]}."
    words = f"{verdict.decisive} is {interval(verdict.estimate, judged.claim.quantity)}"
    if judged.n_comparisons > 1:
        words += f", one of {judged.n_comparisons} comparisons"
    return f"{words}{': ' + verdict.reason if verdict.reason else ''}."


def of_group(summary: pd.DataFrame, judged: Judged) -> pd.DataFrame:
    same = (summary["variant"] == judged.variant) & (summary["sampler"] == judged.sampler)
    return summary[same & (summary["quantity"] == judged.claim.quantity)]


def convergence_words(experiment: Experiment, judged: Judged, summary: pd.DataFrame) -> str:
    here = of_group(summary, judged)
    here = here[here["model"].isin([*judged.claim.models, *judged.claim.than])]
    known = here[here["rhat"].notna()]
    if known.empty:
        return "Whether these chains had converged cannot be told: R-hat is undefined."
    good = int((known["rhat"] <= CONVERGED).sum())
    worst = known.loc[known["rhat"].idxmax()]
    undefined = f", {len(here) - len(known)} undefined" if len(known) < len(here) else ""
    return (
        f"R-hat of it is at most {CONVERGED} for {good} of {len(here)} runs{undefined}; the largest,"
        f" {rhat_number(worst['rhat'])}, is that of {experiment.model_name(worst['model'])} on {worst['data']}."
    )


def models_table(experiment: Experiment, judged: list[Judged], summary: pd.DataFrame) -> Markup:
    """Rows: variant, sampler, data set. Columns: the models that the claim speaks of."""
    claim = judged[0].claim
    models = experiment.in_order({*claim.models, *claim.than})
    rows = []
    for one in judged:
        here = of_group(summary, one)
        for data in dict.fromkeys(here["data"]):
            cells = [summary_cell(experiment, here, data, model) for model in models]
            rows.append([f"{one.variant} · {one.sampler} · {data}", *cells])
    published = f"the published value ({WINDOW}), " if experiment.published else ""
    caption = f"Each model: mean over chains after burn-in ± their standard deviation, {published}R-hat"
    brackets = [experiment.levels[n].title for m in set(summary["model"]) if experiment.is_bracket(m)
                for n in experiment.levels_of(m) if n in experiment.levels]  # fmt: skip
    if brackets:
        caption += (
            f". '{brackets[0].capitalize()}': where such chains stay; if that is far from where the others arrive, these"
            " have not found what the model allows"
        )
    if claim.quantity in PREDICTIVE:
        caption += f".{predictive_words(summary)}".rstrip(".")
    return html_table(["run", *map(experiment.model_name, models)], rows, caption, "numbers cards")


def comparisons_table(judged: list[Judged]) -> Markup:
    """Rows: comparisons, of each variant and sampler. Columns: data sets, all of them where there are several, published."""
    claim, rows = judged[0].claim, []
    data_sets = list(dict.fromkeys(data for one in judged for data in one.comparisons["data"] if data != "all"))
    columns = [*data_sets, *(["all"] if len(data_sets) > 1 else [])]
    published = any(one.comparisons["published"].notna().any() for one in judged)
    for one in judged:
        if len(judged) > 1:
            rows.append([f"{one.variant} · {one.sampler}"])
        for comparison in dict.fromkeys(one.comparisons["comparison"]):
            of_one = one.comparisons[one.comparisons["comparison"] == comparison].set_index("data")
            cells = [comparison_cell(one, of_one, data) for data in columns]
            if published:
                value = of_one["published"].iloc[0]
                cells.append("" if np.isnan(value) else number(value, decimals(claim.quantity)))
            rows.append([comparison, *cells])
    unit = "mean difference of pairs of chains" if RULES[claim.rule].paired else "mean over chains"
    says = "speaks for the claim, against it" if claim.published else "answers yes (for), no (against)"
    n = judged[0].n_comparisons
    strict = f"; against: at the stricter level that {n} comparisons call for" if n > 1 else ""
    caption = (
        f"Each comparison: {unit} with its {100 * claim.level:g} % interval, and whether that {says}, or leaves it"
        f" open{strict}"
    )
    names = {"all": "all data sets"}
    heads = ["comparison", *(names.get(c, c) for c in columns), *(["published"] if published else [])]
    return html_table(heads, rows, caption, "numbers cards")


def comparison_cell(judged: Judged, of_one: pd.DataFrame, data: str) -> Markup | str:
    if data not in of_one.index or of_one.loc[data, "n"] == 0:
        return ""
    entry = of_one.loc[data]
    estimate = Estimate(entry["mean"], entry["low"], entry["high"], int(entry["n"]), {})
    return Markup('{}<small><span class="speaks {}">{}</span>, n = {}</small>').format(
        interval(estimate, judged.claim.quantity), entry["speaks"], entry["speaks"], estimate.n
    )
