"""How long chains are beside the full length: a verdict from shortened ones must not pass for one from full ones."""

import math

from .chains import Run
from .experiment import Experiment

PARTS = {2: "half", 10: "a tenth"}  # of LENGTH=half and LENGTH=tenth, which round up
DEMO = "demo"  # the variant that is short by design


def part_of(burn_in: int, full: int) -> str:
    for divisor, words in PARTS.items():
        if burn_in == math.ceil(full / divisor):
            return f"{words} of the full length"
    return f"{100 * burn_in / full:.3g} % of the full length"


def shortened(experiment: Experiment, runs: list[Run]) -> str:
    """In words, of runs of one variant; empty at the full length, or where nobody says what that is."""
    variant, chains = runs[0].variant, [chain for run in runs for chain in run.chains]
    if variant == DEMO and chains:
        return "the demo's length, far shorter than the published runs"
    full = experiment.full_burn_in.get(variant)
    found = sorted({chain.burn_in for chain in chains if full and chain.burn_in < full})
    return " or ".join(part_of(burn_in, full) for burn_in in found)


def length_line(experiments: dict[str, Experiment], runs: list[Run]) -> str:
    """One sentence about all runs of a report."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.chains:
            groups.setdefault((run.experiment, run.variant), []).append(run)
    words = {key: shortened(experiments[key[0]], of_group) for key, of_group in groups.items()}
    different = set(words.values())
    if different == {""}:
        known = all(variant in experiments[name].full_burn_in for name, variant in groups)
        return "Chains have their full length." if known else ""
    if len(different) == 1:
        return f"**All chains are shortened**: {different.pop()}."
    where = "; ".join(f"{experiments[name].title}, {variant}: {w}" for (name, variant), w in words.items() if w)
    return f"**Some chains are shortened**: {where}."
