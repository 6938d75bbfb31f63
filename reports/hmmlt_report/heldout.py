"""How well chains predict the data that were held out: averages over draws of the likelihood, (70) of docs/model.md."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import logsumexp, softmax

from .chains import PREDICTIVE, Chain, Run, read_table

ENOUGH = 2.0  # draws that count: with fewer, the average is in truth the likelihood of the best draw


class Predictive(NamedTuple):
    """Log of the mean likelihood over some draws, per step, and how many draws bear it: 1 / sum w^2, w their shares."""

    value: float
    effective: float


def log_mean_exp(values: np.ndarray) -> float:
    return float(logsumexp(values) - np.log(len(values)))


def n_scored(chain: Chain) -> int:
    """Draws after burn-in that the test data were scored by."""
    sweeps = chain.heldout_rows["sweep"]
    return int(sweeps[sweeps > chain.burn_in].nunique())


def shared_draws(runs: list[Run]) -> int:
    """As many draws as every chain has: an average over more draws is higher, so all must average over the same number."""
    return min((n for run in runs for chain in run.chains if (n := n_scored(chain))), default=0)


def predictive(chain: Chain, quantity: str, n_draws: int) -> Predictive:
    """Over n draws, evenly spaced after burn-in. Each sequence is averaged by itself and the logs added, as in (70)."""
    rows = chain.heldout_rows
    rows = rows[rows["sweep"] > chain.burn_in]
    if not n_draws or rows["sweep"].nunique() < n_draws:
        return Predictive(np.nan, np.nan)
    sweeps = np.sort(rows["sweep"].unique())
    kept = sweeps[np.linspace(0, len(sweeps) - 1, n_draws).round().astype(int)]
    rows = rows[rows["sweep"].isin(kept)]
    sequences = [group for _, group in rows.groupby("sequence")]
    scores = [group[PREDICTIVE[quantity]].to_numpy(float) for group in sequences]
    n = sum(group["n"].iloc[0] for group in sequences)
    effective = [1 / (softmax(of_sequence) ** 2).sum() for of_sequence in scores]
    return Predictive(sum(map(log_mean_exp, scores)) / n, float(np.median(effective)))


def value_of(chain: Chain, quantity: str, n_draws: int) -> float:
    """One number of a chain: an average over draws, or the mean after burn-in of a series."""
    return predictive(chain, quantity, n_draws).value if quantity in PREDICTIVE else chain.mean(quantity)


def held_out(chains: list[Chain]) -> tuple[pd.DataFrame, str]:
    """Per chain and pooled, of the stored draws, which are those that hmmlt-evaluate pools; and words about which."""
    frames, n_stored = [], 0
    for place, chain in enumerate(chains):
        stored = stored_sweeps(chain)
        n_stored += len(stored)
        table = chain.heldout_rows
        if len(table) and len(table := table[table["sweep"].isin(stored)]):
            frames.append(table.assign(place=place))
    if not frames:
        return pd.DataFrame(), ""
    rows = [{"chain": str(chains[f["place"].iloc[0]].number)} | scores(f) for f in frames]
    if len(frames) > 1:
        rows.append({"chain": "all together"} | scores(pd.concat(frames)))
    n_scored = sum(row["draws"] for row in rows[: len(frames)])
    words = (
        "Of all stored draws, the same ones that hmmlt-evaluate pools, scored while training with all transitions; a stored"
        " draw lacks the smallest, so that hmmlt-evaluate finds less where the data ask for one of them."
        if n_scored == n_stored
        else f"Of the {n_scored} of {n_stored} stored draws that were scored while training (run.heldout_every,"
        " run.draws_every); hmmlt-evaluate pools all of them."
    )
    return pd.DataFrame(rows), words


def stored_sweeps(chain: Chain) -> set[int]:
    path = chain.directory / "draws.parquet"
    return set(read_table(path, columns=["sweep"])["sweep"].unique().tolist()) if path.exists() else set()


def scores(table: pd.DataFrame) -> dict:
    n = table.groupby("sequence")["n"].first().sum()
    draws = table.groupby(["place", "sweep"]).ngroups
    out = {"draws": draws}
    for column, name in (("log_likelihood", "drawn emission"), ("log_likelihood_expected", "expected emission")):
        pooled = (
            table.groupby("sequence")[column]
            .apply(lambda values: log_mean_exp(values.to_numpy()))
            .sum()
        )
        out |= {f"mean, {name}": table[column].sum() / draws / n, f"posterior predictive, {name}": pooled / n}
    return out
