"""The tables of a report: what each model came to, how well it mixed, what was set, where it ran."""

import pathlib

import numpy as np
import pandas as pd

from .chains import PREDICTIVE, Run, watched
from .convergence import ess_bulk, rhat, stacked
from .curves import published_of
from .experiment import Experiment
from .heldout import predictive, shared_draws, value_of
from .published import published_mean

KEYS = ["experiment", "variant", "sampler", "data", "model"]
# Of the settings in force, those that every chain of a report shares anyway or that name the chain.
NOT_SETTINGS = ("run.sampler",)


def keys_of(run: Run) -> dict[str, str]:
    return {key: getattr(run, key) for key in KEYS}


def quantities_of(experiment: Experiment, runs: list[Run]) -> list[str]:
    """Those that figures show, the score, what the experiment adds, scores of held-out data, what claims are about."""
    wanted = [*experiment.figures, experiment.score, *experiment.summary, "alpha", "gamma"]
    wanted += ["train_log_likelihood", "test_log_likelihood", "test_log_likelihood_expected"]
    wanted += [claim.quantity for claim in experiment.claims]
    chains = [chain for run in runs for chain in run.chains]
    return [q for q in dict.fromkeys(wanted) if q and any(len(chain.series(watched(q))) for chain in chains)]


def pooled_scores(run: Run) -> dict[str, float]:
    """Of all draws of all chains together, by hmmlt-evaluate: per step for likelihoods."""
    table = run.table("evaluation")
    if table is None:
        return {}
    table = table[table["sequence"] == -1]
    return {
        row.measure: row.value / row.n if row.measure.startswith("log_") else row.value for row in table.itertuples()
    }


def draws_of(run: Run, quantity: str, n_draws: int) -> dict[str, float]:
    """How many draws of each chain a posterior predictive averages, and how many of them bear it."""
    effective = [predictive(chain, quantity, n_draws).effective for chain in run.chains]
    return {"n_draws": n_draws, "draws_that_count": float(np.nanmean(effective))}


def by_chain(experiment: Experiment, runs: list[Run]) -> pd.DataFrame:
    """One row per chain and quantity: its mean after burn-in. Chains in two places show here, not in their mean."""
    rows = []
    for run in runs:
        n_draws = shared_draws([other for other in runs if other.key == run.key])
        for chain in run.chains:
            values = {quantity: value_of(chain, quantity, n_draws) for quantity in quantities_of(experiment, [run])}
            rows += [keys_of(run) | {"chain": chain.number, "quantity": q, "mean": v} for q, v in values.items()]
    return pd.DataFrame(rows, columns=[*KEYS, "chain", "quantity", "mean"])


def summary(experiment: Experiment, runs: list[Run]) -> pd.DataFrame:
    """One row per run and quantity: mean over chains of the means after burn-in, their sd, what was published."""
    rows = []
    for run in runs:
        n_draws = shared_draws([other for other in runs if other.key == run.key])
        for quantity in quantities_of(experiment, [run]):
            means = np.array([value_of(chain, quantity, n_draws) for chain in run.chains])
            means = means[np.isfinite(means)]
            if not means.size:
                continue
            rows.append(
                keys_of(run) | {
                    "quantity": quantity,
                    "mean": means.mean(),
                    "sd_chains": means.std(ddof=1) if means.size > 1 else np.nan,
                    "n_chains": means.size,
                    "published": published_mean(published_of(experiment, quantity, run)),
                    "rhat": rhat(run.chains, quantity),
                    "ess_bulk": ess_bulk(run.chains, quantity),
                    "n_draws": len(stacked(run.chains, quantity)[0]),
                } | (draws_of(run, quantity, n_draws) if quantity in PREDICTIVE else {})
            )
        for measure, value in pooled_scores(run).items():
            rows.append(keys_of(run) | {"quantity": f"pooled_{measure}", "mean": value, "n_chains": len(run.chains)})
    columns = [*KEYS, "quantity", "mean", "sd_chains", "n_chains", "published", "rhat", "ess_bulk"]
    columns += ["n_draws", "draws_that_count"]
    return pd.DataFrame(rows, columns=columns)


def diagnostics(runs: list[Run]) -> pd.DataFrame:
    """diagnostics/ of every run, as hmmlt-diagnose wrote it."""
    frames = []
    for run in runs:
        table = run.table("diagnostics")
        if table is not None:
            frames.append(table.assign(**keys_of(run))[[*KEYS, *table.columns]])
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=KEYS)


def settings(experiment: Experiment, runs: list[Run]) -> pd.DataFrame:
    """Keys x models: the configuration in force, of the first chain of each model."""
    columns = {}
    for model in experiment.in_order({run.model for run in runs if run.chains}):
        run = next(run for run in runs if run.model == model and run.chains)
        chain = run.chains[0]
        values = {key: value for key, value in chain.config.items() if key not in NOT_SETTINGS}
        columns[experiment.model_name(model)] = {"chains": len(run.chains), "sweeps": chain.n_sweeps, **values}
    return pd.DataFrame(columns).map(
        lambda value: "" if pd.isna(value) else f"{value:g}" if isinstance(value, float) else str(value)
    )


def origins(runs: list[Run]) -> pd.DataFrame:
    """One row per run: revision, machine, instruction set, seeds, chains, seconds."""
    rows = []
    for run in runs:
        found = [chain.provenance for chain in run.chains]

        def all_of(key: str, found=found) -> str:
            return ", ".join(dict.fromkeys(str(p.get(key, "unknown")) for p in found))

        seconds = [chain.seconds for chain in run.chains]
        rows.append(
            keys_of(run) | {
                "chains": " ".join(str(chain.number) for chain in run.chains),
                "seeds": ", ".join(dict.fromkeys(chain.seed for chain in run.chains)),
                "sweeps": ", ".join(dict.fromkeys(str(chain.n_sweeps) for chain in run.chains)),
                "burn_in": ", ".join(dict.fromkeys(str(chain.burn_in) for chain in run.chains)),
                "seconds_per_chain": float(np.mean(seconds)) if seconds else np.nan,
                "seconds": float(np.sum(seconds)) if seconds else np.nan,
                "revision": all_of("revision"),
                "host": all_of("host"),
                "instruction_set": all_of("instruction_set"),
                "blas": ", ".join(
                    dict.fromkeys(f"{b.get('library')}, {b.get('core')}" for p in found if (b := p.get("blas")))
                ),
                "finished": max((str(p.get("finished", "")) for p in found), default=""),
            }
        )
    return pd.DataFrame(rows)


def write_csv(table: pd.DataFrame, folder: pathlib.Path, name: str) -> None:
    """What people read."""
    table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n", float_format="%.6g")


def write_parquet(table: pd.DataFrame, folder: pathlib.Path, name: str) -> None:
    """What is long, or must keep every digit."""
    table.to_parquet(folder / f"{name}.parquet", index=False)
