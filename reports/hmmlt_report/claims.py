"""Claims of an experiment against its runs: one verdict per claim, variant and sampler, by the rule the claim names."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .bands import stratified
from .chains import Run
from .convergence import CONVERGED, rhat
from .experiment import Claim, Experiment
from .rules import RULES, Verdict, in_words, judge

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

    @property
    def converged(self) -> bool | None:
        return None if np.isnan(self.rhat) else bool(self.rhat <= CONVERGED)

    def row(self) -> dict:
        estimate = self.verdict.estimate
        about = f" Quoted: {self.verdict.decisive}." if self.verdict.decisive else ""
        why = f" Here: {self.verdict.reason}." if self.verdict.reason else ""
        return {
            "experiment": self.experiment,
            "variant": self.variant,
            "sampler": self.sampler,
            "claim": f"{self.claim.label}: {self.claim.text}",
            "published": self.claim.published,
            "ours": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "verdict": self.verdict.verdict,
            "rule": self.rule + about + why,
            "rhat": self.rhat,
            "converged": {None: "", True: "1", False: "0"}[self.converged],
        }


def values_of(runs: list[Run], quantity: str) -> dict[str, dict[tuple[str, int], float]]:
    """Data set -> (seed, chain) -> mean after burn-in."""
    return {run.data: {(c.seed, c.number): c.mean(quantity) for c in run.chains} for run in runs}


def paired_differences(one: list[Run], other: list[Run], quantity: str) -> dict[str, np.ndarray]:
    """Data set -> differences of the chains that both models have."""
    left, right = values_of(one, quantity), values_of(other, quantity)
    return {
        data: np.array([left[data][key] - right[data][key] for key in sorted(left[data].keys() & right[data].keys())])
        for data in left  # in their order: a set has another in each process
        if data in right
    }


def samples_of(
    experiment: Experiment, claim: Claim, by_model: dict[str, list[Run]]
) -> dict[str, dict[str, np.ndarray]]:
    name = experiment.model_name
    if not RULES[claim.rule].paired:
        return {
            name(model): {
                d: np.array(list(v.values())) for d, v in values_of(by_model.get(model, []), claim.quantity).items()
            }
            for model in claim.models
        }
    return {
        f"{name(one)} − {name(other)}": paired_differences(
            by_model.get(one, []), by_model.get(other, []), claim.quantity
        )
        for one in claim.models
        for other in claim.than
    }


def worst_rhat(claim: Claim, by_model: dict[str, list[Run]]) -> float:
    values = [
        rhat(run.chains, claim.quantity) for model in (*claim.models, *claim.than) for run in by_model.get(model, [])
    ]
    return float(np.max(values)) if values else np.nan  # NaN if one is


def judge_claims(experiment: Experiment, runs: list[Run]) -> list[Judged]:
    """Claims in order; of each, one verdict per variant and sampler that has runs of a model it speaks of."""
    out = []
    for claim in experiment.claims:
        for variant, sampler in dict.fromkeys((run.variant, run.sampler) for run in runs):
            by_model: dict[str, list[Run]] = {}
            for run in runs:
                if (run.variant, run.sampler) == (variant, sampler):
                    by_model.setdefault(run.model, []).append(run)
            if not by_model.keys() & set(claim.models):  # such chains were not asked for; those that are missing count
                continue
            rule, samples = RULES[claim.rule], samples_of(experiment, claim, by_model)
            verdict = judge(rule, claim.parameters, samples, claim.level)
            rows = [
                {"comparison": comparison, "data": data, "mean": e.mean, "low": e.low, "high": e.high, "n": e.n}
                for comparison, of_data in samples.items()
                for data, values in {**of_data, "all": of_data}.items()
                for e in [stratified(values if data == "all" else {data: values}, claim.level)]
            ]
            words = in_words(rule, claim.parameters, claim.level, len(samples), claim.words)
            rhat_here = worst_rhat(claim, by_model)
            out.append(
                Judged(
                    claim,
                    experiment.name,
                    variant,
                    sampler,
                    verdict,
                    words,
                    rhat_here,
                    pd.DataFrame(rows),
                    len(samples),
                )
            )
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
    ]
    return pd.concat(frames)[columns] if frames else pd.DataFrame(columns=columns)
