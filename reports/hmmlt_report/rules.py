"""The rules that turn numbers into a verdict: replicated, not, or inconclusive. Each says itself in words.

A claim that nothing was published about is a question of ours: the same verdicts then read yes and no.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .bands import Estimate, stratified

REPLICATED, NOT, INCONCLUSIVE, NOT_RUN = "replicated", "not", "inconclusive", "not run"
OF_PAPER = {REPLICATED: "replicated", NOT: "not replicated", INCONCLUSIVE: "inconclusive", NOT_RUN: "not run"}
OF_QUESTION = {REPLICATED: "yes", NOT: "no", INCONCLUSIVE: "inconclusive", NOT_RUN: "not run"}
NOTHING = Estimate(np.nan, np.nan, np.nan, 0, {})


@dataclass(frozen=True)
class Rule:
    """`paired`: compares models in pairs; otherwise looks at the value of each model by itself."""

    paired: bool
    parameters: tuple[str, ...]
    holds: Callable[[Estimate, dict], bool]
    fails: Callable[[Estimate, dict], bool]
    agrees: Callable[[float, dict], bool]  # whether the mean of one data set speaks for the claim
    worst: Callable[[Estimate, dict], float]  # the comparison with the smallest value is the one that decides
    words: str  # with the parameters, and what yes and no are called, to be filled in
    bound: str  # what an interval must be for the claim to hold, in a phrase


@dataclass(frozen=True)
class Verdict:
    verdict: str
    decisive: str | None  # the comparison that is quoted
    estimate: Estimate
    reason: str


RULES = {
    "higher": Rule(
        paired=True,
        parameters=("margin",),
        holds=lambda e, p: e.low > 0,
        fails=lambda e, p: e.high < p["margin"],
        agrees=lambda mean, p: mean > 0,
        worst=lambda e, p: e.mean,
        words="{yes} if every difference has its interval above 0 and none has it below {margin:g}, the least that "
        "counts; {no} if one has it below that",
        bound="must exceed 0 and reach {margin:g}",
    ),
    "lower": Rule(
        paired=True,
        parameters=("margin",),
        holds=lambda e, p: e.high < 0,
        fails=lambda e, p: e.low > -p["margin"],
        agrees=lambda mean, p: mean < 0,
        worst=lambda e, p: -e.mean,
        words="{yes} if every difference has its interval below 0 and none has it above -{margin:g}, the least that "
        "counts; {no} if one has it above that",
        bound="must be below 0 and reach -{margin:g}",
    ),
    "slightly_higher": Rule(
        paired=True,
        parameters=("margin",),
        holds=lambda e, p: e.low > 0 and e.high < p["margin"],
        fails=lambda e, p: e.high < 0 or e.low > p["margin"],
        agrees=lambda mean, p: 0 <= mean < p["margin"],
        worst=lambda e, p: -abs(e.mean - p["margin"] / 2),
        words="{yes} if the interval of the difference is above 0 and below {margin:g}; {no} if it is wholly below 0 "
        "or above {margin:g}",
        bound="must be between 0 and {margin:g}",
    ),
    "equal": Rule(
        paired=True,
        parameters=("margin",),
        holds=lambda e, p: -p["margin"] < e.low and e.high < p["margin"],
        fails=lambda e, p: e.high < -p["margin"] or e.low > p["margin"],
        agrees=lambda mean, p: abs(mean) < p["margin"],
        worst=lambda e, p: -abs(e.mean),
        words="{yes} if the interval of the difference is within {margin:g} of 0; {no} if it is wholly farther "
        "away",
        bound="must be within {margin:g} of 0",
    ),
    "below": Rule(
        paired=False,
        parameters=("high",),
        holds=lambda e, p: e.high < p["high"],
        fails=lambda e, p: e.low > p["high"],
        agrees=lambda mean, p: mean < p["high"],
        worst=lambda e, p: -e.mean,
        words="{yes} if every interval is below {high:g}; {no} if one is wholly above",
        bound="must be below {high:g}",
    ),
    "between": Rule(
        paired=False,
        parameters=("low", "high"),
        holds=lambda e, p: p["low"] < e.low and e.high < p["high"],
        fails=lambda e, p: e.high < p["low"] or e.low > p["high"],
        agrees=lambda mean, p: p["low"] < mean < p["high"],
        worst=lambda e, p: -abs(e.mean - (p["low"] + p["high"]) / 2),
        words="{yes} if every interval is between {low:g} and {high:g}; {no} if one is wholly outside",
        bound="must be between {low:g} and {high:g}",
    ),
    "above": Rule(
        paired=False,
        parameters=("low",),
        holds=lambda e, p: e.low > p["low"],
        fails=lambda e, p: e.high < p["low"],
        agrees=lambda mean, p: mean > p["low"],
        worst=lambda e, p: e.mean,
        words="{yes} if every interval is above {low:g}; {no} if one is wholly below",
        bound="must be above {low:g}",
    ),
}


def in_words(
    rule: Rule,
    parameters: dict,
    level: float,
    n_comparisons: int,
    called: dict[str, str] = OF_PAPER,
    of_chains: str = "Means after burn-in",
) -> str:
    """The whole rule: what is compared, with which interval, and when it says what."""
    words = rule.words.format(yes=called[REPLICATED], no=called[NOT], **parameters)
    unit = "differences within (data set, seed, chain)" if rule.paired else "values of chains"
    also = (
        f", at {100 * strict_level(level, n_comparisons):.4g} % as there are {n_comparisons}"
        if n_comparisons > 1
        else ""
    )
    return (
        f"{of_chains}; {unit}; {100 * level:g} % t-intervals, over chains, of the mean over data sets: "
        f"{words}{also}; inconclusive otherwise, and where data sets disagree."
    )


def strict_level(level: float, n_comparisons: int) -> float:
    """One comparison that fails is enough, so failing is judged at the level that their number calls for (Bonferroni)."""
    return 1 - (1 - level) / n_comparisons


def not_failing(rule: Rule, parameters: dict, estimate: Estimate) -> list[str]:
    """Data sets whose own mean is not on the failing side: where there is one, data sets disagree about a failure."""
    return [
        data
        for data, mean in estimate.of_data.items()
        if not rule.fails(Estimate(mean, mean, mean, estimate.n, {}), parameters)
    ]


def speaks(rule: Rule, parameters: dict, of_data: dict[str, np.ndarray], level: float, n_comparisons: int) -> str:
    """What one comparison says by itself, by the same measure as the verdict: for the claim, against it, or open."""
    strict = stratified(of_data, strict_level(level, n_comparisons))
    if np.isnan(strict.low):
        return "open"
    if rule.fails(strict, parameters):
        return "open" if not_failing(rule, parameters, strict) else "against"
    estimate = stratified(of_data, level)
    agree = all(rule.agrees(mean, parameters) for mean in estimate.of_data.values())
    return "for" if rule.holds(estimate, parameters) and agree else "open"


def judge(rule: Rule, parameters: dict, samples: dict[str, dict[str, np.ndarray]], level: float) -> Verdict:
    """`samples`: comparison -> data set -> a value per chain (or pair of chains).

    All comparisons must hold, each at `level`. One that fails at the strict level is enough, if it does so on all data
    sets.
    """
    if not samples:
        return Verdict(INCONCLUSIVE, None, NOTHING, "there is nothing to compare")
    estimates = {name: stratified(of_data, level) for name, of_data in samples.items()}
    empty = [name for name, estimate in estimates.items() if estimate.n == 0]
    if empty:
        return Verdict(INCONCLUSIVE, empty[0], NOTHING, f"no values of {', '.join(empty)}")
    decisive = min(estimates, key=lambda name: rule.worst(estimates[name], parameters))
    estimate = estimates[decisive]
    if any(np.isnan(e.low) for e in estimates.values()):
        return Verdict(INCONCLUSIVE, decisive, estimate, "one chain has no interval")
    strict = strict_level(level, len(samples))
    failing = [n for n, of_data in samples.items() if rule.fails(stratified(of_data, strict), parameters)]
    disputed = {name: sets for name in failing if (sets := not_failing(rule, parameters, estimates[name]))}
    agreed = [name for name in failing if name not in disputed]
    if agreed:
        decisive = min(agreed, key=lambda name: rule.worst(estimates[name], parameters))
        return Verdict(NOT, decisive, estimates[decisive], f"fails for {', '.join(agreed)}")
    if disputed:
        decisive = min(disputed, key=lambda name: rule.worst(estimates[name], parameters))
        reason = "; ".join(f"{name} fails on average, but not on {', '.join(sets)}" for name, sets in disputed.items())
        return Verdict(INCONCLUSIVE, decisive, estimates[decisive], reason)
    reaching = [name for name, e in estimates.items() if not rule.holds(e, parameters)]
    if not reaching:
        against = sorted(
            {d for e in estimates.values() for d, m in e.of_data.items() if not rule.agrees(m, parameters)}
        )
        if against:
            return Verdict(INCONCLUSIVE, decisive, estimate, f"not so on {', '.join(against)}")
        return Verdict(REPLICATED, decisive, estimate, "")
    decisive = min(reaching, key=lambda name: rule.worst(estimates[name], parameters))
    nearly = [name for name in reaching if rule.fails(estimates[name], parameters)]
    across = [name for name in reaching if name not in nearly]
    reasons = [f"the interval of {', '.join(across)} reaches across the bound"] if across else []
    if nearly:
        levels = f"at {100 * level:g} %, but not at the {100 * strict:.4g} % that {len(samples)} comparisons call for"
        reasons.append(f"{', '.join(nearly)} fails {levels}")
    return Verdict(INCONCLUSIVE, decisive, estimates[decisive], "; ".join(reasons))
