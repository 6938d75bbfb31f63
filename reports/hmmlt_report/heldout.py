"""How well a user's chains predict the data that were held out: the draws that hmmlt-evaluate pools, chain by chain."""

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from .chains import Chain, read_table


def held_out(chains: list[Chain]) -> tuple[pd.DataFrame, str]:
    """Per chain and pooled, of the stored draws, which are those that hmmlt-evaluate pools; and words about which."""
    frames, n_stored = [], 0
    for place, chain in enumerate(chains):
        stored = stored_sweeps(chain)
        n_stored += len(stored)
        path = chain.directory / "heldout.parquet"
        table = read_table(path) if path.exists() else pd.DataFrame()
        if len(table) and len(table := table[table["sweep"].isin(stored)]):
            frames.append(table.assign(place=place))
    if not frames:
        return pd.DataFrame(), ""
    rows = [{"chain": str(chains[f["place"].iloc[0]].number)} | scores(f) for f in frames]
    if len(frames) > 1:
        rows.append({"chain": "all together"} | scores(pd.concat(frames)))
    n_scored = sum(row["draws"] for row in rows[: len(frames)])
    words = (
        "Of all stored draws, the same ones that hmmlt-evaluate pools."
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
            .apply(lambda values: logsumexp(values.to_numpy()) - np.log(len(values)))
            .sum()
        )
        out |= {f"mean, {name}": table[column].sum() / draws / n, f"posterior predictive, {name}": pooled / n}
    return out
