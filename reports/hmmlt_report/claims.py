"""Claims of an experiment against its runs: one verdict per claim, variant and sampler, by the rule the claim names."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .bands import stratified
from .chains import PREDICTIVE, Planned, Run
from .convergence import CONVERGED, rhat
from .experiment import Claim, Experiment, in_page_order
from .heldout import shared_draws, value_of
from .length import shortened
from .quantities import decimals
from .rules import NOT_RUN, NOTHING, RULES, Verdict, in_words, judge, speaks

COLUMNS = [
    "experiment",
    "variant",
    "sampler",
    "claim",
    "published",
    "ours",
    "low",
    "high",
    "verdict",
    "rule",
    "rhat",
    "converged",
]


COMPARISON = ["comparison", "data", "mean", "low", "high", "n", "published", "speaks"]


@dataclass(frozen=True)
class Judged:
    claim: Claim
    experiment: str
    variant: str
    sampler: str
    verdict: Verdict
    rule: str
    rhat: float  # the largest of the chains involved; NaN where one has none
    comparisons: pd.DataFrame
    n_comparisons: int
    shortened: str = ""  # which part of the full length the chains have, where it is less

    @property
    def converged(self) -> bool | None:
        return None if np.isnan(self.rhat) else bool(self.rhat <= CONVERGED)

    @property
    def was_run(self) -> bool:
        return self.verdict.verdict != NOT_RUN

    @property
    def published(self) -> float:
        """Of the comparison that decides, where curves of all its models were published."""
        found = self.comparisons[self.comparisons["comparison"] == self.verdict.decisive]["published"]
        return float(found.iloc[0]) if len(found) and self.claim.published else np.nan

    def published_text(self) -> str:
        """To be held against ours: the same comparison first, then everything."""
        if np.isnan(self.published):
            return self.claim.published
        value = f"{self.published:.{decimals(self.claim.quantity)}f}"
        return f"{self.verdict.decisive} {value} ({self.claim.published})"

    def row(self) -> dict:
        estimate = self.verdict.estimate
        about = f" Quoted: {self.verdict.decisive}." if self.verdict.decisive else ""
        why = f" Here: {self.verdict.reason}." if self.verdict.reason else ""
        short = f" Shortened chains: {self.shortened}." if self.shortened else ""
        return {
            "experiment": self.experiment,
            "variant": self.variant,
            "sampler": self.sampler,
            "claim": f"{self.claim.label}: {self.claim.text}",
            "published": self.published_text(),
            "ours": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "verdict": self.verdict.verdict,
            "rule": self.rule + about + why + short,
            "rhat": self.rhat,
            "converged": {None: "", True: "1", False: "0"}[self.converged],
        }


def values_of(runs: list[Run], quantity: str, n_draws: int) -> dict[str, dict[tuple[str, int], float]]:
    """Data set -> (seed, chain) -> mean after burn-in, or average over that many draws."""
    return {run.data: {(c.seed, c.number): value_of(c, quantity, n_draws) for c in run.chains} for run in runs}


def paired_differences(one: list[Run], other: list[Run], quantity: str, n_draws: int) -> dict[str, np.ndarray]:
    """Data set -> differences of the chains that both models have."""
    left, right = values_of(one, quantity, n_draws), values_of(other, quantity, n_draws)
    return {
        data: np.array([left[data][key] - right[data][key] for key in sorted(left[data].keys() & right[data].keys())])
        for data in left  # in their order: a set has another in each process
        if data in right
    }


def samples_of(
    experiment: Experiment, claim: Claim, by_model: dict[str, list[Run]]
) -> dict[str, dict[str, np.ndarray]]:
    """Comparison -> data set -> a value per chain, or per pair of chains."""
    out = {}
    of_claim = [run for model in (*claim.models, *claim.than) for run in by_model.get(model, [])]
    n_draws = shared_draws(of_claim) if claim.quantity in PREDICTIVE else 0
    for comparison, models in names_of_comparisons(experiment, claim).items():
        runs = [by_model.get(model, []) for model in models]
        if len(runs) == 2:
            out[comparison] = paired_differences(*runs, claim.quantity, n_draws)
        else:
            values = values_of(runs[0], claim.quantity, n_draws)
            out[comparison] = {data: np.array(list(of_chains.values())) for data, of_chains in values.items()}
    return out


def worst_rhat(claim: Claim, by_model: dict[str, list[Run]]) -> float:
    values = [
        rhat(run.chains, claim.quantity) for model in (*claim.models, *claim.than) for run in by_model.get(model, [])
    ]
    return float(np.max(values)) if values else np.nan  # NaN if one is


def names_of_comparisons(experiment: Experiment, claim: Claim) -> dict[str, tuple[str, ...]]:
    """What each comparison is called, and the models in it."""
    name = experiment.model_name
    if not RULES[claim.rule].paired:
        return {name(model): (model,) for model in claim.models}
    return {f"{name(one)} − {name(other)}": (one, other) for one in claim.models for other in claim.than}


def published_values(experiment: Experiment, claim: Claim) -> dict[str, float]:
    """Of each comparison: the difference of the published curves, or what the only one came to; NaN without curves."""
    out = {}
    for comparison, (one, *other) in names_of_comparisons(experiment, claim).items():
        value = experiment.published_value(claim.quantity, one)
        out[comparison] = value - experiment.published_value(claim.quantity, other[0]) if other else value
    return out


def comparison_rows(experiment: Experiment, claim: Claim, samples: dict[str, dict[str, np.ndarray]]) -> pd.DataFrame:
    """Every comparison on each data set and on all: its interval, what was published, and what it says by itself."""
    rule, published, rows = RULES[claim.rule], published_values(experiment, claim), []
    for comparison, of_data in samples.items():
        for data, values in {**{d: {d: v} for d, v in of_data.items()}, "all": of_data}.items():
            e = stratified(values, claim.level)
            said = speaks(rule, claim.parameters, values, claim.level, len(samples))
            rows.append((comparison, data, e.mean, e.low, e.high, e.n, published[comparison], said))
    return pd.DataFrame(rows, columns=COMPARISON)


def rule_in_words(claim: Claim, n_comparisons: int) -> str:
    words = (RULES[claim.rule], claim.parameters, claim.level, n_comparisons, claim.words)
    if claim.quantity in PREDICTIVE:
        return in_words(*words, "Averages over draws after burn-in, as many of every model")
    return in_words(*words)


def judge_claim(experiment: Experiment, claim: Claim, of_group: list[Run]) -> Judged:
    """By the runs of one variant and sampler."""
    by_model: dict[str, list[Run]] = {}
    for run in of_group:
        by_model.setdefault(run.model, []).append(run)
    samples = samples_of(experiment, claim, by_model)
    return Judged(
        claim,
        experiment.name,
        of_group[0].variant,
        of_group[0].sampler,
        judge(RULES[claim.rule], claim.parameters, samples, claim.level),
        rule_in_words(claim, len(samples)),
        worst_rhat(claim, by_model),
        comparison_rows(experiment, claim, samples),
        len(samples),
        shortened(experiment, of_group),
    )


def not_run(experiment: Experiment, claim: Claim, variant: str, sampler: str) -> Judged:
    n = len(names_of_comparisons(experiment, claim))
    verdict = Verdict(NOT_RUN, None, NOTHING, "no run of it is complete")
    nothing = pd.DataFrame(columns=COMPARISON)
    return Judged(claim, experiment.name, variant, sampler, verdict, rule_in_words(claim, n), np.nan, nothing, n)


def judge_claims(experiment: Experiment, runs: list[Run], planned: Sequence[Planned] = ()) -> list[Judged]:
    """Claims in order; of each, one verdict per variant and sampler that has, or should have, a model it speaks of."""
    groups: dict[tuple[str, str], list[Run]] = {}
    asked: dict[tuple[str, str], set[str]] = {}
    for run in in_page_order([*runs, *planned], {experiment.name: experiment}):
        groups.setdefault((run.variant, run.sampler), [])
        asked.setdefault((run.variant, run.sampler), set()).add(run.model)
    for run in runs:
        groups[run.variant, run.sampler].append(run)
    out = []
    for claim in experiment.claims:
        for key, of_group in groups.items():
            if {run.model for run in of_group} & set(claim.models):
                out.append(judge_claim(experiment, claim, of_group))
            elif asked[key] & set(claim.models):
                out.append(not_run(experiment, claim, *key))
    return out


def table(judged: list[Judged]) -> pd.DataFrame:
    return pd.DataFrame([one.row() for one in judged], columns=COLUMNS)


def comparisons(judged: list[Judged]) -> pd.DataFrame:
    """Every comparison behind the verdicts, over all data sets and in each."""
    frames = [
        one.comparisons.assign(
            experiment=one.experiment,
            variant=one.variant,
            sampler=one.sampler,
            claim=one.claim.id,
            quantity=one.claim.quantity,
        )
        for one in judged
        if one.was_run
    ]
    columns = [
        "experiment",
        "variant",
        "sampler",
        "claim",
        "quantity",
        "comparison",
        "data",
        "mean",
        "low",
        "high",
        "n",
        "published",
    ]
    return pd.concat(frames)[columns] if frames else pd.DataFrame(columns=columns)
